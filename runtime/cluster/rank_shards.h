// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank other than 0 and its shards: what rank 0 asks for is done in the folder that this rank was
// given when it was started.
#pragma once

#include "runtime/checkpoint/local_shard.h"
#include "runtime/checkpoint/remote_shards.h"

#include <optional>
#include <string>

namespace sluice::rt {

class RankShards {
public:
  // `folder` is empty if none was given. `state` lives longer.
  RankShards(std::string folder, uint32_t rank, std::span<const LastingResource> state)
      : name_(std::move(folder)), rank_(rank), state_(state) {}

  // FAILED_PRECONDITION if no folder was given, or another process writes this rank's shards there.
  Result<ShardRecord> perform(const ShardRequest &request);

private:
  Status open();

  std::string name_;
  uint32_t rank_;
  std::span<const LastingResource> state_;
  HostFileSystem files_;
  std::optional<CheckpointFolder> folder_;
  std::optional<LocalShard> shard_;
};

} // namespace sluice::rt
