// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Philox 4x32-10: a random generator that maps (key, counter) to four 32-bit numbers, so any
// position of a stream is reached at once. Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", 2011.
#pragma once

#include <array>
#include <cstdint>

namespace sluice::rt {

class Philox {
public:
  using Numbers = std::array<uint32_t, 4>;

  // The second seed is the upper half of the counter, so streams of one key stay apart.
  Philox(uint64_t seed, uint64_t seed2, uint64_t position)
      : key_{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}, low_(position),
        high_(seed2) {}

  void skip(uint64_t groups) {
    low_ += groups;
    high_ += low_ < groups;
  }
  Numbers next() {
    Numbers counter = {static_cast<uint32_t>(low_), static_cast<uint32_t>(low_ >> 32),
                       static_cast<uint32_t>(high_), static_cast<uint32_t>(high_ >> 32)};
    if (++low_ == 0)
      ++high_;
    uint32_t key0 = key_[0], key1 = key_[1];
    for (int round = 0; round < 10; ++round) {
      uint64_t a = uint64_t{0xD2511F53} * counter[0], b = uint64_t{0xCD9E8D57} * counter[2];
      counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key0, static_cast<uint32_t>(b),
                 static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key1, static_cast<uint32_t>(a)};
      key0 += 0x9E3779B9;
      key1 += 0xBB67AE85;
    }
    return counter;
  }

private:
  std::array<uint32_t, 2> key_;
  uint64_t low_, high_;
};

} // namespace sluice::rt
