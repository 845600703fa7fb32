// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A regular expression as steps that a text is matched with.
#pragma once

#include "runtime/base/status.h"
#include "runtime/pattern/syntax_tree.h"

#include <vector>

namespace sluice::rt {

struct PatternStep {
  enum class Kind : uint8_t {
    kRune,  // goes on behind a character of the set number `other`
    kSplit, // goes on at `next`, or else at `other`
    kPlace, // goes on where the place number `other` is
    kMark,  // stores where the text is in mark number `other`
    kMatch,
  };
  Kind kind = Kind::kMatch;
  uint32_t next = 0, other = 0;
};

struct PatternProgram {
  std::vector<PatternStep> steps;
  std::vector<RuneSet> sets;
  uint32_t start = 0;
  uint32_t groups = 0; // besides the whole; group i has the marks 2i and 2i + 1
};

// INVALID_ARGUMENT if there would be too many steps.
Result<PatternProgram> compilePattern(SyntaxTree tree);

} // namespace sluice::rt
