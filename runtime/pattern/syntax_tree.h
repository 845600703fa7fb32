// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the text of a regular expression says.
#pragma once

#include "runtime/base/status.h"
#include "runtime/pattern/rune_set.h"

#include <string_view>
#include <vector>

namespace sluice::rt {

// What holds, or does not, between two characters.
enum class Place : uint8_t { kTextBegin, kTextEnd, kLineBegin, kLineEnd, kWordEdge, kNoWordEdge };

struct SyntaxNode {
  enum class Kind : uint8_t {
    kSequence,    // of the children; empty: nothing
    kAlternative, // the first child that leads to a match
    kRune,        // a character of `set`
    kPlace,
    kGroup,  // the child, number `group`
    kRepeat, // the child, `least` to `most` times; as often as possible unless `lazy`
  };
  static constexpr int kUnbounded = -1;

  Kind kind = Kind::kSequence;
  std::vector<uint32_t> children = {};
  RuneSet set = {};
  Place place = Place::kTextBegin;
  uint32_t group = 0;
  int least = 0, most = 0;
  bool lazy = false;
  // Of what follows from the children: it may match no character; how often the innermost
  // repetition is repeated, at most.
  bool mayBeEmpty = true;
  int repeats = 1;
};

struct SyntaxTree {
  std::vector<SyntaxNode> nodes; // children before those that have them
  uint32_t root = 0;
  uint32_t groups = 0; // besides the whole
};

// INVALID_ARGUMENT if the text is no regular expression, UNIMPLEMENTED if it has a part that this
// matcher does not know.
Result<SyntaxTree> parsePattern(std::string_view text);

} // namespace sluice::rt
