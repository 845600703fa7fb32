// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LocalShard.
#include "runtime/checkpoint/local_shard.h"

#include "runtime/checkpoint/load_shard.h"
#include "runtime/checkpoint/save_shard.h"
#include "runtime/state/variable.h"

#include <utility>

namespace sluice::rt {

Status LocalShard::check() const {
  for (const LastingResource &resource : state_)
    if (resource.object->kind() == Object::Kind::kVariable &&
        !static_cast<const Variable *>(resource.object)->isShown())
      return unimplemented("variable '" + resource.key +
                           "' holds lists, which checkpoints cannot hold");
  return {};
}

Result<ShardRecord> LocalShard::save(uint64_t step) {
  Result<ShardRecord> record = write(step);
  if (!record.ok()) {
    (void)folder_.files().removeFile(folder_.shardPath(step, rank_));
    (void)folder_.files().removeFolder(folder_.pathOf(step));
  }
  return record;
}

Result<ShardRecord> LocalShard::write(uint64_t step) const {
  FileSystem &files = folder_.files();
  std::string path = folder_.shardPath(step, rank_);
  SLUICE_RETURN_IF_ERROR(files.makeFolder(folder_.pathOf(step)));
  if (Status removed = files.removeFile(path); !removed.ok() && removed.code() != Code::kNotFound)
    return removed;
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<OutputFile> file, files.create(path));
  SLUICE_ASSIGN_OR_RETURN(ShardRecord record, saveShard(*file, step, rank_, state_));
  SLUICE_RETURN_IF_ERROR(file->close());
  SLUICE_RETURN_IF_ERROR(files.syncFolder(folder_.pathOf(step)));
  SLUICE_RETURN_IF_ERROR(files.syncFolder(folder_.path()));
  return record;
}

Status LocalShard::stage(uint64_t step, const ShardRecord &record) {
  staged_.clear(); // gives back its memory before more is taken
  SLUICE_ASSIGN_OR_RETURN(staged_, loadShard(folder_.files(), folder_.shardPath(step, rank_),
                                             record, step, rank_, state_));
  return {};
}

Status LocalShard::adopt() {
  auto staged = std::exchange(staged_, {});
  if (staged.size() != state_.size())
    return internalError("no shard was read");
  for (size_t i = 0; i < staged.size(); ++i)
    if (Status status = state_[i].object->restore(std::move(staged[i])); !status.ok())
      return Status(status.code(),
                    state_[i].kind + " '" + state_[i].key + "': " + status.message());
  return {};
}

} // namespace sluice::rt
