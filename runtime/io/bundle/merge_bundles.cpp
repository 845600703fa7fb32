// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows get the new numbers of their files.
#include "runtime/io/bundle/merge_bundles.h"

#include "runtime/base/cancellation.h"
#include "runtime/io/bundle/bundle.h"
#include "runtime/io/bundle/bundle_writer.h"
#include "runtime/io/new_file.h"
#include "runtime/io/number_text.h"

#include <cerrno>
#include <cstdio>
#include <unistd.h>

namespace sluice::rt {

namespace {

class Merge {
public:
  explicit Merge(std::string destination) : destination_(std::move(destination)) {}

  Status add(const std::string &prefix, const Bundle &bundle) {
    for (const TableEntry &row : bundle.rows()) {
      Result<BundleEntry> entry = parseBundleEntry(row.value);
      if (!entry.ok())
        return atTensor(row.key, entry.status());
      entry->shard += shards_;
      SLUICE_RETURN_IF_ERROR(addRow(row.key, std::move(*entry), prefix));
    }
    prefixes_.push_back({prefix, bundle.shards()});
    shards_ += bundle.shards();
    return okStatus();
  }

  bool isEmpty() const { return prefixes_.empty(); }

  Status write() {
    HostDisk disk;
    std::map<std::string, std::string, std::less<>> rows;
    for (auto &[key, entry] : rows_)
      rows.emplace_hint(rows.end(), key, messageOf(entry));
    std::unique_ptr<NewFiles> files = disk.writeSeveral();
    SLUICE_RETURN_IF_ERROR(writeIndex(*files, destination_, shards_, rows));
    SLUICE_RETURN_IF_ERROR(renameShards());
    return files->commit();
  }

  // What could not be removed does no harm.
  void removeOld(bool folders) {
    for (const Old &old : prefixes_)
      if (fileIdentity(old.prefix) != fileIdentity(destination_))
        ::unlink((old.prefix + ".index").c_str());
    for (const Old &old : prefixes_)
      if (folders && folderOf(old.prefix) != folderOf(destination_))
        ::rmdir(folderOf(old.prefix).c_str());
  }

private:
  struct Old {
    std::string prefix;
    int64_t shards;
  };

  Status addRow(const std::string &key, BundleEntry entry, const std::string &prefix) {
    auto [known, isNew] = rows_.try_emplace(key, entry);
    if (isNew)
      return okStatus();
    BundleEntry &whole = known->second;
    if (whole.slices.empty() || entry.slices.empty())
      return invalidArgument("tensor " + quoted(key, 200, '\'') +
                             " is there twice, the second time in " + quoted(prefix, 4096, '\''));
    if (whole.type != entry.type || whole.shape != entry.shape)
      return invalidArgument("the slices of tensor " + quoted(key, 200, '\'') +
                             " differ in their types or in the shape of the whole");
    for (TensorSlice &slice : entry.slices)
      whole.slices.push_back(std::move(slice));
    return okStatus();
  }

  Status renameShards() {
    int64_t number = 0;
    for (const Old &old : prefixes_)
      for (int64_t i = 0; i < old.shards; ++i, ++number) {
        std::string from = shardPath(old.prefix, i, old.shards);
        if (::rename(from.c_str(), shardPath(destination_, number, shards_).c_str()) != 0)
          return systemError(errno, "rename", from);
      }
    return okStatus();
  }

  std::string destination_;
  std::vector<Old> prefixes_;
  int64_t shards_ = 0;
  std::map<std::string, BundleEntry, std::less<>> rows_;
};

} // namespace

Status mergeBundles(std::span<const std::string> prefixes, const std::string &destination,
                    const MergeOptions &options) {
  HostDisk disk;
  Merge merge(destination);
  for (const std::string &prefix : prefixes) {
    if (Cancellation::requestedHere())
      return cancelledWork();
    auto bundle = Bundle::open(prefix, CheckpointLimits::of(), disk);
    bool isMissing = !bundle.ok() && bundle.status().code() == Code::kNotFound;
    if (isMissing && options.allowMissing)
      continue;
    if (isMissing)
      return invalidArgument("allow_missing_files was set to false and there is no checkpoint " +
                             quoted(prefix, 4096, '\''));
    if (!bundle.ok())
      return bundle.status();
    SLUICE_RETURN_IF_ERROR(merge.add(prefix, **bundle));
  }
  if (merge.isEmpty())
    return invalidArgument("At least one of the checkpoints must exist, but none does");
  SLUICE_RETURN_IF_ERROR(merge.write());
  merge.removeOld(options.deleteOldFolders);
  return okStatus();
}

} // namespace sluice::rt
