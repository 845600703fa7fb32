// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handshake frames to and from bytes.
#include "runtime/transport/tcp/frame.h"

#include <bit>
#include <cstring>

namespace sluice::rt {

static_assert(std::endian::native == std::endian::little, "the wire is little endian");

FrameHead decodeHead(std::string_view bytes) {
  FrameHead head;
  head.ours = bytes.size() >= kFrameHeadBytes && bytes.starts_with(kMagic);
  if (!head.ours)
    return head;
  std::memcpy(&head.version, bytes.data() + 6, 2);
  head.kind = static_cast<FrameKind>(bytes[8]);
  head.zeros = bytes.substr(9, 3) == std::string_view("\0\0\0", 3);
  std::memcpy(&head.bytes, bytes.data() + 12, 4);
  return head;
}

std::string encodeFrame(FrameKind kind, std::string_view body) {
  std::string frame(kFrameHeadBytes, '\0');
  uint32_t bytes = static_cast<uint32_t>(body.size());
  std::memcpy(frame.data(), kMagic.data(), kMagic.size());
  std::memcpy(frame.data() + 6, &kProtocolVersion, 2);
  frame[8] = static_cast<char>(kind);
  std::memcpy(frame.data() + 12, &bytes, 4);
  return frame.append(body);
}

std::string encodeRefusal(const Refusal &refusal) {
  std::string body(1, static_cast<char>(refusal.code));
  body += std::string_view(refusal.text).substr(0, kMostBodyBytes - 1);
  return encodeFrame(FrameKind::kRefusal, body);
}

static char printableByte(char byte) { return byte >= ' ' && byte <= '~' ? byte : '?'; }

Refusal decodeRefusal(std::string_view body) {
  if (body.empty())
    return {};
  Refusal refusal{static_cast<RefusalCode>(body[0]), std::string(body.substr(1))};
  for (char &byte : refusal.text)
    byte = printableByte(byte);
  return refusal;
}

std::string printable(std::string_view bytes, size_t most) {
  std::string text;
  for (char byte : bytes.substr(0, most))
    if (printableByte(byte) == byte)
      text += byte;
    else
      text += format("\\x%02x", static_cast<unsigned char>(byte));
  return text;
}

} // namespace sluice::rt
