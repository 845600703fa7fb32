// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ProcessConsole.
#include "runtime/api/console.h"

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

} // namespace sluice::rt
