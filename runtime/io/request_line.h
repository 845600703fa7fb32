// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line from which long base64 texts were taken out and decoded while it came, so that nothing
// goes over them again.
#pragma once

#include "runtime/memory/buffer.h"
#include "runtime/memory/object.h"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

// Whole groups of four characters, which begin behind a quote.
struct DecodedText {
  size_t at = 0; // in the line, without what was taken out before
  size_t bytes = 0;
  Ref<Buffer> buffer;        // may have more room
  bool hasDenormals = false; // if the bytes are taken as f32
  bool isTaken = false;

  unsigned char *data() const { return static_cast<unsigned char *>(buffer->data()); }
  // False when memory is exhausted.
  bool resize(size_t room);
};

struct RequestLine {
  std::string_view text; // without its newline
  std::vector<DecodedText> decoded;

  // What stood there; null for nothing. Its characters have then been read as well.
  const DecodedText *take(const char *place);
  bool allTaken() const;
  // How many of the first bytes of a tensor that may have taken over what was decoded.
  size_t bytesWithoutF32Denormals(const Buffer *buffer) const;
  // The line as it came.
  std::string whole() const;
};

} // namespace sluice::rt
