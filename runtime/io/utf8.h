// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace sluice::rt {

// Length of the valid sequence at the front of a text that is not empty; 0 if there is none.
size_t utf8Length(std::string_view text);

} // namespace sluice::rt
