// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RankShards. The folder is opened at the first request.
#include "runtime/cluster/rank_shards.h"

namespace sluice::rt {

Status RankShards::open() {
  if (shard_)
    return {};
  if (name_.empty())
    return failedPrecondition("was not given --checkpoint, as rank 0 was");
  SLUICE_ASSIGN_OR_RETURN(CheckpointFolder folder, CheckpointFolder::make(files_, name_));
  SLUICE_RETURN_IF_ERROR(folder.lock("lock-" + std::to_string(rank_)));
  folder_.emplace(std::move(folder));
  shard_.emplace(*folder_, rank_, state_);
  return shard_->check();
}

Result<ShardRecord> RankShards::perform(const ShardRequest &request) {
  SLUICE_RETURN_IF_ERROR(open());
  switch (request.kind) {
  case ShardRequest::Kind::kSave:
    return shard_->save(request.step);
  case ShardRequest::Kind::kStage:
    if (rank_ >= request.records.size())
      return invalidArgument("a request without a shard of this rank");
    SLUICE_RETURN_IF_ERROR(shard_->stage(request.step, request.records[rank_]));
    return ShardRecord();
  case ShardRequest::Kind::kAdopt:
    SLUICE_RETURN_IF_ERROR(shard_->adopt());
    return ShardRecord();
  case ShardRequest::Kind::kRemoveOthers:
    shard_->removeOthers(request.kept);
    return ShardRecord();
  }
  return internalError("an unknown request");
}

} // namespace sluice::rt
