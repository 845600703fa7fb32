// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of input files with limits.
#include "compiler/import/FileContent.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::import {

namespace {

class FileDescriptor {
public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() {
    if (number_ >= 0)
      ::close(number_);
  }
  FileDescriptor(const FileDescriptor &) = delete;
  FileDescriptor &operator=(const FileDescriptor &) = delete;
  int number() const { return number_; }

private:
  int number_;
};

std::string describeKind(mode_t mode) {
  if (S_ISDIR(mode))
    return "a directory";
  if (S_ISFIFO(mode))
    return "a pipe";
  return "a device";
}

std::string describeNotRegular(const std::string &path, mode_t mode) {
  std::string message = "expected a regular file but got " + describeKind(mode);
  struct stat inside;
  if (S_ISDIR(mode) && (::stat((path + "/saved_model.pb").c_str(), &inside) == 0 ||
                        ::stat((path + "/saved_model.pbtxt").c_str(), &inside) == 0))
    message += "; it holds a SavedModel, which sluicec reads";
  return message;
}

} // namespace

std::optional<std::string> readRegularFile(const std::string &path, const Limits &limits,
                                           LimitId sizeLimit, DiagnosticList &diagnostics) {
  auto fail = [&](ExitCode code, std::string message) {
    diagnostics.error(code, {path, "", ""}, std::move(message));
    return std::nullopt;
  };
  // Not blocking: opening a pipe that nobody writes to must not hang.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0)
    return fail(ExitCode::kInputOutput, std::string("cannot be opened: ") + std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return fail(ExitCode::kInputOutput, describeNotRegular(path, status.st_mode));
  uint64_t size = static_cast<uint64_t>(status.st_size);
  if (!limits.allows(sizeLimit, size))
    return fail(ExitCode::kBadGraph, limits.excess(sizeLimit, "bytes", size));
  std::string content(size, '\0');
  for (uint64_t done = 0; done < size;) {
    ssize_t got = ::read(file.number(), content.data() + done, size - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return fail(ExitCode::kInputOutput, std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0)
      return fail(ExitCode::kInputOutput, "the file became shorter while it was read: expected " +
                                              std::to_string(size) + " bytes but got " +
                                              std::to_string(done));
    done += static_cast<uint64_t>(got);
  }
  return content;
}

bool looksLikeText(std::string_view content) {
  // A binary node holds a tag of value 0x12 before its op, so control characters come soon
  // after the name of the first one.
  constexpr size_t kInspected = 1 << 16;
  for (unsigned char c : content.substr(0, kInspected))
    if ((c < 0x20 && !(c >= '\t' && c <= '\r')) || c == 0x7f)
      return false;
  return true;
}

} // namespace sluice::import
