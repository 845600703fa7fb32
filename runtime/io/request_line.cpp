// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RequestLine.
#include "runtime/io/request_line.h"

#include "runtime/io/base64.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

bool DecodedText::resize(size_t room) {
  Buffer *other = Buffer::allocate(room);
  if (!other)
    return false;
  std::memcpy(other->data(), data(), bytes);
  buffer = Ref<Buffer>::adopt(other);
  return true;
}

const DecodedText *RequestLine::take(const char *place) {
  for (DecodedText &part : decoded)
    if (text.data() + part.at == place) {
      part.isTaken = true;
      return &part;
    }
  return nullptr;
}

bool RequestLine::allTaken() const {
  return std::all_of(decoded.begin(), decoded.end(), [](auto &part) { return part.isTaken; });
}

size_t RequestLine::bytesWithoutF32Denormals(const Buffer *buffer) const {
  for (const DecodedText &part : decoded)
    if (part.buffer.get() == buffer && !part.hasDenormals)
      return part.bytes;
  return 0;
}

// Groups of four characters and three bytes stand for each other, so nothing was lost.
std::string RequestLine::whole() const {
  std::string out;
  size_t at = 0;
  for (const DecodedText &part : decoded) {
    out += text.substr(at, part.at - at);
    appendBase64({part.data(), part.bytes}, out);
    at = part.at;
  }
  return out += text.substr(at);
}

} // namespace sluice::rt
