// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positional reads: whatever happens to the file meanwhile, no page of it is gone under us.
#include "compiler/import/bundle/DataShard.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::import {

std::unique_ptr<DataShard> DataShard::open(const std::string &path, DiagnosticList &diagnostics) {
  auto fail = [&](std::string message) {
    diagnostics.error(ExitCode::kInputOutput, {path, "", ""}, std::move(message));
    return nullptr;
  };
  // Not blocking, as for every input: a pipe that nobody writes to must not hang.
  int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return fail(
        std::string("cannot be opened: ") + std::strerror(errno) +
        (errno == ENOENT ? "; the index of the checkpoint says that it has this file" : ""));
  struct stat status;
  bool isKnown = ::fstat(file, &status) == 0;
  if (isKnown && S_ISREG(status.st_mode))
    return std::unique_ptr<DataShard>(
        new DataShard(path, file, static_cast<uint64_t>(status.st_size)));
  ::close(file);
  return fail(isKnown ? "expected a regular file" : "cannot be read");
}

DataShard::~DataShard() { ::close(file_); }

bool DataShard::read(uint64_t offset, std::string &target, DiagnosticList &diagnostics) const {
  for (size_t done = 0; done < target.size();) {
    ssize_t got = ::pread(file_, target.data() + done, target.size() - done,
                          static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0) {
      diagnostics.error(ExitCode::kInputOutput, {path_, "", ""},
                        got < 0 ? std::string("cannot be read: ") + std::strerror(errno)
                                : "the file became shorter while it was read");
      return false;
    }
    done += static_cast<size_t>(got);
  }
  return true;
}

} // namespace sluice::import
