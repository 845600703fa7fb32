// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutexes that firings hold, and locks that let go when nobody has them.
#include "runtime/state/mutex.h"
#include "test/runtime/state/waiter.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::rt {
namespace {

Ref<Mutex> mutex() { return *Mutex::make({"mutex 'm'"}); }
Lock &lockOf(Waiter &waiter) { return static_cast<Lock &>(*waiter.results[0].object()); }

TEST(Mutex, IsHeldByOneAtATime) {
  Ref<Mutex> m = mutex();
  Waiter first(1), second(1), third(1);
  EXPECT_TRUE(m->lock(first.client()).ok());
  EXPECT_FALSE(first.isParked());
  EXPECT_TRUE(m->lock(second.client()).ok());
  EXPECT_TRUE(m->lock(third.client()).ok());
  EXPECT_EQ(second.words(), "parked on mutex 'm', lock");
  EXPECT_TRUE(lockOf(first).release().ok());
  EXPECT_EQ(second.resumedWith(), Code::kOk);
  EXPECT_TRUE(third.isParked());
  EXPECT_EQ(lockOf(first).release().code(), Code::kInvalidArgument); // and nobody else's lock
  EXPECT_TRUE(third.isParked());
  second.results[0].reset(); // nobody has the lock
  EXPECT_EQ(third.resumedWith(), Code::kOk);
}

TEST(Mutex, AReleasedLockLetsGoOnce) {
  Ref<Mutex> m = mutex();
  Waiter first(1), second(1), third(1);
  EXPECT_TRUE(m->lock(first.client()).ok());
  EXPECT_TRUE(lockOf(first).release().ok());
  EXPECT_TRUE(m->lock(second.client()).ok());
  first.results[0].reset();
  EXPECT_TRUE(m->lock(third.client()).ok());
  EXPECT_TRUE(third.isParked());
  EXPECT_TRUE(third.withdraw());
  EXPECT_TRUE(m->check({}).ok());
}

TEST(Mutex, ManyThreadsTakeTurns) {
  constexpr int kThreads = 4, kTurns = 500;
  Ref<Mutex> m = mutex();
  int inside = 0, turns = 0; // guarded by the mutex
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kTurns; ++i) {
        Waiter waiter(1);
        EXPECT_TRUE(m->lock(waiter.client()).ok());
        waiter.await();
        EXPECT_EQ(inside++, 0);
        ++turns;
        --inside;
        EXPECT_TRUE(lockOf(waiter).release().ok());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(turns, kThreads * kTurns);
}

} // namespace
} // namespace sluice::rt
