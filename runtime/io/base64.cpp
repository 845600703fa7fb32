// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Base64: what vectors leave goes by table, in both directions.
#include "runtime/io/base64.h"

#include "runtime/io/base64_vectors.h"

#include <array>
#include <cstdint>

namespace sluice::rt {

namespace {
constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kBad = 0xff;
constexpr std::array<uint8_t, 256> kValues = [] {
  std::array<uint8_t, 256> values{};
  for (auto &v : values)
    v = kBad;
  for (uint8_t i = 0; i < 64; ++i)
    values[static_cast<unsigned char>(kAlphabet[i])] = i;
  return values;
}();

size_t paddingOf(std::string_view text) {
  if (text.empty() || text.back() != '=')
    return 0;
  return text[text.size() - 2] == '=' ? 2 : 1;
}
} // namespace

void appendBase64(std::span<const unsigned char> bytes, std::string &out) {
  size_t start = out.size();
  out.resize(start + (bytes.size() + 2) / 3 * 4);
  char *to = out.data() + start;
  size_t i = encodeVectors(bytes.data(), bytes.size(), to);
  to += i / 3 * 4;
  for (; i + 3 <= bytes.size(); i += 3) {
    uint32_t group = uint32_t{bytes[i]} << 16 | uint32_t{bytes[i + 1]} << 8 | bytes[i + 2];
    for (int shift = 18; shift >= 0; shift -= 6)
      *to++ = kAlphabet[group >> shift & 63];
  }
  size_t rest = bytes.size() - i;
  if (rest == 0)
    return;
  uint32_t group = uint32_t{bytes[i]} << 16 | (rest == 2 ? uint32_t{bytes[i + 1]} << 8 : 0);
  *to++ = kAlphabet[group >> 18 & 63];
  *to++ = kAlphabet[group >> 12 & 63];
  *to++ = rest == 2 ? kAlphabet[group >> 6 & 63] : '=';
  *to++ = '=';
}

std::optional<size_t> base64DecodedSize(std::string_view text) {
  if (text.size() % 4 != 0)
    return std::nullopt;
  return text.size() / 4 * 3 - paddingOf(text);
}

bool decodeBase64(std::string_view text, unsigned char *out) {
  size_t padding = paddingOf(text);
  size_t digits = text.size() - padding;
  uint32_t group = 0, seen = 0;
  size_t start = decodeVectors(text.data(), digits / 4 * 4, out).characters;
  out += start / 4 * 3;
  for (size_t i = start; i < digits; ++i) {
    seen |= kValues[static_cast<unsigned char>(text[i])];
    group = group << 6 | (kValues[static_cast<unsigned char>(text[i])] & 63u);
    if (i % 4 == 3) {
      *out++ = static_cast<unsigned char>(group >> 16);
      *out++ = static_cast<unsigned char>(group >> 8);
      *out++ = static_cast<unsigned char>(group);
      group = 0;
    }
  }
  if (seen & 0x80)
    return false;
  if (padding == 1) {
    *out++ = static_cast<unsigned char>(group >> 10);
    *out++ = static_cast<unsigned char>(group >> 2);
    return (group & 3) == 0;
  }
  if (padding == 2) {
    *out++ = static_cast<unsigned char>(group >> 4);
    return (group & 15) == 0;
  }
  return true;
}

} // namespace sluice::rt
