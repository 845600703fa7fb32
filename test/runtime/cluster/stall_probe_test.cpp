// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When it is certain that a call cannot go on, and when it is not.
#include "runtime/cluster/stall_probe.h"

#include "runtime/cluster/messages.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

// A round in which two ranks say the same of themselves.
struct Round {
  bool firstIdle = true, secondIdle = true;
  uint64_t sent = 5, received = 5;
};

bool stalledAfter(std::initializer_list<Round> rounds) {
  StallProbe probe;
  probe.reset(2);
  bool stalled = false;
  for (const Round &round : rounds) {
    EXPECT_FALSE(stalled);
    EXPECT_FALSE(probe.roundUnderWay());
    probe.begin();
    EXPECT_FALSE(probe.add(probe.round(), 0, {round.firstIdle, round.sent, 0, "first"}));
    EXPECT_TRUE(probe.roundUnderWay());
    stalled = probe.add(probe.round(), 1, {round.secondIdle, 0, round.received, "second"});
    EXPECT_EQ(probe.waiting(), (std::vector<std::string>{"first", "second"}));
  }
  return stalled;
}

TEST(StallProbe, NeedsTwoEqualRounds) {
  EXPECT_FALSE(stalledAfter({{}}));
  EXPECT_TRUE(stalledAfter({{}, {}}));
  EXPECT_FALSE(stalledAfter({{.firstIdle = false}, {}}));
  EXPECT_FALSE(stalledAfter({{}, {.firstIdle = false}}));
  EXPECT_FALSE(stalledAfter({{}, {.secondIdle = false}}));
  EXPECT_FALSE(stalledAfter({{.sent = 6, .received = 5}, {.sent = 6, .received = 5}}));
  EXPECT_FALSE(stalledAfter({{.sent = 5, .received = 6}, {.sent = 5, .received = 6}}));
  EXPECT_FALSE(stalledAfter({{}, {.sent = 6, .received = 6}}));
  EXPECT_FALSE(stalledAfter({{.sent = 6, .received = 5}, {}}));
  EXPECT_FALSE(stalledAfter({{.sent = 5, .received = 4}, {}}));
  EXPECT_TRUE(stalledAfter({{.sent = 6, .received = 5}, {}, {}}));
}

TEST(StallProbe, CountsEachRankOnceAndInItsRound) {
  StallProbe probe;
  probe.reset(2);
  for (int i = 0; i < 2; ++i) {
    probe.begin();
    EXPECT_FALSE(probe.add(probe.round(), 1, {true, 0, 0, ""}));
    EXPECT_FALSE(probe.add(probe.round(), 1, {true, 0, 0, ""}));
    EXPECT_FALSE(probe.add(probe.round() - 1, 0, {true, 0, 0, ""}));
    EXPECT_TRUE(probe.roundUnderWay());
    EXPECT_EQ(probe.add(probe.round(), 0, {true, 0, 0, ""}), i == 1);
    EXPECT_FALSE(probe.add(probe.round(), 0, {true, 0, 0, ""}));
  }
  uint32_t before = probe.round();
  probe.reset(2); // another call
  probe.begin();
  EXPECT_EQ(probe.round(), before + 1);
  EXPECT_FALSE(probe.add(probe.round(), 0, {true, 0, 0, ""}));
  EXPECT_FALSE(probe.add(probe.round(), 1, {true, 0, 0, ""}));
}

TEST(Messages, VeryLongTextsAreCutBetweenCharacters) {
  constexpr size_t kMost = 256 << 10;
  const std::string most(kMost, 'a');
  EXPECT_EQ(shortened(most), most);
  EXPECT_EQ(shortened(most + "a"), most);
  std::string wide = most.substr(1) + "\xc3\xa9"; // whose second byte would be the first too many
  EXPECT_EQ(shortened(wide), most.substr(1));
  EXPECT_EQ(shortened(most + "\xc3\xa9"), most);
}

} // namespace
} // namespace sluice::rt
