// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HostDisk: POSIX files, written beside their place and then renamed.
#include "runtime/io/disk.h"

#include "runtime/base/cancellation.h"
#include "runtime/io/descriptor.h"
#include "runtime/io/new_file.h"
#include "runtime/io/new_host_files.h"
#include "runtime/memory/text_room.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::rt {

namespace {

// So that a call that reads a large file can end meanwhile.
constexpr size_t kReadAtOnce = size_t{1} << 24;

class DescriptorSource final : public ByteSource {
public:
  DescriptorSource(int descriptor, std::string path)
      : descriptor_(descriptor), path_(std::move(path)) {}
  // Of a pipe that nobody has opened for writing yet, `read` itself would see the end.
  Result<size_t> read(char *data, size_t size) override {
    while (!awaitReadable(-1)) {
    }
    return readDescriptor(descriptor_.get(), data, size, path_);
  }
  bool awaitReadable(int milliseconds) override {
    if (isRegular_)
      return true;
    pollfd entry{descriptor_.get(), POLLIN, 0};
    int ready = ::poll(&entry, 1, milliseconds);
    return ready > 0 || (ready < 0 && errno != EINTR); // an error is for `read` to find
  }

private:
  static bool isRegular(int descriptor) {
    struct stat info;
    return ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
  }

  Descriptor descriptor_;
  std::string path_;
  bool isRegular_ = isRegular(descriptor_.get());
};

// Positional reads: whatever happens to the file meanwhile, no page of it is gone under us.
class DescriptorParts final : public FileParts {
public:
  DescriptorParts(Descriptor descriptor, std::string path, uint64_t size)
      : descriptor_(std::move(descriptor)), path_(std::move(path)), size_(size) {}
  uint64_t size() const override { return size_; }
  Status read(uint64_t offset, char *data, size_t size) override {
    for (size_t done = 0; done < size;) {
      ssize_t n = ::pread(descriptor_.get(), data + done, std::min(size - done, kReadAtOnce),
                          static_cast<off_t>(offset + done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return systemError(errno, "read", path_);
      if (n == 0)
        return outOfRange("'" + path_ + "' became shorter while it was read");
      done += static_cast<size_t>(n);
    }
    return {};
  }

private:
  Descriptor descriptor_;
  std::string path_;
  uint64_t size_;
};

std::string_view kindOf(mode_t mode) {
  if (S_ISDIR(mode))
    return "a folder";
  if (S_ISFIFO(mode))
    return "a pipe";
  if (S_ISSOCK(mode))
    return "a socket";
  return "a device";
}

Status notRegular(const std::string &path, mode_t mode) {
  return {Code::kFailedPrecondition,
          "expected a regular file but got " + std::string(kindOf(mode)) + ": '" + path + "'"};
}

// NUL would cut the name short in system calls and so name another file.
Status checkName(const std::string &path) {
  if (path.empty())
    return {Code::kNotFound, "expected a file name but got an empty string"};
  if (path.find('\0') != std::string::npos)
    return {Code::kNotFound, "file name contains a NUL character"};
  return {};
}

} // namespace

Status systemError(int error, std::string_view verb, const std::string &path) {
  Code code = Code::kUnavailable;
  if (error == ENOENT || error == ENOTDIR)
    code = Code::kNotFound;
  else if (error == EACCES || error == EPERM || error == EROFS)
    code = Code::kPermissionDenied;
  return {code,
          "cannot " + std::string(verb) + " '" + path + "': " + std::string(std::strerror(error))};
}

Result<size_t> readDescriptor(int descriptor, char *data, size_t size, const std::string &name) {
  for (;;) {
    ssize_t n = ::read(descriptor, data, std::min(size, size_t{1} << 30));
    if (n >= 0)
      return static_cast<size_t>(n);
    int error = errno;
    if (error == EAGAIN) {
      pollfd entry{descriptor, POLLIN, 0};
      (void)::poll(&entry, 1, -1);
    } else if (error != EINTR) {
      return systemError(error, "read", name);
    }
  }
}

Status longerThan(uint64_t limit, const std::string &path) {
  return {Code::kOutOfRange,
          "'" + path + "' is longer than the limit of " + std::to_string(limit) + " bytes"};
}

Result<std::string> readWithin(Disk &disk, const std::string &path, const Limits &limits,
                               Limit limit) {
  Result<std::string> content = disk.read(path, limits[limit]);
  if (content.ok() || content.status().code() != Code::kOutOfRange)
    return content;
  return Status(Code::kOutOfRange, content.status().message() + seeLimit(limit));
}

Result<std::unique_ptr<FileParts>> openWithin(Disk &disk, const std::string &path,
                                              const Limits &limits, Limit limit) {
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<FileParts> file, disk.openParts(path));
  if (file->size() > limits[limit])
    return Status(Code::kOutOfRange, longerThan(limits[limit], path).message() + seeLimit(limit));
  return file;
}

Result<std::string> HostDisk::read(const std::string &path, uint64_t limit) {
  SLUICE_RETURN_IF_ERROR(checkName(path));
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info;
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0)
    return systemError(errno, "read", path);
  if (!S_ISREG(info.st_mode))
    return notRegular(path, info.st_mode);
  auto size = static_cast<uint64_t>(info.st_size);
  if (size > limit)
    return longerThan(limit, path);
  if (!textHasRoom(size))
    return resourceExhausted("no memory for the " + std::to_string(size) + " bytes of '" + path +
                             "'");
  std::string content(size, '\0');
  size_t used = 0;
  for (;;) { // The file may grow or shrink meanwhile.
    if (used == content.size()) {
      char more;
      SLUICE_ASSIGN_OR_RETURN(size_t extra, readDescriptor(file.get(), &more, 1, path));
      if (extra == 0)
        return content;
      if (used == limit)
        return longerThan(limit, path);
      content.push_back(more);
      ++used;
      content.resize(std::min<uint64_t>(limit, used + 65536));
      continue;
    }
    if (Cancellation::requestedHere())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(size_t n,
                            readDescriptor(file.get(), content.data() + used,
                                           std::min(content.size() - used, kReadAtOnce), path));
    used += n;
    if (n == 0) {
      content.resize(used);
      return content;
    }
  }
}

Result<std::unique_ptr<ByteSource>> HostDisk::open(const std::string &path) {
  SLUICE_RETURN_IF_ERROR(checkName(path));
  // Without O_NONBLOCK, opening a pipe would wait for a writer, and nothing could interrupt it.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return systemError(errno, "read", path);
  return std::unique_ptr<ByteSource>(new DescriptorSource(descriptor, path));
}

Result<std::unique_ptr<FileParts>> HostDisk::openParts(const std::string &path) {
  SLUICE_RETURN_IF_ERROR(checkName(path));
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info;
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0)
    return systemError(errno, "read", path);
  if (!S_ISREG(info.st_mode))
    return notRegular(path, info.st_mode);
  return std::unique_ptr<FileParts>(
      new DescriptorParts(std::move(file), path, static_cast<uint64_t>(info.st_size)));
}

std::string HostDisk::identity(const std::string &path) { return fileIdentity(path); }

Status HostDisk::checkWritable(const std::string &path) {
  SLUICE_RETURN_IF_ERROR(checkName(path));
  SLUICE_ASSIGN_OR_RETURN(std::string target, fileBehindLinks(path));
  std::string folder = folderOf(target);
  struct stat info;
  if (::stat(folder.c_str(), &info) != 0)
    return systemError(errno, "write", path);
  if (!S_ISDIR(info.st_mode))
    return systemError(ENOTDIR, "write", path);
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return systemError(errno, "write", path);
  if (::stat(target.c_str(), &info) != 0)
    return errno == ENOENT ? Status() : systemError(errno, "write", path);
  if (!S_ISREG(info.st_mode))
    return notRegular(path, info.st_mode);
  if (::access(target.c_str(), W_OK) != 0)
    return systemError(errno, "write", path);
  return {};
}

Status HostDisk::write(const std::string &path, std::string_view content) {
  std::unique_ptr<NewFiles> files = writeSeveral();
  SLUICE_RETURN_IF_ERROR(files->begin(path));
  SLUICE_RETURN_IF_ERROR(files->write(content));
  return files->commit();
}

std::unique_ptr<NewFiles> HostDisk::writeSeveral() { return std::make_unique<NewHostFiles>(*this); }

} // namespace sluice::rt
