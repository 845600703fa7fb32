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

Expected<TemporaryFile> TemporaryFile::create(StringRef output, StringRef suffix, unsigned mode) {
  SmallString<128> path;
  int fd;
  if (std::error_code error = sys::fs::createUniqueFile(output + ".%%%%%%%%" + suffix, fd, path,
                                                        sys::fs::OF_None, mode))
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

bool TemporaryFile::close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

// Gives a file the permissions of the one that it will replace. If it is executable, those who may
// read may execute it.
static std::error_code takeOverPermissions(StringRef file, StringRef replaced) {
  sys::fs::file_status made, old;
  if (sys::fs::status(replaced, old))
    return {}; // nothing is replaced
  if (std::error_code error = sys::fs::status(file, made))
    return error;
  unsigned kept = old.permissions() & sys::fs::all_all;
  unsigned executing = made.permissions() & sys::fs::all_exe & ((kept & sys::fs::all_read) >> 2);
  return sys::fs::setPermissions(file, static_cast<sys::fs::perms>(kept | executing));
}

FileFailure TemporaryFile::keepAs(StringRef output) {
  std::error_code error = takeOverPermissions(path_, output);
  if (!error)
    error = sys::fs::rename(path_, output);
  if (error)
    return cannotWrite(output, error.message());
  sys::DontRemoveFileOnSignal(path_);
  path_.clear();
  return std::nullopt;
}

std::string fileBehind(StringRef output) {
  sys::fs::file_status status;
  SmallString<256> target;
  bool isLink = !sys::fs::status(output, status, /*follow=*/false) &&
                status.type() == sys::fs::file_type::symlink_file;
  return isLink && !sys::fs::real_path(output, target) ? std::string(target) : output.str();
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
  std::string target = fileBehind(output);
  auto file = TemporaryFile::create(target, ".tmp", 0666);
  if (!file)
    return toString(file.takeError());
  if (!file->write(bytes) || !file->close())
    return ("cannot write '" + output + "'").str();
  return file->keepAs(target);
}

} // namespace sluice::emit
