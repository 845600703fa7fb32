// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises UTF-8: shortest forms only, no surrogates, nothing above U+10FFFF.
#include "runtime/io/utf8.h"

namespace sluice::rt {

size_t utf8Length(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0);
  size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length == 0 || first > 0xf4 || text.size() < length)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  bool surrogate = first == 0xed && byte(1) >= 0xa0;
  bool tooLarge = first == 0xf4 && byte(1) >= 0x90;
  return overlong || surrogate || tooLarge ? 0 : length;
}

} // namespace sluice::rt
