// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handshake frames to and from bytes.
#include "runtime/transport/tcp/frame.h"

#include "runtime/base/byte_stream.h"

namespace sluice::rt {

static constexpr std::string_view kZeros("\0\0\0", 3);

FrameHead decodeHead(std::string_view bytes) {
  FrameHead head;
  ByteReader in(bytes);
  head.ours = bytes.size() >= kFrameHeadBytes && in.raw(kMagic.size()) == kMagic;
  if (!head.ours)
    return head;
  head.version = in.number<uint16_t>();
  head.kind = static_cast<FrameKind>(in.number<uint8_t>());
  head.zeros = in.raw(kZeros.size()) == kZeros;
  head.bytes = in.number<uint32_t>();
  return head;
}

std::string encodeFrame(FrameKind kind, std::string_view body) {
  ByteWriter out;
  out.raw(kMagic);
  out.number(kProtocolVersion);
  out.number(static_cast<uint8_t>(kind));
  out.raw(kZeros);
  out.text<uint32_t>(body);
  return out.take();
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
