// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HostDisk: POSIX files, written through a temporary file in the same folder.
#include "runtime/io/disk.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::rt {

namespace {

// Closes the descriptor unless it was closed by hand, where an error of close counts.
class Descriptor {
public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor &&other) noexcept : value_(std::exchange(other.value_, -1)) {}
  ~Descriptor() {
    if (value_ >= 0)
      ::close(value_);
  }
  int get() const { return value_; }
  bool close() { return ::close(std::exchange(value_, -1)) == 0; }

private:
  int value_;
};

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
    pollfd entry{descriptor_.get(), POLLIN, 0};
    int ready = ::poll(&entry, 1, milliseconds);
    return ready > 0 || (ready < 0 && errno != EINTR); // an error is for `read` to find
  }

private:
  Descriptor descriptor_;
  std::string path_;
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

std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Where the bytes must land: the file behind a symbolic link, so that the link survives.
std::string resolveLink(const std::string &path) {
  struct stat info;
  if (::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode))
    return path;
  char *real = ::realpath(path.c_str(), nullptr);
  if (!real)
    return path;
  std::string resolved(real);
  std::free(real);
  return resolved;
}

bool writeAll(int descriptor, std::string_view content) {
  while (!content.empty()) {
    ssize_t n = ::write(descriptor, content.data(), std::min(content.size(), size_t{1} << 30));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    content.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

// Some file systems cannot sync a folder; the rename itself has succeeded then.
void syncFolder(const std::string &folder) {
  Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() >= 0)
    (void)::fsync(descriptor.get());
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
    if (errno != EINTR && errno != EAGAIN)
      return systemError(errno, "read", name);
  }
}

Result<std::string> readWithin(Disk &disk, const std::string &path, const Limits &limits,
                               Limit limit) {
  Result<std::string> content = disk.read(path, limits[limit]);
  if (content.ok() || content.status().code() != Code::kOutOfRange)
    return content;
  return Status(Code::kOutOfRange, content.status().message() + seeLimit(limit));
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
  Status tooLong(Code::kOutOfRange, "'" + path + "' is longer than the limit of " +
                                        std::to_string(limit) + " bytes");
  auto size = static_cast<uint64_t>(info.st_size);
  if (size > limit)
    return tooLong;
  std::string content(size, '\0');
  size_t used = 0;
  for (;;) { // The file may grow or shrink meanwhile.
    if (used == content.size()) {
      char more;
      SLUICE_ASSIGN_OR_RETURN(size_t extra, readDescriptor(file.get(), &more, 1, path));
      if (extra == 0)
        return content;
      if (used == limit)
        return tooLong;
      content.push_back(more);
      ++used;
      content.resize(std::min<uint64_t>(limit, used + 65536));
      continue;
    }
    SLUICE_ASSIGN_OR_RETURN(
        size_t n, readDescriptor(file.get(), content.data() + used, content.size() - used, path));
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

Status HostDisk::checkWritable(const std::string &path) {
  SLUICE_RETURN_IF_ERROR(checkName(path));
  std::string target = resolveLink(path);
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
  SLUICE_RETURN_IF_ERROR(checkWritable(path));
  std::string target = resolveLink(path);
  std::string folder = folderOf(target);
  struct stat info;
  bool exists = ::stat(target.c_str(), &info) == 0;
  std::string temporary;
  int descriptor = -1;
  // A name of a killed process with our number may lie there still: try the next.
  for (int attempt = 0; attempt < 100 && descriptor < 0; ++attempt) {
    temporary = folder + format("/.sluice-%d-%d.tmp", static_cast<int>(::getpid()), attempt);
    descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST)
      break;
  }
  if (descriptor < 0)
    return systemError(errno, "write", path);
  Descriptor file(descriptor);
  bool good = writeAll(file.get(), content);
  if (good && exists)
    good = ::fchmod(file.get(), info.st_mode & 07777) == 0;
  good = good && ::fsync(file.get()) == 0 && file.close() &&
         ::rename(temporary.c_str(), target.c_str()) == 0;
  if (!good) {
    int error = errno;
    ::unlink(temporary.c_str());
    return systemError(error, "write", path);
  }
  syncFolder(folder);
  return {};
}

} // namespace sluice::rt
