// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the memory grows that codelets have while they run.
#include "runtime/executor/arena.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::rt {
namespace {

TEST(Arena, DoublesWhileItIsSmallAndEndsWithItsThread) {
  const uint64_t before = arenaBytes();
  std::thread thread([before] {
    auto bytes = [before] { return arenaBytes() - before; };
    EXPECT_EQ(threadArena(0), nullptr);
    EXPECT_EQ(bytes(), 0u);
    void *first = threadArena(1);
    EXPECT_EQ(bytes(), 4096u);
    EXPECT_EQ(threadArena(4096), first);
    EXPECT_EQ(threadArena(0), first);
    constexpr size_t kLargestDoubled = 32 << 20;
    const std::pair<size_t, size_t> table[] = {{4097, 8192},
                                               {20000, 32768},
                                               {kLargestDoubled - 1, kLargestDoubled},
                                               {kLargestDoubled + 1, kLargestDoubled + 1},
                                               {100, kLargestDoubled + 1}};
    for (auto [wanted, size] : table) {
      EXPECT_NE(threadArena(wanted), nullptr);
      EXPECT_EQ(bytes(), size) << wanted;
    }
  });
  thread.join();
  EXPECT_EQ(arenaBytes(), before);
}

} // namespace
} // namespace sluice::rt
