// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CheckpointSeries. Other ranks are asked first, so that they work while this one does.
#include "runtime/checkpoint/checkpoint_series.h"

#include <algorithm>

namespace sluice::rt {

namespace {

// What another checkpoint may not share: lost bytes, not a wrong program or a lack of memory.
bool isDamage(const Status &status) {
  switch (status.code()) {
  case Code::kDataLoss:
  case Code::kNotFound:
  case Code::kUnavailable:
    return true;
  default:
    return false;
  }
}

} // namespace

Result<std::unique_ptr<CheckpointSeries>>
CheckpointSeries::open(FileSystem &files, const std::string &path, Program program) {
  SLUICE_ASSIGN_OR_RETURN(CheckpointFolder folder, CheckpointFolder::make(files, path));
  SLUICE_RETURN_IF_ERROR(folder.lock("lock"));
  std::unique_ptr<CheckpointSeries> series(
      new CheckpointSeries(std::move(folder), std::move(program)));
  SLUICE_RETURN_IF_ERROR(series->own_.check());
  SLUICE_RETURN_IF_ERROR(series->removeRemains());
  return series;
}

Status CheckpointSeries::removeRemains() {
  SLUICE_ASSIGN_OR_RETURN(committed_, folder_.committedSteps());
  SLUICE_ASSIGN_OR_RETURN(std::vector<uint64_t> all, folder_.steps());
  for (uint64_t step : all)
    if (!std::binary_search(committed_.begin(), committed_.end(), step))
      folder_.remove(step);
  return removeOthersEverywhere();
}

Status CheckpointSeries::removeOthersEverywhere() {
  if (!program_.others)
    return {};
  program_.others->ask({ShardRequest::Kind::kRemoveOthers, 0, {}, committed_});
  return program_.others->await().status();
}

Status CheckpointSeries::removeOlder(uint64_t step, uint64_t keep) {
  auto end = std::upper_bound(committed_.begin(), committed_.end(), step);
  auto begin = committed_.begin();
  while (static_cast<uint64_t>(end - begin) > keep)
    folder_.remove(*begin++);
  committed_.erase(committed_.begin(), begin);
  return removeOthersEverywhere();
}

// ---- Resuming ----------------------------------------------------------------------------------

Result<std::optional<uint64_t>>
CheckpointSeries::resume(uint64_t keep, const std::function<void(const std::string &)> &warn) {
  for (size_t i = committed_.size(); i-- > 0;) {
    uint64_t step = committed_[i];
    Status status = stage(step);
    if (status.ok()) {
      SLUICE_RETURN_IF_ERROR(adopt());
      SLUICE_RETURN_IF_ERROR(removeOlder(step, keep));
      return std::optional(step);
    }
    if (!isDamage(status))
      return status;
    warn("the checkpoint '" + folder_.pathOf(step) + "' cannot be used: " + status.message());
  }
  if (committed_.empty())
    return std::optional<uint64_t>();
  return Status(Code::kDataLoss, "none of the checkpoints in '" + folder_.path() +
                                     "' can be used; start afresh in another folder");
}

Status CheckpointSeries::stage(uint64_t step) {
  SLUICE_ASSIGN_OR_RETURN(Manifest manifest, folder_.readManifest(step));
  std::string name = "the checkpoint '" + folder_.pathOf(step) + "'";
  if (manifest.shards.size() != ranks())
    return failedPrecondition(name + " is of " + std::to_string(manifest.shards.size()) +
                              " ranks but this program has " + std::to_string(ranks()));
  if (manifest.program != program_.hash)
    return failedPrecondition(name + " is of another program: expected the hash '" + program_.hash +
                              "' but got '" + manifest.program +
                              "'; resume with the program that wrote it, or use another folder");
  if (program_.others)
    program_.others->ask({ShardRequest::Kind::kStage, step, manifest.shards, {}});
  Status own = own_.stage(step, manifest.shards[0]);
  Status others = program_.others ? program_.others->await().status() : okStatus();
  return own.ok() ? others : own;
}

Status CheckpointSeries::adopt() {
  if (program_.others)
    program_.others->ask({ShardRequest::Kind::kAdopt, 0, {}, {}});
  Status own = own_.adopt();
  Status others = program_.others ? program_.others->await().status() : okStatus();
  return own.ok() ? others : own;
}

// ---- Saving ------------------------------------------------------------------------------------

Result<std::vector<ShardRecord>> CheckpointSeries::saveShards(uint64_t step) {
  if (program_.others)
    program_.others->ask({ShardRequest::Kind::kSave, step, {}, {}});
  Result<ShardRecord> own = own_.save(step);
  std::vector<ShardRecord> records(1);
  if (program_.others) {
    SLUICE_ASSIGN_OR_RETURN(records, program_.others->await());
  }
  SLUICE_ASSIGN_OR_RETURN(records[0], own);
  return records;
}

Status CheckpointSeries::save(uint64_t step, uint64_t keep) {
  // What has this name could not be read, or the run would be beyond it.
  folder_.remove(step);
  std::erase(committed_, step);
  Result<std::vector<ShardRecord>> records = saveShards(step);
  Status committed =
      records.ok() ? folder_.commit({program_.hash, step, std::move(*records)}) : records.status();
  if (!committed.ok()) {
    folder_.remove(step);
    return committed;
  }
  while (!committed_.empty() && committed_.back() > step) {
    folder_.remove(committed_.back());
    committed_.pop_back();
  }
  committed_.push_back(step);
  return removeOlder(step, keep);
}

} // namespace sluice::rt
