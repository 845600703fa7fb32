// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Check sums that other programs find, too.
#include "runtime/base/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice::rt {
namespace {

// From RFC 3720, B.4.
TEST(Crc32c, IsThatOfOthers) {
  EXPECT_EQ(crc32c("", 0), 0u);
  EXPECT_EQ(crc32c("123456789", 0), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0'), 0), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff'), 0), 0x62a8ab43u);
}

TEST(Crc32c, GoesOnWhereItWas) {
  const std::string text = "The bytes of a file come in pieces of whatever length.";
  for (size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(crc32c(text.substr(cut), crc32c(text.substr(0, cut), 0)), crc32c(text, 0)) << cut;
}

// Bit by bit, as the polynomial says.
uint32_t slowly(std::string_view bytes) {
  uint32_t state = ~0u;
  for (char c : bytes) {
    state ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit)
      state = state & 1 ? state >> 1 ^ 0x82f63b78 : state >> 1;
  }
  return ~state;
}

TEST(Crc32c, OfLongTextsIsTheSame) {
  std::string text;
  for (uint32_t i = 0, x = 1; i < 20'000; ++i, x = x * 1664525 + 1013904223)
    text += static_cast<char>(x >> 24);
  for (size_t size : {3071, 3072, 3073, 3080, 6143, 6144, 9217, 20'000})
    for (size_t begin : {0, 1, 7})
      EXPECT_EQ(crc32c(std::string_view(text).substr(begin, size)),
                slowly(std::string_view(text).substr(begin, size)))
          << size << " bytes from " << begin;
}

} // namespace
} // namespace sluice::rt
