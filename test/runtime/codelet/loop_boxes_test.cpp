// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of loops: every iteration once, in pieces that are worth a thread.
#include "runtime/base/cancellation.h"
#include "runtime/base/parallel.h"
#include "runtime/codelet/loop_boxes.h"

#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace sluice::rt {
namespace {

using Sizes = std::vector<int64_t>;

// How often the iterations run, two loops or one.
struct Counted {
  int64_t columns;
  std::vector<std::atomic<int>> runs;
};
void countRuns(const void *context, const int64_t *ranges) {
  auto &counted = *static_cast<Counted *const *>(context);
  for (int64_t i = ranges[0]; i < ranges[0] + ranges[1]; ++i)
    for (int64_t j = ranges[2]; j < ranges[2] + ranges[3]; ++j)
      ++counted->runs[static_cast<size_t>(i * counted->columns + j)];
}

TEST(LoopBoxes, RunEachIterationOnce) {
  for (int threads : {0, 3}) {
    ParallelThreads allowed(systemThreads(), threads);
    for (const Sizes &sizes : {Sizes{1000, 1}, Sizes{1, 5000}, Sizes{37, 811}, Sizes{3, 7},
                               Sizes{811, 37}, Sizes{0, 5}, Sizes{5, 0}})
      for (int64_t operations : {1, 3000, 70001, 3000000}) {
        Counted counted{sizes[1],
                        std::vector<std::atomic<int>>(static_cast<size_t>(sizes[0] * sizes[1]))};
        Counted *context = &counted;
        sluice_run_boxes(2, sizes.data(), operations, countRuns, &context);
        for (auto &runs : counted.runs)
          ASSERT_EQ(runs, 1) << sizes[0] << 'x' << sizes[1] << ", operations " << operations;
      }
  }
}

TEST(LoopBoxes, OfWhatIsSmallThereIsOne) {
  EXPECT_EQ(LoopBoxes(Sizes{100, 100}, 100).count(), 1);
  EXPECT_EQ(LoopBoxes(Sizes{}, int64_t{1} << 40).count(), 1);
  EXPECT_EQ(LoopBoxes(Sizes{100, 0}, 100).count(), 0);
}

// Inner loops are whole if outer ones are enough.
TEST(LoopBoxes, AreRunsThroughMemory) {
  const LoopBoxes boxes(Sizes{1000, 1000}, 20);
  EXPECT_EQ(boxes.count(), 24);
  int64_t ranges[4];
  boxes.find(23, ranges);
  EXPECT_NEAR(ranges[0], 1000 * 23 / 24, 1);
  EXPECT_EQ(ranges[0] + ranges[1], 1000);
  EXPECT_EQ(ranges[2], 0);
  EXPECT_EQ(ranges[3], 1000);
}

// Whether two share them, or four, or eight.
TEST(LoopBoxes, AreAsManyForEachThread) {
  for (auto [boxes, expected] :
       {std::pair{2, 2}, {3, 4}, {4, 4}, {5, 8}, {8, 8}, {9, 16}, {33, 40}})
    EXPECT_EQ(LoopBoxes(Sizes{1000}, boxes * kSluiceBoxOperations / 1000 + 1).count(), expected);
  EXPECT_EQ(LoopBoxes(Sizes{5}, kSluiceBoxOperations).count(), 5) << "expected a row for each";
}

TEST(LoopBoxes, CutWhatIsLongWithin) {
  const LoopBoxes boxes(Sizes{2, 1000000}, 20);
  EXPECT_GE(boxes.count(), 38);
  int64_t ranges[4];
  boxes.find(1, ranges);
  EXPECT_EQ(ranges[0], 0);
  EXPECT_EQ(ranges[1], 1);
  EXPECT_NEAR(ranges[2], 1000000 / 24, 64);
  EXPECT_EQ(ranges[2] % 64, 0) << "expected long ranges to begin with a whole vector";
}

void requestEnd(const void *context, const int64_t *) {
  auto *cancellation = *static_cast<Cancellation *const *>(context);
  EXPECT_FALSE(cancellation->requested());
  cancellation->request();
}

TEST(LoopBoxes, EndWhenTheCallIsCancelled) {
  Cancellation cancellation;
  CancellationScope scope(cancellation);
  Cancellation *context = &cancellation;
  const int64_t size = 100;
  sluice_run_boxes(1, &size, kSluiceBoxOperations, requestEnd, &context);
  EXPECT_TRUE(cancellation.requested());
}

} // namespace
} // namespace sluice::rt
