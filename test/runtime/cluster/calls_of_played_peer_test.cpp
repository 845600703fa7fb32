// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several calls of one rank, and another one that the test plays: what is told of its answers, what
// its loss ends, and what comes late.
#include "test/runtime/cluster/played_peer.h"

namespace sluice::rt {
namespace {

enum : uint64_t { kComputes = 0, kIdle = 1, kAwaitsOthers = 3 };

PayloadWriter answers(std::initializer_list<std::pair<uint32_t, uint64_t>> calls) {
  PayloadWriter out;
  for (auto [call, flags] : calls) { // it has got a body and a predicate of each
    for (uint64_t word : {uint64_t{call}, flags, uint64_t{2}, uint64_t{0}, uint64_t{0}})
      out.u64(word);
    out.text(flags ? "rank 1 waits" : "");
  }
  return out;
}

// Rank 1 of two calls says the same of itself in some rounds of questions.
class Questions : public testing::Test {
protected:
  Questions() {
    stage_.ready();
    EXPECT_TRUE(stage_.member().allowCalls(2).ok());
    stage_.startCall();
    stage_.startCall();
    EXPECT_EQ(stage_.heard(MessageType::kAllowCalls), 1u);
    EXPECT_EQ(stage_.heard(MessageType::kStart), 2u);
  }
  // Whether a call was aborted.
  bool answer(uint64_t first, uint64_t second) {
    for (int i = 0; i < 4 && !stage_.heard(MessageType::kAbort); ++i) {
      EXPECT_EQ(stage_.heard(MessageType::kProbe), ++round_);
      stage_.say(MessageType::kProbeReply, answers({{1, first}, {2, second}}), 0, round_);
    }
    return stage_.heard(MessageType::kAbort) == 1;
  }
  void expectFirstIsTold() {
    stage_.say(MessageType::kReport, report({}), 1);
    ASSERT_TRUE(stage_.member().callOver(1));
    EXPECT_FALSE(stage_.member().callOver(2));
    Status status = stage_.member().takeResult(1).status();
    EXPECT_EQ(status.code(), Code::kFailedPrecondition);
    EXPECT_NE(status.message().find("call 1: node 'recv sum'"), std::string::npos);
    EXPECT_NE(status.message().find("; rank 1 waits"), std::string::npos) << status.message();
  }

  Stage stage_{0};
  uint32_t round_ = 0;
};

TEST_F(Questions, WhatCannotGoOnIsToldWhileOthersCompute) {
  EXPECT_TRUE(answer(kIdle, kComputes));
  expectFirstIsTold();
}

TEST_F(Questions, WhoeverComputesMayHelpOthers) {
  EXPECT_FALSE(answer(kAwaitsOthers, kComputes));
  EXPECT_TRUE(answer(kAwaitsOthers, kAwaitsOthers)); // now nobody does
  expectFirstIsTold();
}

TEST(ClusterCalls, TheLossOfARankEndsThemAll) {
  for (uint32_t real : {0u, 1u}) {
    Stage stage(real);
    if (real == 0) {
      stage.ready();
      ASSERT_TRUE(stage.member().allowCalls(6).ok());
      for (int i = 0; i < 6; ++i)
        stage.startCall();
    } else {
      stage.say(MessageType::kAllowCalls, {}, 0, 6);
      for (uint32_t call = 1; call <= 6; ++call)
        stage.say(MessageType::kStart, {}, call);
    }
    stage.goAway(false);
    EXPECT_TRUE(stage.member().callsOver());
    EXPECT_EQ(stage.member().served().calls, 6u);
    const std::string &text = stage.member().end().status.message();
    EXPECT_EQ(text.find(format("lost rank %u (/device:CPU:%u): ", 1 - real, 1 - real)), 0u) << text;
    EXPECT_NE(text.find("call 4: "), std::string::npos) << text;
    EXPECT_NE(text.find("; and 2 more calls"), std::string::npos) << text;
    for (uint32_t call = 1; call <= 6 && real == 0; ++call)
      EXPECT_EQ(stage.member().takeResult(call).status().message(), text);
  }
}

// A token that comes late must not be taken for one of another call.
TEST(ClusterCalls, LateTokensAreThoseOfNoOtherCall) {
  Stage stage(1);
  stage.say(MessageType::kAllowCalls, {}, 0, 2);
  stage.say(MessageType::kStart, {}, 1);
  stage.say(MessageType::kStart, {}, 2);
  stage.say(MessageType::kAbort, {}, 1);
  EXPECT_EQ(stage.heard(MessageType::kReport), 1u);
  PayloadWriter dead = words({0});
  stage.say(MessageType::kToken, dead, 1, 0, kDeadToken); // a body, of iteration 0
  stage.say(MessageType::kToken, dead, 2, 0, kDeadToken);
  EXPECT_FALSE(stage.member().ended()) << stage.member().end().status.toString();
  stage.say(MessageType::kStart, {}, 3);
  EXPECT_FALSE(stage.member().ended()) << "a third call may begin when one is over";
}

} // namespace
} // namespace sluice::rt
