// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who is alone sees nobody, and everybody comes in in the end.
#include "runtime/embed/state_gate.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace sluice::rt {
namespace {

bool never() { return false; }

TEST(StateGate, LetsCallsInTogether) {
  StateGate gate;
  StateGate::Among one(gate, never), two(gate, never);
  EXPECT_TRUE(two.hasEntered());
}

TEST(StateGate, WhoGivesUpIsOutside) {
  StateGate gate;
  {
    StateGate::Alone alone(gate);
    int asked = 0;
    StateGate::Among call(gate, [&] { return ++asked == 3; });
    EXPECT_FALSE(call.hasEntered());
    EXPECT_EQ(asked, 3);
  }
  StateGate::Alone again(gate); // nobody is inside
}

TEST(StateGate, WhoIsAloneWaitsForThoseInside) {
  StateGate gate;
  std::atomic<bool> isAlone = false;
  std::thread other;
  {
    StateGate::Among call(gate, never);
    other = std::thread([&] {
      StateGate::Alone alone(gate);
      isAlone = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(isAlone);
  }
  other.join();
  EXPECT_TRUE(isAlone);
}

TEST(StateGate, WhoLeavesIsNotWaitedForAndComesBackLater) {
  StateGate gate;
  StateGate::Among call(gate, never);
  call.leave();
  {
    StateGate::Alone alone(gate);
    int asked = 0;
    EXPECT_FALSE(call.comeBack([&] { return ++asked == 3; }));
    EXPECT_EQ(asked, 3);
  }
  EXPECT_TRUE(call.comeBack(never));
  std::atomic<bool> isAlone = false;
  std::thread other([&] {
    StateGate::Alone alone(gate);
    isAlone = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(isAlone); // it is inside again
  call.leave();
  other.join();
}

TEST(StateGate, NobodySeesHalfOfAnything) {
  StateGate gate;
  std::atomic<int> among = 0, alone = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&, i] {
      for (int turn = 0; turn < 500; ++turn) {
        if (i < 4) {
          StateGate::Among call(gate, never);
          ++among;
          EXPECT_EQ(alone, 0);
          --among;
        } else {
          StateGate::Alone one(gate);
          EXPECT_EQ(++alone, 1);
          EXPECT_EQ(among, 0);
          --alone;
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace
} // namespace sluice::rt
