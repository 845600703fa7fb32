// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ways through a program at once, one character of the text after the other.
#pragma once

#include "runtime/base/pieces.h"
#include "runtime/pattern/pattern_program.h"

#include <string_view>
#include <vector>

namespace sluice::rt {

class PatternRun {
public:
  // Only the first `marks` are kept.
  PatternRun(const PatternProgram &program, std::string_view text, size_t marks);

  // From `position` on: at it, unless `anywhere`. A match has to end where the text does if
  // `wholly`. CANCELLED once the call is to end.
  Result<bool> run(size_t position, bool anywhere, bool wholly);
  // Of the match that was found.
  const std::vector<size_t> &marks() const { return found_; }

private:
  // The steps that wait for the character at a position, the preferred ones first; of each step
  // one, with the marks of the way there.
  struct Threads {
    std::vector<uint32_t> steps;
    std::vector<size_t> marks;
    std::vector<uint32_t> turns; // for each step of the program, when it was entered last
  };
  struct Entry {
    uint32_t step;
    size_t mark, old; // a mark to be set back, if `mark` is one
  };

  void enter(Threads &threads, uint32_t step, size_t position);
  void advance(const Threads &from, Threads &to, Rune rune, size_t position, size_t next);
  bool holds(Place place, size_t position) const;
  bool isWordAt(size_t position) const;
  Rune runeAt(size_t position, size_t &next) const;

  const PatternProgram &program_;
  const std::string_view text_;
  const size_t numMarks_;
  uint32_t turn_ = 0;
  Threads now_, then_;
  std::vector<Entry> stack_;
  std::vector<size_t> marks_, found_;
  bool hasFound_ = false, wholly_ = false;
};

} // namespace sluice::rt
