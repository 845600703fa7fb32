// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and texts as bytes and back, and bytes that end too early.
#include "runtime/base/byte_stream.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

TEST(ByteStream, ComesBack) {
  ByteWriter out;
  out.number(uint8_t{0xfe});
  out.text<uint16_t>("ab");
  out.align(8);
  out.number(int64_t{-2});
  out.number(0.5);
  out.raw("xyz");
  EXPECT_EQ(out.size(), 27u);
  EXPECT_EQ(out.bytes().substr(0, 8), std::string("\xfe\2\0ab\0\0\0", 8));
  ByteReader in(out.bytes());
  EXPECT_EQ(in.number<uint8_t>(), 0xfe);
  EXPECT_EQ(in.text<uint16_t>(), "ab");
  in.align(8);
  EXPECT_EQ(in.number<int64_t>(), -2);
  EXPECT_EQ(in.number<double>(), 0.5);
  EXPECT_FALSE(in.atEnd());
  EXPECT_EQ(in.raw(3), "xyz");
  EXPECT_TRUE(in.atEnd());
  EXPECT_FALSE(in.failed());
}

TEST(ByteStream, ThatIsCutYieldsNothingMore) {
  for (std::string_view bytes : {std::string_view("\5\0\0\0abcd", 8), std::string_view("\1\0", 2),
                                 std::string_view("\xff\xff\xff\xff", 4)}) {
    ByteReader in(bytes);
    EXPECT_EQ(in.text<uint32_t>(), "");
    EXPECT_TRUE(in.failed());
    EXPECT_TRUE(in.atEnd());
    EXPECT_EQ(in.number<uint8_t>(), 0);
    EXPECT_EQ(in.raw(0), "");
  }
  std::string three("abc");
  ByteReader in(three);
  EXPECT_EQ(in.raw(1), "a");
  in.align(4); // beyond the end
  EXPECT_TRUE(in.failed());
}

} // namespace
} // namespace sluice::rt
