// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// White space around what strings say.
#pragma once

#include <string_view>

namespace sluice::rt {

inline constexpr std::string_view kWhiteSpace = " \t\n\v\f\r";

inline std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(kWhiteSpace);
  return first == text.npos ? std::string_view()
                            : text.substr(first, text.find_last_not_of(kWhiteSpace) - first + 1);
}

} // namespace sluice::rt
