// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer that cannot grow keeps what it has, and what it has counts as held.
#include "runtime/transport/tcp/byte_buffer.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string_view>

namespace sluice::rt {
namespace {

TEST(ByteBuffer, KeepsWhatItHasWithoutMemory) {
  ByteBuffer buffer;
  std::memcpy(buffer.extend(4), "word", 4);
  // More than the address space: the system refuses, whatever it has.
  EXPECT_FALSE(buffer.reserve(PTRDIFF_MAX));
  EXPECT_EQ(buffer.extend(PTRDIFF_MAX / 2), nullptr);
  EXPECT_EQ(std::string_view(buffer.data(), buffer.size()), "word");
  EXPECT_TRUE(buffer.reserve(100));
  EXPECT_EQ(std::string_view(buffer.data(), buffer.size()), "word");
}

TEST(ByteBuffer, CountsAsHeldMemory) {
  constexpr size_t kLarge = 40 << 20; // is not kept
  const uint64_t before = heldMemory();
  {
    ByteBuffer buffer;
    EXPECT_TRUE(buffer.reserve(1000));
    EXPECT_EQ(heldMemory(), before + 1000);
    EXPECT_NE(buffer.extend(kLarge), nullptr);
    EXPECT_EQ(heldMemory(), before + 2 * kLarge);
    ByteBuffer other = std::move(buffer);
    other.clear();
    EXPECT_EQ(heldMemory(), before);
    EXPECT_NE(other.extend(10), nullptr);
    other.clear();
    EXPECT_EQ(heldMemory(), before + 20);
  }
  EXPECT_EQ(heldMemory(), before);
}

TEST(ByteBuffer, GrowsLessNearTheLimit) {
  limitHeldMemory(1); // what is free goes back
  limitHeldMemory(heldMemory() + 1500);
  ByteBuffer buffer;
  EXPECT_NE(buffer.extend(1000), nullptr); // not room for twice as many
  std::memset(buffer.data(), 1, 1000);
  EXPECT_EQ(buffer.extend(600), nullptr);
  EXPECT_EQ(buffer.size(), 1000u);
  EXPECT_NE(buffer.extend(500), nullptr);
  limitHeldMemory(0);
  EXPECT_EQ(buffer.data()[999], 1);
}

} // namespace
} // namespace sluice::rt
