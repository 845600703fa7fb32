// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers that are the same everywhere.
#include "runtime/base/splitmix.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

// From the generator's reference implementation.
TEST(SplitMix64, IsThatOfOthers) {
  SplitMix64 random(1234567);
  for (uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                            4593380528125082431u, 16408922859458223821u})
    EXPECT_EQ(random.next(), expected);
  EXPECT_EQ(mixBits(0), 0u);
}

TEST(SplitMix64, ReachesAllBelowABound) {
  SplitMix64 random(1);
  int seen[5] = {};
  for (int i = 0; i < 5000; ++i) {
    uint64_t number = random.below(5);
    ASSERT_LT(number, 5u);
    ++seen[number];
  }
  for (int count : seen)
    EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(SplitMix64(9).below(uint64_t{1} << 32), SplitMix64(9).next() >> 32);
  EXPECT_EQ(random.below(1), 0u);
}

} // namespace
} // namespace sluice::rt
