// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing without waiting, although the descriptor, which others share, stays a blocking one.
#include "tools/sluice-run/output_queue.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <unistd.h>

namespace sluice::run {

void OutputQueue::add(std::string_view text) {
  text_.erase(0, at_);
  at_ = 0;
  text_ += text;
}

void OutputQueue::writeSome() {
  // A pipe that is ready takes this much at once.
  size_t size = std::min<size_t>(text_.size() - at_, PIPE_BUF);
  ssize_t written = ::write(descriptor_, text_.data() + at_, size);
  if (written >= 0)
    at_ += static_cast<size_t>(written);
  else if (errno != EINTR && errno != EAGAIN) {
    error_ = errno;
    at_ = text_.size(); // nobody is left to read it
  }
}

void OutputQueue::finish(std::chrono::milliseconds limit) {
  auto end = std::chrono::steady_clock::now() + limit;
  while (!empty()) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd waiting{descriptor_, POLLOUT, 0};
    if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) == 0)
      return;
    if (waiting.revents)
      writeSome();
  }
}

} // namespace sluice::run
