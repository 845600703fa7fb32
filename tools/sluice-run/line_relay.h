// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole lines from one stream of a rank to standard error, so that lines of ranks do not mix.
#pragma once

#include "tools/sluice-run/output_queue.h"

#include <string>
#include <string_view>

namespace sluice::run {

class LineRelay {
public:
  // Lines that are longer are broken.
  static constexpr size_t kLongestLine = size_t{1} << 16;

  LineRelay(int descriptor, std::string prefix, OutputQueue &out);
  LineRelay(LineRelay &&other) noexcept;
  LineRelay &operator=(LineRelay &&) = delete;
  ~LineRelay();

  // -1 after the end of the stream.
  int descriptor() const { return descriptor_; }
  // Takes what is there; never waits.
  void readSome();
  // Takes everything that is there, and gives out what has no end of line as well.
  void finish();
  // The last line that tells an error; else the last one at all.
  const std::string &lastError() const { return lastError_.empty() ? lastLine_ : lastError_; }

private:
  void take(std::string_view bytes);
  void giveOut(std::string_view line);
  void close();

  int descriptor_;
  std::string prefix_;
  OutputQueue &out_;
  std::string partial_;
  std::string lastLine_, lastError_;
};

} // namespace sluice::run
