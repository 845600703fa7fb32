// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which files are where in a folder of checkpoints, and in what order they come and go:
//
//   lock              whoever writes holds it; a rank R other than 0: lock-R
//   step-12/          made after 12 calls
//     rank-0          the shard of each rank
//     MANIFEST        comes last and goes first: without it this is no checkpoint
//
// A manifest is written as MANIFEST.new and renamed when shards and folders are on the disk. No
// other moment counts: before it the checkpoint is not there, after it it is whole.
#pragma once

#include "runtime/checkpoint/manifest.h"
#include "runtime/io/file_system.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sluice::rt {

class CheckpointFolder {
public:
  // It is made if it is not there.
  static Result<CheckpointFolder> make(FileSystem &files, std::string path);

  const std::string &path() const { return path_; }
  std::string pathOf(uint64_t step) const { return path_ + "/step-" + std::to_string(step); }
  std::string shardPath(uint64_t step, uint32_t rank) const {
    return pathOf(step) + "/rank-" + std::to_string(rank);
  }
  FileSystem &files() const { return *files_; }

  // FAILED_PRECONDITION if another process has the lock of this name. Held as long as this object
  // lives.
  Status lock(std::string_view name);
  // All steps that have a folder, and those that also have a manifest, in ascending order.
  // FAILED_PRECONDITION if one has the name of such a folder and is none, but a link, say.
  Result<std::vector<uint64_t>> steps() const;
  Result<std::vector<uint64_t>> committedSteps() const;

  Result<Manifest> readManifest(uint64_t step) const;
  // All shards are there, synced, as is the folder. Now it is a checkpoint.
  Status commit(const Manifest &manifest) const;
  // First it is no checkpoint any more, then it is gone, up to files that are not ours.
  void remove(uint64_t step) const;
  // This rank's shards only, of all steps that are not kept.
  void removeShards(uint32_t rank, std::span<const uint64_t> kept) const;

private:
  CheckpointFolder(FileSystem &files, std::string path) : files_(&files), path_(std::move(path)) {}

  FileSystem *files_;
  std::string path_;
  std::unique_ptr<FolderLock> lock_;
};

} // namespace sluice::rt
