// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of input files with limits, and recognition of formats that are no GraphDef.
#include "compiler/import/FileContent.h"

#include <algorithm>
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
  if (S_ISSOCK(mode))
    return "a socket";
  return "a device";
}

std::string describeNotRegular(const std::string &path, mode_t mode) {
  std::string message = "expected a regular file but got " + describeKind(mode);
  struct stat inside;
  if (S_ISDIR(mode) && (::stat((path + "/saved_model.pb").c_str(), &inside) == 0 ||
                        ::stat((path + "/saved_model.pbtxt").c_str(), &inside) == 0))
    message += "; it holds a SavedModel: give a GraphDef file instead";
  return message;
}

bool startsWith(std::string_view content, std::string_view prefix) {
  return content.substr(0, prefix.size()) == prefix;
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

std::string foreignFormat(std::string_view content) {
  if (startsWith(content, "\x1f\x8b"))
    return "a gzip archive: unpack it first";
  if (startsWith(content, "PK\x03\x04"))
    return "a zip archive: unpack it first";
  if (startsWith(content, "ML\xefR"))
    return "MLIR bytecode";
  if (startsWith(content, "\x7f"
                          "ELF"))
    return "an ELF file";
  if (startsWith(content, "\x89HDF"))
    return "an HDF5 file, such as a Keras model: export it as a GraphDef";
  if (startsWith(content, "\x93NUMPY"))
    return "a .npy array";
  if (content.size() > 8 && content.substr(4, 4) == "TFL3")
    return "a TensorFlow Lite model";
  std::string_view text =
      content.substr(std::min(content.find_first_not_of(" \t\r\n"), content.size()));
  if (startsWith(text, "{") || startsWith(text, "["))
    return "JSON";
  if (startsWith(text, "<"))
    return "XML or HTML";
  if (startsWith(text, "module") || startsWith(text, "flow.graph"))
    return "MLIR text: give it the extension .mlir";
  // Field 1 of a GraphDef is a node; of these two it is a version number.
  if (startsWith(content, "\x08\x01\x12"))
    return "a SavedModel: give its GraphDef instead";
  if (startsWith(content, "\x08") && content.size() > 2 && content[1] <= 0x20)
    return "an ONNX model";
  return "";
}

} // namespace sluice::import
