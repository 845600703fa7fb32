// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// System calls that write, link and rename.
#include "runtime/io/new_file.h"

#include "runtime/io/disk.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/stat.h>

namespace sluice::rt {

Result<NewFile> NewFile::create(const std::string &path, mode_t mode, std::string name) {
  Descriptor descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!descriptor.isOpen())
    return systemError(errno, "write", name);
  return NewFile(std::move(descriptor), std::move(name));
}

Status NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(descriptor_.get(), bytes.data(), std::min(bytes.size(), size_t{1} << 30));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return systemError(n < 0 ? errno : EIO, "write", name_);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

Status NewFile::takeOverPermissions(const std::string &replaced) {
  struct stat made, old;
  if (::stat(replaced.c_str(), &old) != 0)
    return {}; // nothing is replaced
  if (::fstat(descriptor_.get(), &made) != 0)
    return systemError(errno, "write", name_);
  mode_t kept = old.st_mode & 07777;
  mode_t executing = made.st_mode & 0111 & ((kept & 0444) >> 2);
  return ::fchmod(descriptor_.get(), kept | executing) == 0 ? Status()
                                                            : systemError(errno, "write", name_);
}

void NewFile::startSync() {
#ifdef SYNC_FILE_RANGE_WRITE
  (void)::sync_file_range(descriptor_.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
}

Status NewFile::sync() {
  return ::fsync(descriptor_.get()) == 0 ? Status() : systemError(errno, "write", name_);
}

Status NewFile::close() {
  return descriptor_.close() ? Status() : systemError(errno, "write", name_);
}

std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Result<std::string> fileBehindLinks(const std::string &path) {
  constexpr int kMostLinks = 40; // as in Linux
  std::string at = path;
  for (int i = 0; i <= kMostLinks; ++i) {
    char target[PATH_MAX];
    ssize_t size = ::readlink(at.c_str(), target, sizeof target);
    if (size < 0) // no link; whatever else is wrong shows when the file is written
      return at;
    std::string next(target, static_cast<size_t>(size));
    at = next.starts_with('/') ? next : folderOf(at) + '/' + next;
  }
  return systemError(ELOOP, "write", path);
}

std::string fileIdentity(const std::string &path) {
  Result<std::string> target = fileBehindLinks(path);
  const std::string file = target.ok() ? *target : path;
  std::string_view at = file;
  while (at.size() > 1 && at.ends_with('/'))
    at.remove_suffix(1);
  std::string folder = folderOf(std::string(at));
  std::string name(at.substr(at.rfind('/') + 1)); // all of it if there is no slash
  struct stat info;
  if (::stat(folder.c_str(), &info) == 0)
    return format("%llx:%llx/", static_cast<unsigned long long>(info.st_dev),
                  static_cast<unsigned long long>(info.st_ino)) +
           name;
  bool ends = folder.size() >= at.size(); // "." or "/", which is gone
  return ends ? std::string(at) : fileIdentity(folder) + '/' + name;
}

} // namespace sluice::rt
