// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in pieces: which pieces there are, and what is left out once a call is to end.
#include "runtime/base/parallel.h"
#include "runtime/base/pieces.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <mutex>
#include <utility>
#include <vector>

namespace sluice::rt {
namespace {

using Ranges = std::vector<std::pair<int64_t, int64_t>>;

Ranges rangesOf(int64_t items, int64_t cost) {
  Ranges ranges;
  std::mutex mutex;
  forPieces(items, cost, [&](int64_t begin, int64_t end) {
    std::lock_guard<std::mutex> lock(mutex);
    ranges.emplace_back(begin, end);
  });
  std::sort(ranges.begin(), ranges.end());
  return ranges;
}

TEST(Pieces, FollowFromSizesAlone) {
  constexpr int64_t kCost = kCostOfPiece / 100;
  const int64_t size = itemsOfPiece(kCost);
  for (int threads : {1, 2, 3, 5}) {
    ParallelThreads allowed(systemThreads(), threads);
    EXPECT_EQ(rangesOf(size, kCost), (Ranges{{0, size}}));
    EXPECT_EQ(rangesOf(2 * size, kCost), (Ranges{{0, size}, {size, 2 * size}}));
    EXPECT_EQ(
        rangesOf(3 * size + 1, kCost),
        (Ranges{{0, size}, {size, 2 * size}, {2 * size, 3 * size}, {3 * size, 3 * size + 1}}));
    EXPECT_EQ(rangesOf(3, kCostOfPiece * 7), (Ranges{{0, 1}, {1, 2}, {2, 3}}));
  }
}

TEST(Pieces, AreLeftOutOnceTheCallIsToEnd) {
  Cancellation call;
  CancellationScope scope(call);
  std::vector<int64_t> begun;
  forPieces(10, kCostOfPiece, [&](int64_t begin, int64_t) {
    begun.push_back(begin);
    if (begin == 3)
      call.request();
  });
  EXPECT_EQ(begun, (std::vector<int64_t>{0, 1, 2, 3}));
  forPieces(10, kCostOfPiece, [&](int64_t, int64_t) { begun.clear(); });
  EXPECT_EQ(begun.size(), 4u);
}

// Each thread ends with the piece that it has when the word is set.
TEST(Pieces, AreLeftOutByAllThreads) {
  constexpr int kThreads = 3;
  ParallelThreads allowed(systemThreads(), kThreads);
  Cancellation call;
  CancellationScope scope(call);
  std::atomic<int> begun{0};
  forPieces(1000, kCostOfPiece, [&](int64_t, int64_t) {
    if (++begun >= 5)
      call.request();
  });
  EXPECT_LE(begun, 5 + kThreads);
}

TEST(Pieces, TurnsAskAsOftenAsPieces) {
  Cancellation call;
  CancellationScope scope(call);
  TurnsOfCall turns(kCostOfPiece / 10);
  for (int turn = 0; turn < 25; ++turn)
    EXPECT_FALSE(turns.end());
  call.request();
  int more = 0;
  while (!turns.end())
    ++more;
  EXPECT_LT(more, 10);
  EXPECT_TRUE(TurnsOfCall(1).end()); // the first one asks
}

TEST(Pieces, CopyAndClear) {
  ParallelThreads allowed(systemThreads(), 3);
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{kCostOfPiece}, size_t{5 * kCostOfPiece + 3}}) {
    std::vector<unsigned char> from(bytes), to(bytes + 1, 7);
    for (size_t i = 0; i < bytes; ++i)
      from[i] = static_cast<unsigned char>(i * 131 + i / 251);
    copyInPieces(to.data(), from.data(), bytes);
    EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin()));
    clearInPieces(to.data(), bytes);
    EXPECT_EQ(std::count(to.begin(), to.end(), 0), static_cast<int64_t>(bytes));
    EXPECT_EQ(to.back(), 7);
  }
}

} // namespace
} // namespace sluice::rt
