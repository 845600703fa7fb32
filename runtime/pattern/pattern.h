// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular expressions with the syntax and the meaning of RE2 (docs/rationale/patterns.md). The time
// of a match is at most proportional to the length of the text times that of the pattern.
#pragma once

#include "runtime/base/status.h"
#include "runtime/pattern/pattern_program.h"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

class Pattern {
public:
  // INVALID_ARGUMENT if the text is none, UNIMPLEMENTED for parts that are not supported.
  static Result<Pattern> parse(std::string_view text);

  // What follows may take long, and ends with CANCELLED once the call is to end.

  // Whether the pattern matches all of the text.
  Result<bool> matchesAll(std::string_view text) const;
  // The text with a replacement for the first match or for all of them. In `rewrite`, "\1" stands
  // for what group 1 has matched, "\0" for the match, "\\" for a backslash.
  Result<std::string> replace(std::string_view text, std::string_view rewrite, bool every) const;

private:
  // Where the groups of the leftmost match from a position on begin and end.
  using Marks = std::vector<size_t>;
  static constexpr size_t kNowhere = std::string_view::npos;

  explicit Pattern(PatternProgram program) : program_(std::move(program)) {}
  // Empty if there is none.
  Result<Marks> find(std::string_view text, size_t from, size_t marks) const;

  PatternProgram program_;
};

} // namespace sluice::rt
