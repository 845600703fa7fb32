// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No more compute at a time than may.
#include "runtime/base/processor_count.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace sluice::rt {
namespace {

TEST(ProcessorCount, BoundsHowManyCompute) {
  ProcessorCount count;
  count.most = 2;
  std::atomic<int> computing = 0, most = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 200; ++turn) {
        awaitProcessor(count);
        int now = ++computing;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::yield();
        --computing;
        leaveProcessor(count);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_LE(most, 2);
  EXPECT_EQ(count.computing, 0);
  EXPECT_EQ(count.waiting, 0);
}

TEST(ProcessorCount, WithoutABoundNobodyWaits) {
  ProcessorCount count;
  for (int i = 0; i < 100; ++i)
    awaitProcessor(count);
  EXPECT_EQ(count.computing, 100);
}

} // namespace
} // namespace sluice::rt
