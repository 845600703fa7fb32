// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splitting into lines.
#include "tools/sluice-run/line_relay.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>
#include <utility>

namespace sluice::run {

LineRelay::LineRelay(int descriptor, std::string prefix, OutputQueue &out)
    : descriptor_(descriptor), prefix_(std::move(prefix)), out_(out) {}

LineRelay::LineRelay(LineRelay &&other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), prefix_(std::move(other.prefix_)),
      out_(other.out_), partial_(std::move(other.partial_)), lastLine_(std::move(other.lastLine_)),
      lastError_(std::move(other.lastError_)) {}

LineRelay::~LineRelay() { close(); }

void LineRelay::close() {
  if (descriptor_ >= 0)
    ::close(std::exchange(descriptor_, -1));
}

void LineRelay::readSome() {
  char block[4096];
  ssize_t count = ::read(descriptor_, block, sizeof block);
  if (count > 0)
    take({block, static_cast<size_t>(count)});
  else if (count == 0 || (errno != EAGAIN && errno != EINTR))
    finish();
}

void LineRelay::finish() {
  char block[4096];
  ssize_t count;
  // Something that the rank has started may write for ever.
  size_t most = size_t{1} << 24;
  while (descriptor_ >= 0 && most > 0 && (count = ::read(descriptor_, block, sizeof block)) > 0) {
    take({block, static_cast<size_t>(count)});
    most -= std::min(most, static_cast<size_t>(count));
  }
  if (!partial_.empty())
    giveOut(std::exchange(partial_, {}));
  close();
}

void LineRelay::take(std::string_view bytes) {
  while (!bytes.empty()) {
    if (partial_.size() == kLongestLine && bytes[0] != '\n')
      giveOut(std::exchange(partial_, {}));
    size_t taken = std::min({bytes.find('\n'), kLongestLine - partial_.size(), bytes.size()});
    partial_ += bytes.substr(0, taken);
    bytes.remove_prefix(taken);
    if (bytes.starts_with('\n')) {
      giveOut(std::exchange(partial_, {}));
      bytes.remove_prefix(1);
    }
  }
}

void LineRelay::giveOut(std::string_view line) {
  out_.add(prefix_);
  out_.add(line);
  out_.add("\n");
  constexpr size_t kLongestQuote = 1000;
  std::string quote(line.substr(0, kLongestQuote));
  bool isError = line.find("error:") != line.npos || line.find("\"error\"") != line.npos;
  (isError ? lastError_ : lastLine_) = std::move(quote);
}

} // namespace sluice::run
