// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels on strings share: what they cost, and how they store what they make.
#pragma once

#include "runtime/kernels/kernel.h"
#include "runtime/memory/text_room.h"

namespace sluice::rt {

// Of kernels that look at each byte of their first operand.
inline uint64_t workOfTexts(const KernelCall &call) {
  constexpr uint64_t kWorkOfByte = 4, kWorkOfText = 32;
  uint64_t work = 0;
  for (const std::string &text : call.input(0).values<std::string>())
    work += text.size() * kWorkOfByte + kWorkOfText;
  return work;
}

inline Status noRoomForText(size_t size) {
  return resourceExhausted("not enough memory for a string of " + std::to_string(size) + " bytes");
}

inline Status storeText(std::string_view text, std::string &to) {
  if (!textHasRoom(text.size()))
    return noRoomForText(text.size());
  to.assign(text);
  return okStatus();
}

} // namespace sluice::rt
