// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When it is certain that a call cannot go on, and when it is not.
#include "runtime/cluster/stall_probe.h"

#include "runtime/cluster/messages.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using Words = std::vector<uint64_t>;

// A round in which the first of two ranks has sent messages to the second, and both go on.
struct Round {
  bool firstIdle = true, secondIdle = true;
  uint64_t sent = 5, received = 5;
};

bool stalledAfter(std::initializer_list<Round> rounds) {
  StallProbe probe;
  bool stalled = false;
  for (const Round &round : rounds) {
    EXPECT_FALSE(stalled);
    EXPECT_FALSE(probe.asked());
    probe.begin(0, Words{0, 0});
    EXPECT_TRUE(probe.asked());
    probe.add(0, {round.firstIdle, false, 0, {0, round.sent}, "first"});
    probe.add(1, {round.secondIdle, false, round.received, {0, 0}, "second"});
    stalled = probe.end(0);
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

TEST(StallProbe, TellsWhetherOtherCallsMayHelp) {
  StallProbe probe;
  for (bool awaits : {false, true, false}) {
    probe.begin(0, Words{0, 0});
    probe.add(0, {true, awaits, 0, {0, 0}, ""});
    probe.add(1, {true, false, 0, {0, 0}, ""});
    (void)probe.end(0);
    EXPECT_EQ(probe.awaitsOthers(), awaits);
  }
}

// Of two rounds in which one of two ranks goes on, and the other one has ended its part.
bool stalledBesideOne(uint32_t overAtFirst, uint32_t overAtEnd, Words sentBefore,
                      uint64_t received) {
  StallProbe probe;
  bool stalled = false;
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(stalled);
    probe.begin(overAtFirst, sentBefore);
    probe.add(1, {true, false, received, {7, 0}, ""});
    stalled = probe.end(overAtEnd);
    EXPECT_EQ(probe.waiting()[0], "");
  }
  return stalled;
}

TEST(StallProbe, CountsWhatThoseHaveSentThatAreOver) {
  EXPECT_TRUE(stalledBesideOne(1, 1, {0, 4}, 4)); // nobody takes the 7 messages to rank 0
  EXPECT_FALSE(stalledBesideOne(1, 1, {0, 4}, 3));
  EXPECT_FALSE(stalledBesideOne(1, 2, {0, 4}, 4)); // it has ended meanwhile
  EXPECT_FALSE(stalledBesideOne(0, 0, {0, 4}, 4)); // the other one has said nothing
}

TEST(Messages, VeryLongTextsAreCutBetweenCharacters) {
  constexpr size_t kMost = 256 << 10;
  const std::string most(kMost, 'a');
  EXPECT_EQ(shortened(most), most);
  EXPECT_EQ(shortened(most + "a"), most);
  std::string wide = most.substr(1) + "\xc3\xa9"; // whose second byte would be the first too many
  EXPECT_EQ(shortened(wide), most.substr(1));
  EXPECT_EQ(shortened(most + "\xc3\xa9"), most);
  EXPECT_EQ(shortened("a\xc3\xa9", 2), "a");
}

} // namespace
} // namespace sluice::rt
