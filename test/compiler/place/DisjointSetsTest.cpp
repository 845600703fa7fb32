// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets that are joined stay joined.
#include "compiler/place/DisjointSets.h"

#include <gtest/gtest.h>

namespace sluice::place {
namespace {

TEST(DisjointSets, JoinsTransitively) {
  DisjointSets sets(6);
  EXPECT_TRUE(sets.join(4, 5));
  EXPECT_TRUE(sets.join(1, 4));
  EXPECT_FALSE(sets.join(5, 1));
  EXPECT_TRUE(sets.join(2, 0));
  EXPECT_EQ(sets.find(1), sets.find(5));
  EXPECT_NE(sets.find(0), sets.find(1));
}

TEST(DisjointSets, NumbersInTheOrderOfFirstMembers) {
  DisjointSets sets(6);
  sets.join(4, 5);
  sets.join(1, 4);
  sets.join(2, 0);
  EXPECT_EQ(sets.numberSets(), (std::vector<unsigned>{0, 1, 0, 2, 1, 1}));
  EXPECT_TRUE(DisjointSets().numberSets().empty());
}

} // namespace
} // namespace sluice::place
