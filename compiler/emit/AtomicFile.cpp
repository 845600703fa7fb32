// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written to a temporary file in the folder of the output, then renamed.
#include "compiler/emit/AtomicFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>
#include <utility>

using namespace llvm;

namespace sluice::emit {

static std::string cannotWrite(StringRef output, const Twine &reason) {
  return ("cannot write '" + output + "': " + reason).str();
}

Expected<TemporaryFile> TemporaryFile::create(StringRef output, StringRef suffix) {
  SmallString<128> path;
  int fd;
  if (std::error_code error = sys::fs::createUniqueFile(output + ".%%%%%%%%" + suffix, fd, path,
                                                        sys::fs::OF_None, 0700))
    return createStringError(error, "%s", cannotWrite(output, error.message()).c_str());
  sys::RemoveFileOnSignal(path);
  return TemporaryFile(std::string(path), fd);
}

TemporaryFile::TemporaryFile(TemporaryFile &&other)
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {
  other.path_.clear();
}

TemporaryFile::~TemporaryFile() {
  close();
  if (path_.empty())
    return;
  sys::fs::remove(path_);
  sys::DontRemoveFileOnSignal(path_);
}

bool TemporaryFile::write(StringRef bytes) {
  raw_fd_ostream stream(fd_, /*shouldClose=*/false);
  stream << bytes;
  stream.flush();
  bool good = !stream.has_error();
  stream.clear_error();
  return good;
}

void TemporaryFile::close() {
  if (fd_ >= 0)
    ::close(std::exchange(fd_, -1));
}

FileFailure TemporaryFile::keepAs(StringRef output) {
  if (std::error_code error = sys::fs::rename(path_, output))
    return cannotWrite(output, error.message());
  sys::DontRemoveFileOnSignal(path_);
  path_.clear();
  return std::nullopt;
}

FileFailure checkReplaceable(StringRef output) {
  sys::fs::file_status status;
  if (!sys::fs::status(output, status) && sys::fs::exists(status) &&
      !sys::fs::is_regular_file(status))
    return cannotWrite(output, "it is no regular file");
  return std::nullopt;
}

FileFailure writeFileAtomically(StringRef bytes, StringRef output) {
  if (auto failure = checkReplaceable(output))
    return failure;
  auto file = TemporaryFile::create(output, ".tmp");
  if (!file)
    return toString(file.takeError());
  if (!file->write(bytes))
    return ("cannot write '" + output + "'").str();
  file->close();
  sys::fs::setPermissions(file->path(), static_cast<sys::fs::perms>(0644));
  return file->keepAs(output);
}

} // namespace sluice::emit
