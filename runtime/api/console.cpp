// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ProcessConsole and LineReader.
#include "runtime/api/console.h"

#include "runtime/base/limits.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace sluice::rt {

namespace {
// 0 or the error number.
int writeDescriptor(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t n = ::write(descriptor, text.data(), std::min(text.size(), size_t{1} << 30));
    if (n >= 0) {
      text.remove_prefix(static_cast<size_t>(n));
    } else if (errno == EAGAIN) { // somebody who shares the stream does not want to wait; we do
      pollfd entry{descriptor, POLLOUT, 0};
      (void)::poll(&entry, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}
} // namespace

ProcessConsole::ProcessConsole() {
  for (int descriptor = 0; descriptor < 3; ++descriptor)
    // The lowest free number is this one. Writing to a read-only descriptor fails and vice versa.
    if (::fcntl(descriptor, F_GETFD) == -1)
      (void)!::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

Result<size_t> ProcessConsole::Input::read(char *data, size_t size) {
  return readDescriptor(0, data, size, "standard input");
}

bool ProcessConsole::Input::awaitReadable(int milliseconds) {
  pollfd entry{0, POLLIN, 0};
  int ready = ::poll(&entry, 1, milliseconds);
  return ready > 0 || (ready < 0 && errno != EINTR); // an error is for `read` to find
}

Status ProcessConsole::write(std::string_view text) {
  if (int error = writeDescriptor(1, text))
    return systemError(error, "write", "standard output");
  return {};
}

void ProcessConsole::writeError(std::string_view text) { (void)writeDescriptor(2, text); }

Result<bool> LineReader::next(std::string &line) {
  constexpr size_t kBlock = 65536;
  size_t searched = at_;
  for (;;) {
    size_t newline = pending_.find('\n', searched);
    if (std::min(newline, pending_.size()) - at_ > longest_)
      return Status(Code::kOutOfRange, "expected lines of at most " + std::to_string(longest_) +
                                           " bytes on input" + seeLimit(Limit::kRequestBytes));
    if (newline != std::string::npos) {
      line.assign(pending_, at_, newline - at_);
      at_ = newline + 1;
      return true;
    }
    if (ended_) {
      line.assign(pending_, at_);
      at_ = pending_.size();
      return !line.empty();
    }
    pending_.erase(0, at_);
    at_ = 0;
    searched = pending_.size();
    pending_.resize(searched + kBlock);
    Result<size_t> n = source_.read(pending_.data() + searched, kBlock);
    pending_.resize(searched + (n.ok() ? *n : 0));
    if (!n.ok())
      return n.status();
    ended_ = *n == 0;
  }
}

} // namespace sluice::rt
