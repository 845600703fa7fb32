// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HostFileSystem: POSIX calls.
#include "runtime/io/descriptor.h"
#include "runtime/io/disk.h"
#include "runtime/io/file_system.h"
#include "runtime/io/new_file.h"

#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace sluice::rt {

namespace {

class HostOutputFile final : public OutputFile {
public:
  explicit HostOutputFile(NewFile file) : file_(std::move(file)) {}
  Status write(std::string_view bytes) override { return file_.write(bytes); }
  void startSync() override { file_.startSync(); }
  Status sync() override { return file_.sync(); }
  Status close() override { return file_.close(); }

private:
  NewFile file_;
};

class HostInputFile final : public InputFile {
public:
  HostInputFile(Descriptor file, uint64_t size, std::string path)
      : file_(std::move(file)), size_(size), path_(std::move(path)) {}
  uint64_t size() const override { return size_; }
  Status read(uint64_t offset, char *to, size_t size) override {
    while (size > 0) {
      ssize_t n = ::pread(file_.get(), to, size, static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return systemError(errno, "read", path_);
      if (n == 0)
        return Status(Code::kUnavailable, "'" + path_ + "' has become shorter");
      offset += static_cast<uint64_t>(n);
      to += n;
      size -= static_cast<size_t>(n);
    }
    return {};
  }
  Result<Tensor> map(DType dtype, const Shape &shape, uint64_t offset) override {
    return Tensor::mapped(dtype, shape, file_.get(), offset);
  }

private:
  Descriptor file_;
  uint64_t size_;
  std::string path_;
};

class HostFolderLock final : public FolderLock {
public:
  explicit HostFolderLock(Descriptor file) : file_(std::move(file)) {}

private:
  Descriptor file_;
};

Status outcome(int result, std::string_view verb, const std::string &path) {
  return result == 0 ? Status() : systemError(errno, verb, path);
}

} // namespace

Status HostFileSystem::makeFolder(const std::string &path) {
  if (::mkdir(path.c_str(), 0777) == 0)
    return {};
  int error = errno;
  struct stat info;
  if (error == EEXIST && ::lstat(path.c_str(), &info) == 0)
    return S_ISDIR(info.st_mode) ? Status() : systemError(ENOTDIR, "make the folder", path);
  return systemError(error, "make the folder", path);
}

Result<std::vector<FolderEntry>> HostFileSystem::list(const std::string &path) {
  DIR *entries = ::opendir(path.c_str());
  if (!entries)
    return systemError(errno, "read the folder", path);
  std::vector<FolderEntry> found;
  errno = 0;
  while (const dirent *entry = ::readdir(entries)) {
    std::string name = entry->d_name;
    if (name == "." || name == "..")
      continue;
    struct stat info;
    bool isFolder = ::lstat((path + '/' + name).c_str(), &info) == 0 && S_ISDIR(info.st_mode);
    found.push_back({std::move(name), isFolder});
    errno = 0;
  }
  int error = errno;
  ::closedir(entries);
  if (error != 0)
    return systemError(error, "read the folder", path);
  return found;
}

Result<std::unique_ptr<OutputFile>> HostFileSystem::create(const std::string &path) {
  SLUICE_ASSIGN_OR_RETURN(NewFile file, NewFile::create(path, 0666, path));
  return std::unique_ptr<OutputFile>(new HostOutputFile(std::move(file)));
}

Result<std::unique_ptr<InputFile>> HostFileSystem::open(const std::string &path) {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat info;
  if (!file.isOpen() || ::fstat(file.get(), &info) != 0)
    return systemError(errno, "read", path);
  if (!S_ISREG(info.st_mode))
    return Status(Code::kDataLoss, "expected a regular file: '" + path + "'");
  auto size = static_cast<uint64_t>(info.st_size);
  return std::unique_ptr<InputFile>(new HostInputFile(std::move(file), size, path));
}

Status HostFileSystem::rename(const std::string &from, const std::string &to) {
  return outcome(::rename(from.c_str(), to.c_str()), "write", to);
}

Status HostFileSystem::removeFile(const std::string &path) {
  return outcome(::unlink(path.c_str()), "remove", path);
}

Status HostFileSystem::removeFolder(const std::string &path) {
  return outcome(::rmdir(path.c_str()), "remove", path);
}

Status HostFileSystem::syncFolder(const std::string &path) {
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.isOpen())
    return systemError(errno, "write", path);
  // Some file systems cannot sync a folder, and say so.
  if (::fsync(folder.get()) != 0 && errno != EINVAL && errno != ENOTSUP)
    return systemError(errno, "write", path);
  return {};
}

Result<std::unique_ptr<FolderLock>> HostFileSystem::lock(const std::string &path) {
  // Writable, or a network file system gives no lock.
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!file.isOpen())
    return systemError(errno, "write", path);
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0)
    return std::unique_ptr<FolderLock>(new HostFolderLock(std::move(file)));
  if (errno == EWOULDBLOCK)
    return failedPrecondition("another process holds the lock '" + path + "'");
  return systemError(errno, "lock", path);
}

} // namespace sluice::rt
