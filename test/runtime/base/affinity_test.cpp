// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that is woken runs elsewhere than on processors in use, and may run anywhere after that.
#include "runtime/base/affinity.h"
#include "runtime/base/parallel.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace sluice::rt {
namespace {

cpu_set_t allowedHere() {
  cpu_set_t set;
  EXPECT_EQ(pthread_getaffinity_np(pthread_self(), sizeof set, &set), 0);
  return set;
}

void setAllowedHere(const cpu_set_t &set) {
  EXPECT_EQ(pthread_setaffinity_np(pthread_self(), sizeof set, &set), 0);
}

cpu_set_t only(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(processor), &set);
  return set;
}

bool hasOnlyOneProcessor() {
  const cpu_set_t set = allowedHere();
  return CPU_COUNT(&set) < 2;
}

TEST(Affinity, KeepsAThreadAwayUntilItIsRestored) {
  if (hasOnlyOneProcessor())
    GTEST_SKIP() << "needs two processors";
  std::thread([] {
    const cpu_set_t all = allowedHere();
    Affinity affinity;
    for (int again = 0; again < 3; ++again) {
      const int here = presentProcessor();
      for (int twice = 0; twice < 2; ++twice) { // the second finds it narrowed
        affinity.startOver();
        affinity.isUsed(here);
        affinity.avoidUsed();
        EXPECT_NE(presentProcessor(), here);
      }
      affinity.restore();
      const cpu_set_t after = allowedHere();
      EXPECT_TRUE(CPU_EQUAL(&after, &all));
    }
  }).join();
}

TEST(Affinity, StaysWhereThereIsNothingElse) {
  std::thread([] {
    const int here = presentProcessor();
    setAllowedHere(only(here));
    Affinity affinity;
    affinity.isUsed(here);
    affinity.isUsed(-1);
    affinity.isUsed(CPU_SETSIZE);
    affinity.avoidUsed();
    const cpu_set_t after = allowedHere(), before = only(here);
    EXPECT_TRUE(CPU_EQUAL(&after, &before));
  }).join();
}

TEST(Affinity, HelpersAreWokenElsewhereThanTheirCaller) {
  if (hasOnlyOneProcessor())
    GTEST_SKIP() << "needs two processors";
  std::thread([] {
    ParallelThreads allowed(systemThreads(), 2);
    const auto processorOfHelper = [] {
      const std::thread::id caller = std::this_thread::get_id();
      std::atomic<int> begun{0}, found{-1};
      parallelFor(2, [&](int64_t) {
        if (std::this_thread::get_id() != caller)
          found = presentProcessor();
        ++begun;
        while (begun < 2)
          std::this_thread::yield();
      });
      return found.load();
    };
    processorOfHelper(); // it may run everywhere
    const cpu_set_t all = allowedHere();
    for (int processor = 0, left = 4; processor < CPU_SETSIZE && left > 0; ++processor) {
      if (!CPU_ISSET(static_cast<size_t>(processor), &all))
        continue;
      --left;
      setAllowedHere(only(processor));
      std::this_thread::sleep_for(std::chrono::milliseconds(20)); // it sleeps
      EXPECT_NE(processorOfHelper(), processor);
    }
  }).join();
}

} // namespace
} // namespace sluice::rt
