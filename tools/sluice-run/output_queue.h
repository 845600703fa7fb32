// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text on its way to a descriptor: standard error while ranks run. A reader that does not read must
// not keep signals from being forwarded, so nothing waits but `finish`, for after that.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace sluice::run {

class OutputQueue {
public:
  explicit OutputQueue(int descriptor) : descriptor_(descriptor) {}

  int descriptor() const { return descriptor_; }
  void add(std::string_view text);
  bool empty() const { return at_ == text_.size(); }
  // Whether those who add should wait.
  bool full() const { return text_.size() - at_ >= kEnough; }
  // Writes a piece. Only when poll says that the descriptor takes something.
  void writeSome();
  // Writes everything, or what is taken within the time.
  void finish(std::chrono::milliseconds limit);
  // What has kept text from being written, as errno says it, or 0.
  int error() const { return error_; }

private:
  static constexpr size_t kEnough = size_t{1} << 20;
  int descriptor_;
  std::string text_;
  size_t at_ = 0; // what is before it has been written
  int error_ = 0;
};

} // namespace sluice::run
