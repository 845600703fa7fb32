// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts are cut where there is no room, between characters of UTF-8.
#include "runtime/embed/error.h"

#include <cstring>

namespace sluice::rt {

template <size_t room> static void copyText(const std::string &text, char (&to)[room]) {
  size_t size = std::min(text.size(), room - 1);
  if (size < text.size())
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80)
      --size;
  std::memcpy(to, text.data(), size);
  to[size] = 0;
}

sluice_code tell(const Status &status, sluice_error *error) {
  const auto code = static_cast<sluice_code>(status.code());
  if (code == SLUICE_OK || !error)
    return code;
  error->code = code;
  copyText(status.node(), error->node);
  copyText(status.message(), error->message);
  return code;
}

} // namespace sluice::rt
