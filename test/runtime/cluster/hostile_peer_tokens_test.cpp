// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A peer whose tokens, or news of retired iterations, are wrong, too many, or too late.
#include "test/runtime/cluster/played_peer.h"

namespace sluice::rt {
namespace {

enum Edge : uint32_t { kBody, kPredicate, kSum }; // of SplitLoop

PayloadWriter number(uint64_t iteration, DType dtype, uint64_t bits) {
  PayloadWriter out = words({iteration, static_cast<uint64_t>(dtype)});
  out.raw(&bits, sizeOf(dtype));
  return out;
}

constexpr const char *kNoEdge = "a token of an edge that does not lead here";
constexpr const char *kNoFrame = "news of a frame of which nothing goes there";

const Scene kScenes[] = {
    {"TokenOfNoEdge", 1,
     [](Stage &s) { s.say(MessageType::kToken, words({0}), 1, 1000, kDeadToken); }, kNoEdge},
    {"TokenOfAnEdgeFromHere", 1,
     [](Stage &s) { s.say(MessageType::kToken, words({0}), 1, kSum, kDeadToken); }, kNoEdge},
    {"TokenOfNoSignature", 1,
     [](Stage &s) { s.say(MessageType::kToken, words({0}), 1, kBody, kDeadToken, 9); }, kNoEdge},
    {"TokenOfACallTooFar", 1,
     [](Stage &s) { s.say(MessageType::kToken, words({0}), 2, kBody, kDeadToken); }, kNoEdge},
    {"TokenOfACallBeyondThoseThatAreAllowed", 1,
     [](Stage &s) {
       s.say(MessageType::kAllowCalls, {}, 0, 3);
       for (uint32_t call : {3u, 4u})
         s.say(MessageType::kToken, words({0}), call, kBody, kDeadToken);
     },
     kNoEdge},
    {"TokenOfACallThatRankZeroHasNotBegun", 0,
     [](Stage &s) { s.say(MessageType::kToken, words({0}), 1, kSum, kDeadToken); }, kNoEdge},
    {"TokenTooLarge", 1,
     [](Stage &s) { s.say(MessageType::kToken, words({0, 0, 0}), 1, kBody, kTokenHasValue); },
     "type 16 with 24 bytes, expected at most 20"},
    {"TokenOfAnotherType", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kToken, number(0, DType::kF32, 0), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': expected type i32"},
    {"TokenKeptOfAnotherType", 1,
     [](Stage &s) {
       s.say(MessageType::kToken, number(0, DType::kF32, 0), 1, kBody, kTokenHasValue);
       s.say(MessageType::kStart, {}, 1);
     },
     "node 'recv body': expected type i32"},
    {"TokenTwice", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       for (int i = 0; i < 2; ++i)
         s.say(MessageType::kToken, number(0, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got a second message for one iteration"},
    {"TokenTwiceBeforeItsIteration", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       for (int i = 0; i < 2; ++i)
         s.say(MessageType::kToken, number(1, DType::kI32, 5), 1, kBody, kTokenHasValue);
       s.say(MessageType::kToken, number(0, DType::kBool, 1), 1, kPredicate, kTokenHasValue);
     },
     "node 'recv body': got a second message for one iteration"},
    {"FloodOfOneEarlyToken", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       for (int i = 0; i < 300; ++i)
         s.say(MessageType::kToken, number(1, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got a second message for one iteration"},
    {"FloodOfEarlyTokens", 1,
     [](Stage &s) {
       s.limit(Limit::kEarlyTokens, 3);
       s.say(MessageType::kStart, {}, 1);
       for (uint64_t i = 1; i < 5; ++i)
         s.say(MessageType::kToken, number(i, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got more than 3 tokens for iterations that have not begun here"},
    {"LargeFloodOfEarlyTokens", 1,
     [](Stage &s) {
       s.limit(Limit::kEarlyBytes, 11);
       s.say(MessageType::kStart, {}, 1);
       for (uint64_t i = 1; i < 4; ++i)
         s.say(MessageType::kToken, number(i, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got more than 11 bytes of tokens for iterations that have not begun here"},
    {"FloodBeforeTheCall", 1,
     [](Stage &s) {
       s.limit(Limit::kEarlyTokens, 3);
       for (int i = 0; i < 4; ++i)
         s.say(MessageType::kToken, number(0, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "more than 3 messages or 4294967296 bytes for a call that has not begun here"},
    {"LargeFloodBeforeTheCall", 1,
     [](Stage &s) {
       s.limit(Limit::kEarlyBytes, 50);
       for (int i = 0; i < 3; ++i)
         s.say(MessageType::kToken, number(0, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "or 50 bytes for a call that has not begun here"},
    {"TokenBeyondTheWindow", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kToken, number(10, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got a message from beyond the window"},
    {"TokenOfTheLastIterationOfAll", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kToken, number(~uint64_t{0}, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got a message from beyond the window"},
    {"TokenOfAnIterationThatIsOver", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kToken, number(0, DType::kBool, 1), 1, kPredicate, kTokenHasValue);
       s.say(MessageType::kToken, number(0, DType::kI32, 5), 1, kBody, kTokenHasValue);
       s.say(MessageType::kToken, number(0, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got a message for an iteration that is over"},
    // News of retired iterations.
    {"NewsOfNoFrame", 1, [](Stage &s) { s.say(MessageType::kRetired, words({1}), 1, 9); },
     kNoFrame},
    {"NewsOfTheRoot", 1, [](Stage &s) { s.say(MessageType::kRetired, {}, 1, 0); }, kNoFrame},
    {"NewsWithoutIterations", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kRetired, {}, 1, 1);
     },
     "expected a path of another length"},
    {"NewsOfIterationsNeverOpened", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kRetired, words({~uint64_t{0}}), 1, 1);
     },
     "got news of retired iterations that were never opened, of frame 'loop'"},
};

class HostilePeerTokens : public testing::TestWithParam<Scene> {};

TEST_P(HostilePeerTokens, isRefused) { expectRefused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Scenes, HostilePeerTokens, testing::ValuesIn(kScenes),
                         [](const auto &info) { return std::string(info.param.name); });

// A rank that only receives in a frame has nobody to hear of.
TEST(HostilePeerTokens, newsOfAFrameIntoWhichNothingIsSentAreRefused) {
  GraphBuilder first, second;
  first.makeRank(0, 2);
  second.makeRank(1, 2);
  uint32_t frame = second.frame("loop", 10);
  auto gate = second.enter("enter", frame, second.constant<bool>(true));
  (void)second.recv("receive", frame, {gate}, DType::kI32, 0, 0);
  Hub hub(2);
  Member member(second.buildProgram(), systemThreads(), systemClock());
  auto other = hub.endpoint(0), own = hub.endpoint(1);
  member.attach(*own);
  MessageHeader start, news;
  start.type = static_cast<uint8_t>(MessageType::kStart);
  news.type = static_cast<uint8_t>(MessageType::kRetired);
  start.call = news.call = news.subject = 1;
  other->send(1, start, {});
  PayloadWriter retired = words({1});
  other->send(1, news, retired.bytes());
  other->flush();
  (void)member.progress();
  EXPECT_EQ(member.end().kind, ClusterEnd::Kind::kRefused);
  EXPECT_NE(member.end().status.message().find(kNoFrame), std::string::npos);
}

// A rank's report says how many tokens it has received. What was sent besides is under way or lost,
// and nobody will ask for it.
TEST(HostilePeerTokens, whatIsSentAndNeverReceivedIsLeftOver) {
  for (uint64_t received : {2, 1, 0, 3}) {
    Stage stage(0);
    stage.ready();
    Tensor limit = Tensor::scalar<int32_t>(0); // no iteration goes on, so the body is dead
    stage.member().startCall(0, std::span(&limit, 1));
    stage.act();
    stage.say(MessageType::kToken, words({0}), 1, kSum, kDeadToken);
    stage.say(MessageType::kReport, report(okStatus(), received, 1), 1);
    ASSERT_TRUE(stage.member().callsOver());
    EXPECT_TRUE(stage.member().takeResult(1).ok());
    EXPECT_EQ(stage.member().leftoverTokens(), received > 2 ? received - 2 : 2 - received);
  }
}

// What is late is no mistake.
TEST(HostilePeerTokens, tokensOfCallsThatAreOverAreDropped) {
  Stage stage(0);
  stage.ready();
  stage.startCall();
  stage.say(MessageType::kReport, report(Status(Code::kInternal, "broken")), 1);
  EXPECT_TRUE(stage.member().callsOver());
  EXPECT_EQ(stage.member().takeResult(1).status().message(), "broken");
  EXPECT_EQ(stage.heard(MessageType::kAbort), 1u);
  stage.say(MessageType::kToken, number(0, DType::kI32, 1), 1, kSum, kTokenHasValue);
  stage.startCall();
  stage.say(MessageType::kToken, number(0, DType::kI32, 1), 1, kSum, kTokenHasValue);
  EXPECT_FALSE(stage.member().ended());
}

// Rank 0 would wait for ever for as many to be received as were sent.
TEST(HostilePeerTokens, tokensBeforeTheirCallCountOnce) {
  Stage stage(1);
  stage.say(MessageType::kToken, number(0, DType::kI32, 5), 1, kBody, kTokenHasValue);
  stage.say(MessageType::kStart, {}, 1);
  stage.say(MessageType::kProbe, words({1}));
  PayloadReader reply(stage.last(MessageType::kProbeReply));
  EXPECT_EQ(reply.u64(), 1u); // the call
  EXPECT_EQ(reply.u64(), 1u); // it is idle
  EXPECT_EQ(reply.u64(), 1u);
}

// The rank that has failed says why, and no other.
TEST(HostilePeerTokens, abortedCallsAreReportedWithoutAnError) {
  Stage stage(1);
  stage.say(MessageType::kStart, {}, 1);
  EXPECT_EQ(stage.heard(MessageType::kReport), 0u);
  stage.say(MessageType::kAbort, {}, 1);
  EXPECT_EQ(stage.heard(MessageType::kReport), 1u);
  EXPECT_TRUE(PayloadReader(stage.last(MessageType::kReport)).status().ok());
}

TEST(HostilePeerTokens, noMemoryForATokenFailsTheCall) {
  GraphBuilder second;
  second.makeRank(1, 2);
  second.node(second.recv("receive", 0, {}, DType::kF32, 0, 0)).wireShape = Shape{1 << 20};
  Hub hub(2);
  Member member(second.buildProgram(), systemThreads(), systemClock());
  auto other = hub.endpoint(0), own = hub.endpoint(1);
  member.attach(*own);
  MessageHeader start, token;
  start.type = static_cast<uint8_t>(MessageType::kStart);
  start.call = token.call = 1;
  token.type = static_cast<uint8_t>(MessageType::kToken);
  token.flags = kTokenHasValue;
  PayloadWriter value = words({static_cast<uint64_t>(DType::kF32) | 1 << 8, 1 << 20});
  value.raw(std::string((1 << 20) * sizeof(float), '\0').data(), (1 << 20) * sizeof(float));
  other->send(1, start, {});
  other->send(1, token, value.bytes());
  other->flush();
  setMemoryLimit(memoryStats().liveBytes + (1 << 20));
  for (int i = 0; i < 10; ++i)
    (void)member.progress();
  setMemoryLimit(0);
  EXPECT_FALSE(member.ended()) << member.end().status.toString();
  EXPECT_FALSE(member.hasReadyCall());
  EXPECT_EQ(member.served().calls, 1u);
}

} // namespace
} // namespace sluice::rt
