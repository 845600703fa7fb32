// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer that cannot grow keeps what it has.
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

} // namespace
} // namespace sluice::rt
