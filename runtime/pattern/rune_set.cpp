// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of characters.
#include "runtime/pattern/rune_set.h"

#include <algorithm>

namespace sluice::rt {

// Beyond ASCII, which also have an upper or a lower case within it.
constexpr Rune kKelvin = 0x212a, kLongS = 0x17f;

void RuneSet::addOtherCases() {
  constexpr Rune kCase = 'a' - 'A';
  const std::vector<std::pair<Rune, Rune>> given = ranges_;
  auto addShared = [&](Rune from, Rune to, Rune first, Rune last, bool up) {
    first = std::max(first, from);
    last = std::min(last, to);
    if (first <= last)
      add(up ? first - kCase : first + kCase, up ? last - kCase : last + kCase);
  };
  for (auto [first, last] : given) {
    addShared('a', 'z', first, last, true);
    addShared('A', 'Z', first, last, false);
    for (auto [letter, other] : {std::pair<Rune, Rune>('k', kKelvin), {'s', kLongS}})
      if ((first <= letter && letter <= last) ||
          (first <= letter - kCase && letter - kCase <= last))
        add(other, other);
  }
}

void RuneSet::normalize() {
  std::ranges::sort(ranges_);
  size_t used = 0;
  for (auto [first, last] : ranges_)
    if (used > 0 && first <= ranges_[used - 1].second + 1)
      ranges_[used - 1].second = std::max(ranges_[used - 1].second, last);
    else
      ranges_[used++] = {first, last};
  ranges_.resize(used);
}

RuneSet RuneSet::complement() const {
  RuneSet sorted = *this, result;
  sorted.normalize();
  Rune next = 0;
  for (auto [first, last] : sorted.ranges_) {
    if (first > next)
      result.add(next, first - 1);
    next = last + 1;
  }
  if (next <= kLastRune)
    result.add(next, kLastRune);
  return result;
}

bool RuneSet::has(Rune rune) const {
  auto after = std::ranges::upper_bound(ranges_, rune, {}, &std::pair<Rune, Rune>::first);
  return after != ranges_.begin() && rune <= std::prev(after)->second;
}

bool RuneSet::isAscii() const {
  return std::ranges::all_of(ranges_, [](const auto &range) { return range.second < 0x80; });
}

} // namespace sluice::rt
