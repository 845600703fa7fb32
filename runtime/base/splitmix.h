// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SplitMix64: random numbers that are the same on every machine. Not one of the standard library's
// generators, whose distributions differ between libraries.
#pragma once

#include <cstdint>

namespace sluice::rt {

// Every bit reaches every bit; one-to-one, and 0 stays 0.
inline uint64_t mixBits(uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

class SplitMix64 {
public:
  explicit SplitMix64(uint64_t seed = 0) : state_(seed) {}

  static constexpr uint64_t kStep = 0x9e3779b97f4a7c15;
  uint64_t next() { return mixBits(state_ += kStep); }
  // A number below `bound`, at most 2^32; all equally likely up to a part in 2^32.
  uint64_t below(uint64_t bound) { return (next() >> 32) * bound >> 32; }

private:
  uint64_t state_;
};

} // namespace sluice::rt
