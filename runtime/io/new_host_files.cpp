// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing, syncing, renaming.
#include "runtime/io/new_host_files.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace sluice::rt {

static constexpr uint64_t kSyncAtOnce = 16 << 20;

// Some file systems cannot sync a folder; the rename itself has succeeded then.
static void syncFolder(const std::string &folder) {
  Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.isOpen())
    (void)::fsync(descriptor.get());
}

Status NewHostFiles::begin(const std::string &path) {
  SLUICE_RETURN_IF_ERROR(finish());
  SLUICE_RETURN_IF_ERROR(disk_.checkWritable(path));
  SLUICE_ASSIGN_OR_RETURN(std::string target, fileBehindLinks(path));
  std::unique_ptr<TemporaryFiles> &temporary = temporary_[folderOf(target)];
  if (!temporary) {
    SLUICE_ASSIGN_OR_RETURN(temporary, TemporaryFiles::in(folderOf(target), path));
  }
  files_.push_back({path, temporary->add(), std::move(target)});
  SLUICE_ASSIGN_OR_RETURN(open_, NewFile::create(files_.back().made, 0666, path));
  return {};
}

// The disk works while the rest is written.
Status NewHostFiles::write(std::string_view bytes) {
  while (!bytes.empty()) {
    std::string_view piece = bytes.substr(0, kSyncAtOnce - written_ % kSyncAtOnce);
    SLUICE_RETURN_IF_ERROR(open_->write(piece));
    written_ += piece.size();
    if (written_ % kSyncAtOnce == 0)
      open_->startSync();
    bytes.remove_prefix(piece.size());
  }
  return {};
}

Status NewHostFiles::finish() {
  if (!open_)
    return {};
  SLUICE_RETURN_IF_ERROR(open_->takeOverPermissions(files_.back().target));
  SLUICE_RETURN_IF_ERROR(open_->sync());
  SLUICE_RETURN_IF_ERROR(open_->close());
  open_.reset();
  return {};
}

Status NewHostFiles::commit() {
  SLUICE_RETURN_IF_ERROR(finish());
  for (const Written &file : files_)
    if (::rename(file.made.c_str(), file.target.c_str()) != 0)
      return systemError(errno, "write", file.path);
  for (const auto &[folder, temporary] : temporary_)
    syncFolder(folder);
  return {};
}

} // namespace sluice::rt
