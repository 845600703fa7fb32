// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Held memory: sums, the highest of them, and what is refused.
#include "runtime/base/held_memory.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace sluice::rt {
namespace {

// So that there is a limit until it goes.
struct Limited {
  explicit Limited(uint64_t beyond) {
    limitHeldMemory(1); // what is free goes back now, and not when something is refused
    limitHeldMemory(heldMemory() + beyond);
  }
  ~Limited() { limitHeldMemory(0); }
};

TEST(HeldMemory, IsBoundedByTheLimit) {
  limitHeldMemory(1);
  limitHeldMemory(0);
  const uint64_t before = heldMemory();
  EXPECT_TRUE(holdMemory(size_t{1} << 50)); // without a limit, anything
  EXPECT_FALSE(holdMemory(SIZE_MAX));       // but a sum that is none
  EXPECT_GE(peakOfHeldMemory(), before + (uint64_t{1} << 50));
  unholdMemory(size_t{1} << 50);
  Limited limited(1000);
  EXPECT_EQ(heldMemoryLimit(), heldMemory() + 1000);
  EXPECT_TRUE(holdMemory(600));
  EXPECT_FALSE(holdMemory(401));
  EXPECT_FALSE(memoryAllows(401));
  EXPECT_TRUE(memoryAllows(400));
  EXPECT_TRUE(holdMemory(400));
  EXPECT_FALSE(holdMemory(1));
  unholdMemory(1000);
  EXPECT_EQ(heldMemory(), before);
}

TEST(HeldMemory, LivesAsLongAsItsHold) {
  limitHeldMemory(1);
  limitHeldMemory(0);
  const uint64_t before = heldMemory();
  Limited limited(1000);
  {
    MemoryHold hold;
    EXPECT_TRUE(hold.resize(700));
    EXPECT_FALSE(hold.resize(1001));
    EXPECT_EQ(heldMemory(), before + 700);
    EXPECT_TRUE(hold.resize(300));
    MemoryHold other = std::move(hold);
    EXPECT_EQ(heldMemory(), before + 300);
    EXPECT_TRUE(hold.resize(700));
    other = std::move(hold);
    EXPECT_EQ(heldMemory(), before + 1000);
  }
  EXPECT_EQ(heldMemory(), before);
  {
    MemoryHold hold;
    EXPECT_TRUE(hold.resize(100));
    hold.keep();
  }
  EXPECT_EQ(heldMemory(), before + 100);
  unholdMemory(100);
}

TEST(HeldMemory, OfSeveralThreadsIsNeverBeyondTheLimit) {
  limitHeldMemory(1);
  limitHeldMemory(0);
  const uint64_t before = heldMemory();
  Limited limited(1000);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 10000; ++k)
        if (holdMemory(400)) {
          EXPECT_LE(heldMemory(), before + 1000);
          unholdMemory(400);
        }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(heldMemory(), before);
}

} // namespace
} // namespace sluice::rt
