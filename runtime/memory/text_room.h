// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Room for strings. Their memory comes of operator new, which can only end the process where it
// finds none, so who is about to make a long one asks before.
#pragma once

#include <cstddef>

namespace sluice::rt {

// Whether so much may be had just now: of what the process may hold, of the budget that the calling
// thread works for, and of the system.
[[nodiscard]] bool longTextHasRoom(size_t bytes);

constexpr size_t kLongText = 65536;
[[nodiscard]] inline bool textHasRoom(size_t bytes) {
  return bytes < kLongText || longTextHasRoom(bytes);
}

} // namespace sluice::rt
