// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shards of one rank, in the folder that this rank sees.
#pragma once

#include "runtime/checkpoint/checkpoint_folder.h"
#include "runtime/state/lasting_object.h"

#include <span>
#include <vector>

namespace sluice::rt {

class LocalShard {
public:
  // `state` lives longer.
  LocalShard(CheckpointFolder &folder, uint32_t rank, std::span<const LastingResource> state)
      : folder_(folder), rank_(rank), state_(state) {}

  // UNIMPLEMENTED if something of the program's state can never be saved.
  Status check() const;
  // On return it is on the disk; what is still missing is the manifest. Nothing is left of one that
  // has failed.
  Result<ShardRecord> save(uint64_t step);
  // Reads and checks all. The program's state has not changed.
  Status stage(uint64_t step, const ShardRecord &record);
  // What was staged last becomes the program's state. After a failure nobody may go on with it.
  Status adopt();
  void removeOthers(std::span<const uint64_t> kept) { folder_.removeShards(rank_, kept); }

private:
  Result<ShardRecord> write(uint64_t step) const;

  CheckpointFolder &folder_;
  uint32_t rank_;
  std::span<const LastingResource> state_;
  std::vector<std::vector<NamedTensor>> staged_; // by object
};

} // namespace sluice::rt
