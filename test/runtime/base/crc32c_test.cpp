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

} // namespace
} // namespace sluice::rt
