// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In how few runs the elements of broadcast operands are visited.
#include "runtime/kernels/broadcast.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace sluice::rt {
namespace {

// For each run, the index of the element of either operand with which it begins.
using Begins = std::vector<std::pair<int64_t, int64_t>>;

struct Runs {
  int64_t length;
  std::vector<int64_t> strides;
  Begins begins;
};

Runs runsOf(const Shape &result, const Shape &a, const Shape &b) {
  const Shape *operands[] = {&a, &b};
  BroadcastWalk walk(result, operands);
  Runs runs{walk.runLength(), {walk.strides()[0], walk.strides()[1]}, {}};
  do
    runs.begins.push_back({walk.offset(0), walk.offset(1)});
  while (walk.next());
  return runs;
}

TEST(BroadcastWalk, DimsOfOneElementDisappear) {
  Runs runs = runsOf(Shape({1, 8, 1, 1}), Shape({1, 8, 1, 1}), Shape({8, 1, 1}));
  EXPECT_EQ(runs.length, 8);
  EXPECT_EQ(runs.strides, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(runs.begins, (Begins{{0, 0}}));
}

TEST(BroadcastWalk, NeighboursThatBehaveAlikeAreOne) {
  Runs same = runsOf(Shape({2, 3, 4}), Shape({2, 3, 4}), Shape({}));
  EXPECT_EQ(same.length, 24);
  EXPECT_EQ(same.strides, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(same.begins, (Begins{{0, 0}}));
  Runs row = runsOf(Shape({2, 3, 4}), Shape({2, 3, 4}), Shape({3, 4}));
  EXPECT_EQ(row.length, 12);
  EXPECT_EQ(row.begins, (Begins{{0, 0}, {12, 0}}));
}

TEST(BroadcastWalk, OperandsStayWhereTheyHaveOneElement) {
  Runs runs = runsOf(Shape({2, 2, 3}), Shape({2, 1, 3}), Shape({2, 1}));
  EXPECT_EQ(runs.length, 3);
  EXPECT_EQ(runs.strides, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(runs.begins, (Begins{{0, 0}, {0, 1}, {3, 0}, {3, 1}}));
}

TEST(BroadcastWalk, ScalarsAreOneRun) {
  Runs runs = runsOf(Shape({}), Shape({}), Shape({}));
  EXPECT_EQ(runs.length, 1);
  EXPECT_EQ(runs.begins, (Begins{{0, 0}}));
}

} // namespace
} // namespace sluice::rt
