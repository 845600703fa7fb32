// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The case of letters in UTF-8.
#pragma once

#include "runtime/base/status.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace sluice::rt {

// By the rules of Unicode that hold in no language in particular: a letter may become several, and
// a sigma at the end of a word has a form of its own. What is no UTF-8 becomes U+FFFD.
Status lowerUtf8(std::string_view text, std::string &to);
Status upperUtf8(std::string_view text, std::string &to);

namespace unicode {

// Every `step`th character from `first` to `last` becomes the one at a distance.
struct Run {
  uint32_t first, last, step;
  int32_t distance;
};
// A character that becomes several; 0 behind the last one.
struct Expansion {
  uint32_t from;
  uint32_t to[3];
};
struct Range {
  uint32_t first, last;
};

extern const Run kLowerRuns[], kUpperRuns[];
extern const Expansion kUpperExpansions[];
// Letters that have a case, and what between letters does not count, such as an apostrophe.
extern const Range kCased[], kIgnored[];
extern const size_t kLowerRunCount, kUpperRunCount, kUpperExpansionCount, kCasedCount,
    kIgnoredCount;

} // namespace unicode

} // namespace sluice::rt
