// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of key files.
#include "runtime/transport/tcp/key_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::rt {

static Result<std::string> readKey(const std::string &path, int file) {
  constexpr size_t kLeast = 16, kMost = 4096;
  struct stat info{};
  if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
    return invalidArgument("key file '" + path + "': expected a regular file");
  if (info.st_mode & (S_IRWXG | S_IRWXO))
    return Status(Code::kPermissionDenied, "key file '" + path +
                                               "' may be read by others than its owner; "
                                               "run chmod 600 on it");
  std::string key(kMost + 1, '\0');
  ssize_t size = ::read(file, key.data(), key.size());
  if (size < 0)
    return Status(Code::kUnavailable, "key file '" + path + "': " + std::strerror(errno));
  key.resize(static_cast<size_t>(size));
  if (key.size() < kLeast || key.size() > kMost)
    return invalidArgument("key file '" + path + "': expected 16 to 4096 bytes");
  return key;
}

Result<std::string> readKeyFile(const std::string &path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return Status(Code::kNotFound, "key file '" + path + "': " + std::strerror(errno));
  Result<std::string> key = readKey(path, file);
  ::close(file);
  return key;
}

} // namespace sluice::rt
