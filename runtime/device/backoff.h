// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread does between two looks at something that ends soon, or later.
#pragma once

#include "runtime/base/pause.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace sluice::rt {

class Backoff {
public:
  // At first for nanoseconds, in the end for half a millisecond.
  void pause() {
    ++looks_;
    if (looks_ < kSpins)
      return pauseSpinning();
    if (looks_ < kYields)
      return std::this_thread::yield();
    std::this_thread::sleep_for(time());
  }
  std::chrono::microseconds time() const {
    return std::chrono::microseconds(
        looks_ < kYields ? 0 : std::min(500u, 10u << std::min(6u, (looks_ - kYields) / 8)));
  }
  // For those who have paused by themselves for that time.
  void lengthen() { ++looks_; }
  void restart() { looks_ = 0; }

private:
  static constexpr unsigned kSpins = 200, kYields = 300;
  unsigned looks_ = 0;
};

} // namespace sluice::rt
