// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of characters of Unicode.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace sluice::rt {

using Rune = char32_t;
constexpr Rune kLastRune = 0x10ffff;
constexpr Rune kNoRune = 0xffffffff; // what a byte is that begins no character

class RuneSet {
public:
  void add(Rune first, Rune last) { ranges_.emplace_back(first, last); }
  void add(const RuneSet &other) {
    ranges_.insert(ranges_.end(), other.ranges_.begin(), other.ranges_.end());
  }
  // With each letter of ASCII that is in the set, its other case, and what Unicode counts to it.
  void addOtherCases();
  // All that are not in it.
  RuneSet complement() const;
  // Sorted, none of them touching another. Before `has`.
  void normalize();
  bool has(Rune rune) const;
  // No range has anything beyond ASCII.
  bool isAscii() const;

private:
  std::vector<std::pair<Rune, Rune>> ranges_;
};

} // namespace sluice::rt
