// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checkpoints of a run, one after the other: rank 0, or a program that runs alone, decides what
// is written, what is resumed from and what is removed.
#pragma once

#include "runtime/checkpoint/checkpoint_folder.h"
#include "runtime/checkpoint/local_shard.h"
#include "runtime/checkpoint/remote_shards.h"

#include <functional>
#include <optional>
#include <string>

namespace sluice::rt {

class CheckpointSeries {
public:
  struct Program {
    std::string hash;
    std::span<const LastingResource> state;
    RemoteShards *others = nullptr; // null for a program that runs alone
  };

  // Takes the folder's lock and removes what killed writers have left.
  static Result<std::unique_ptr<CheckpointSeries>> open(FileSystem &files, const std::string &path,
                                                        Program program);

  bool isEmpty() const { return committed_.empty(); }
  uint64_t newestStep() const { return committed_.back(); }

  // The step of the newest checkpoint that can be read, whose content is the program's state now;
  // nothing if there is none at all. Those that are damaged are told to `warn`; if all are, it is
  // DATA_LOSS. FAILED_PRECONDITION if the newest one is of another program or other ranks. What is
  // older than the `keep` newest ones goes, as a writer that was killed may not have come to that.
  Result<std::optional<uint64_t>> resume(uint64_t keep,
                                         const std::function<void(const std::string &)> &warn);
  // When this returns, the checkpoint is on the disk. Then goes what is older than the `keep`
  // newest ones, and what is newer: that could not be read. Nothing has gone if it fails.
  Status save(uint64_t step, uint64_t keep);

private:
  CheckpointSeries(CheckpointFolder folder, Program program)
      : folder_(std::move(folder)), program_(std::move(program)), own_(folder_, 0, program_.state) {
  }
  uint32_t ranks() const { return program_.others ? program_.others->ranks() : 1; }
  Status removeRemains();
  Status removeOthersEverywhere();
  // All but so many of those up to the step.
  Status removeOlder(uint64_t step, uint64_t keep);
  Status stage(uint64_t step);
  Status adopt();
  Result<std::vector<ShardRecord>> saveShards(uint64_t step);

  CheckpointFolder folder_;
  Program program_;
  LocalShard own_;
  std::vector<uint64_t> committed_; // ascending
};

} // namespace sluice::rt
