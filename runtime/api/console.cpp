// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ProcessConsole and LineReader.
#include "runtime/api/console.h"

#include "runtime/base/limits.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
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

namespace {
constexpr size_t kBlock = 131072;
// Where the system copies fastest to.
constexpr size_t kAlignment = 64;
} // namespace

void LineReader::makeRoom() {
  size_t size = end_ - at_, begin = (0 - size) % kAlignment;
  bool isLong = size > kBlock;
  if (room_ - end_ >= kBlock && isLong)
    return;
  if (room_ < begin + size + kBlock) {
    room_ = std::max(2 * room_, 4 * kBlock);
    auto *larger = static_cast<char *>(::operator new(room_, std::align_val_t(kAlignment)));
    if (size)
      std::memcpy(larger + begin, text_.get() + at_, size);
    text_.reset(larger);
  } else if (size) {
    std::memmove(text_.get() + begin, text_.get() + at_, size);
  }
  at_ = begin;
  end_ = begin + size;
}

void LineReader::Release::operator()(char *text) const {
  ::operator delete(text, std::align_val_t(kAlignment));
}

Result<bool> LineReader::next(std::string_view &line) {
  size_t searched = at_;
  for (;;) {
    const char *text = text_.get();
    const void *found =
        searched < end_ ? std::memchr(text + searched, '\n', end_ - searched) : nullptr;
    size_t newline = found ? static_cast<size_t>(static_cast<const char *>(found) - text) : end_;
    if (newline - at_ > longest_)
      return Status(Code::kOutOfRange, "expected lines of at most " + std::to_string(longest_) +
                                           " bytes on input" + seeLimit(Limit::kRequestBytes));
    if (found || ended_) {
      line = {text + at_, newline - at_};
      at_ = newline + (found != nullptr);
      return found || !line.empty();
    }
    size_t before = end_ - at_;
    makeRoom();
    searched = at_ + before;
    Result<size_t> n = source_.read(text_.get() + end_, kBlock);
    if (!n.ok())
      return n.status();
    end_ += *n;
    ended_ = *n == 0;
  }
}

} // namespace sluice::rt
