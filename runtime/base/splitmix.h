// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SplitMix64: random numbers that are the same on every machine. Not one of the standard library's
// generators, whose distributions differ between libraries.
#pragma once

#include <cstdint>

namespace sluice::rt {

class SplitMix64 {
public:
  explicit SplitMix64(uint64_t seed = 0) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // A number below `bound`, at most 2^32; all equally likely up to a part in 2^32.
  uint64_t below(uint64_t bound) { return (next() >> 32) * bound >> 32; }

private:
  uint64_t state_;
};

} // namespace sluice::rt
