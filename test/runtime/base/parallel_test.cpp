// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in pieces: each once, by no more threads than are allowed, whoever else calls.
#include "runtime/base/cancellation.h"
#include "runtime/base/parallel.h"
#include "runtime/base/processor_count.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace sluice::rt {
namespace {

// Counts those that have not ended; gives at most so many.
class CountedThreads final : public Threads {
public:
  explicit CountedThreads(int most) : left_(most) {}
  std::unique_ptr<ThreadHandle> start(const char *name, std::function<void()> body) override {
    if (left_.fetch_sub(1) <= 0)
      return nullptr;
    ++started;
    ++living;
    return systemThreads().start(name, [this, body = std::move(body)] {
      body();
      --living;
    });
  }
  std::atomic<int> started{0}, living{0};

private:
  std::atomic<int> left_;
};

void expectEachPieceOnce(int64_t pieces) {
  std::vector<std::atomic<int>> runs(static_cast<size_t>(pieces));
  parallelFor(pieces, [&](int64_t piece) { ++runs[static_cast<size_t>(piece)]; });
  for (auto &count : runs)
    EXPECT_EQ(count.load(), 1);
}

TEST(Parallel, RunsEachPieceOnce) {
  for (int threads : {0, 1, 2, 5}) {
    ParallelThreads allowed(systemThreads(), threads);
    for (int64_t pieces : {0, 1, 2, 3, 100})
      for (int again = 0; again < 20; ++again)
        expectEachPieceOnce(pieces);
  }
  expectEachPieceOnce(7); // where nobody allows any
}

// Each of two pieces waits for the other one to begin.
TEST(Parallel, OthersTakePart) {
  ParallelThreads allowed(systemThreads(), 2);
  std::atomic<int> begun{0};
  parallelFor(2, [&](int64_t) {
    ++begun;
    while (begun < 2)
      std::this_thread::yield();
  });
}

TEST(Parallel, FewerThreadsThanAllowedWhereTheSystemRefuses) {
  for (int given : {0, 1}) {
    CountedThreads threads(given);
    ParallelThreads allowed(threads, 4);
    expectEachPieceOnce(50);
    EXPECT_LE(threads.started, given);
  }
}

TEST(Parallel, NobodyHelpsOneThread) {
  CountedThreads threads(10);
  for (int most : {-1, 0, 1}) {
    ParallelThreads allowed(threads, most);
    EXPECT_FALSE(hasParallelThreads());
    std::vector<int64_t> order; // no other thread: no race
    parallelFor(4, [&](int64_t piece) { order.push_back(piece); });
    EXPECT_EQ(order, (std::vector<int64_t>{0, 1, 2, 3}));
  }
  EXPECT_EQ(threads.started, 0);
}

TEST(Parallel, HelpersEndWithTheLastThatAllowsThem) {
  CountedThreads threads(10);
  {
    ParallelThreads first(threads, 3);
    {
      ParallelThreads second(threads, 3);
      expectEachPieceOnce(10);
    }
    EXPECT_GT(threads.living, 0);
    expectEachPieceOnce(10);
  }
  EXPECT_EQ(threads.living, 0);
  ParallelThreads again(threads, 3);
  expectEachPieceOnce(10);
}

TEST(Parallel, PiecesWithinPiecesStayOnTheirThread) {
  ParallelThreads allowed(systemThreads(), 3);
  std::atomic<int> wrong{0};
  parallelFor(8, [&](int64_t) {
    const std::thread::id here = std::this_thread::get_id();
    std::vector<int64_t> order;
    parallelFor(5, [&](int64_t piece) {
      order.push_back(piece);
      wrong += std::this_thread::get_id() != here;
    });
    wrong += order != std::vector<int64_t>{0, 1, 2, 3, 4};
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(hasParallelThreads());
}

// Each of two pieces waits for the other one to begin, so that one is a helper's.
TEST(Parallel, HelpersWorkForTheCallOfTheirCaller) {
  ParallelThreads allowed(systemThreads(), 2);
  Cancellation call;
  call.request();
  CancellationScope scope(call);
  std::atomic<int> begun{0}, cancelled{0};
  parallelFor(2, [&](int64_t) {
    ++begun;
    while (begun < 2)
      std::this_thread::yield();
    cancelled += Cancellation::requestedHere();
  });
  EXPECT_EQ(cancelled, 2);
}

// Callers compute in any case; helpers only while there is room beside them.
TEST(Parallel, ManyCallersAtOnce) {
  constexpr int kCallers = 4, kMost = 3;
  ParallelThreads allowed(systemThreads(), kMost);
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < kCallers; ++caller)
    callers.emplace_back([&] {
      for (int again = 0; again < 200; ++again)
        parallelFor(6, [&](int64_t piece) { sum += piece; });
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(sum, kCallers * 200 * 15);
}

// To wake somebody takes longer than little work does.
TEST(Parallel, NobodyIsWokenForLittleUntilThereWasMuchOfIt) {
  constexpr int64_t kCost = kCostWorthWaking / 16; // of a piece
  ProcessorCount count;
  HelperGroup group(count); // without a past
  HelperGroup::Scope scope(group);
  CountedThreads threads(10);
  ParallelThreads allowed(threads, 2);
  int64_t calls = 0;
  for (; threads.started == 0 && calls < 1000; ++calls)
    parallelFor(2, [](int64_t) {}, kCost);
  EXPECT_EQ(threads.started, 1);
  EXPECT_EQ(calls, 8);
}

TEST(Parallel, SomebodyIsWokenForMuchAtOnce) {
  ProcessorCount count;
  HelperGroup group(count); // without a past
  HelperGroup::Scope scope(group);
  CountedThreads threads(10);
  ParallelThreads allowed(threads, 2);
  EXPECT_FALSE(findsHelp(kCostWorthWaking / 2));
  EXPECT_TRUE(findsHelp(kCostWorthWaking));
  parallelFor(4, [](int64_t) {}, kCostWorthWaking / 4);
  EXPECT_EQ(threads.started, 1);
}

TEST(Parallel, ThreadsThatComputeLeaveLessRoom) {
  CountedThreads threads(10);
  ParallelThreads allowed(threads, 2);
  std::atomic<bool> isComputing{false}, isDone{false};
  std::thread other([&] {
    ComputingThread computing;
    ComputingThread oneAndTheSame;
    isComputing = true;
    while (!isDone)
      std::this_thread::yield();
  });
  while (!isComputing)
    std::this_thread::yield();
  expectEachPieceOnce(10);
  EXPECT_EQ(threads.started, 0);
  isDone = true;
  other.join();
  expectEachPieceOnce(10);
  EXPECT_EQ(threads.started, 1);
}

} // namespace
} // namespace sluice::rt
