// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether it pays to ask sockets over and over before blocking. It does while peers answer
// meanwhile. On a busy machine a peer may need the very processor that we hold to answer: then it
// does not answer, and we pause, twice as long each time.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sluice::rt {

class SpinPolicy {
public:
  // `spinNs` is for how long, 0 for never.
  explicit SpinPolicy(uint64_t spinNs) : spinNs_(spinNs) {}

  uint64_t spinNs(uint64_t now) const { return now < again_ ? 0 : spinNs_; }
  void note(bool answered, uint64_t now) {
    pause_ = answered ? pause_ / 2 : std::clamp(2 * pause_, kShortestPauseNs, kLongestPauseNs);
    again_ = now + pause_;
  }

private:
  static constexpr uint64_t kShortestPauseNs = 100'000;
  static constexpr uint64_t kLongestPauseNs = 20'000'000; // 50 us of it cost next to nothing

  const uint64_t spinNs_;
  uint64_t pause_ = 0, again_ = 0;
};

} // namespace sluice::rt
