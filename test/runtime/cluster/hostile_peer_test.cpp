// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank whose peer says what no rank of the same program would: it must end as refused, say what was
// wrong, and neither crash nor wait for ever.
#include "test/runtime/cluster/pair.h"
#include "test/runtime/cluster/split_loop.h"

#include <functional>
#include <map>

namespace sluice::rt {
namespace {

enum Edge : uint32_t { kBody, kPredicate, kSum }; // of SplitLoop

// One real rank; the test plays the other one.
class Stage final : Transport::Handler {
public:
  explicit Stage(uint32_t real) : other_(1 - real), hub_(2) {
    program_ = real == 0 ? &loop_.first() : &loop_.second();
    program_->variable("v", DType::kF32, Shape{2});
    member_ = std::make_unique<Member>(program_->buildProgram(), systemThreads(), clock_);
    options_.workers = 0;
    options_.print = [](std::string_view) {};
    member_->executor().setOptions(options_);
    realEnd_ = hub_.endpoint(real);
    end_ = hub_.endpoint(other_);
    member_->attach(*realEnd_);
  }

  Member &member() { return *member_; }
  void limit(Limit limit, uint64_t value) {
    options_.limits.set(limit, value);
    member_->executor().setOptions(options_);
  }
  void say(MessageType type, const PayloadWriter &payload = {}, uint32_t step = 0,
           uint32_t subject = 0, uint8_t flags = 0, uint16_t count = 0) {
    MessageHeader header;
    header.type = static_cast<uint8_t>(type);
    header.flags = flags;
    header.count = count;
    header.subject = subject;
    header.step = step;
    end_->send(1 - other_, header, payload.bytes());
    end_->flush();
    act();
  }
  void act() {
    for (int i = 0; i < 100; ++i) {
      (void)member_->progress();
      (void)end_->poll(*this);
    }
  }
  // As rank 1.
  void ready() { say(MessageType::kReady); }
  void startCall() {
    Tensor limit = Tensor::scalar<int32_t>(100);
    member_->startCall(0, std::span(&limit, 1));
    act();
  }
  uint32_t heard(MessageType type) { return heard_[static_cast<uint8_t>(type)]; }

private:
  Result<uint64_t> admit(uint32_t, const MessageHeader &) override { return kLargestMessage; }
  void receive(uint32_t, const MessageHeader &header, std::span<const char>) override {
    ++heard_[header.type];
  }
  void lost(uint32_t, const Status &) override {}

  const uint32_t other_;
  SplitLoop loop_;
  GraphBuilder *program_ = nullptr;
  TestClock clock_;
  Hub hub_;
  RunOptions options_;
  std::unique_ptr<Member> member_;
  std::unique_ptr<Transport> realEnd_, end_;
  std::map<uint8_t, uint32_t> heard_;
};

PayloadWriter words(std::initializer_list<uint64_t> list) {
  PayloadWriter out;
  for (uint64_t word : list)
    out.u64(word);
  return out;
}
PayloadWriter number(uint64_t iteration, DType dtype, uint64_t bits) {
  PayloadWriter out = words({iteration, static_cast<uint64_t>(dtype)});
  out.raw(&bits, sizeOf(dtype));
  return out;
}
PayloadWriter named(const char *name, const Tensor &value) {
  PayloadWriter out;
  out.text(name);
  out.tensor(value);
  return out;
}
// Of a rank that has sent `sent` tokens to rank 0 and received `received`.
PayloadWriter report(const Status &status, uint64_t received = 0, uint64_t sent = 0) {
  PayloadWriter out;
  out.status(status);
  for (uint64_t word : {uint64_t{0}, received, sent, uint64_t{0}})
    out.u64(word);
  return out;
}
PayloadWriter declaration(uint64_t dtype) {
  PayloadWriter out;
  out.text("w");
  out.u64(dtype);
  out.shape(Shape{2});
  return out;
}

struct Scene {
  const char *name;
  uint32_t real;
  std::function<void(Stage &)> play;
  const char *expected;
};

class HostilePeer : public testing::TestWithParam<Scene> {};

TEST_P(HostilePeer, isRefused) {
  const Scene &scene = GetParam();
  Stage stage(scene.real);
  scene.play(stage);
  stage.act();
  ASSERT_TRUE(stage.member().ended());
  EXPECT_EQ(stage.member().end().kind, ClusterEnd::Kind::kRefused);
  const std::string text = stage.member().end().status.toString();
  EXPECT_NE(text.find(scene.expected), std::string::npos) << text;
  EXPECT_NE(text.find(scene.real == 0 ? "rank 1 " : "rank 0 "), std::string::npos) << text;
  EXPECT_TRUE(stage.member().callOver());
}

constexpr const char *kMayNot = "a message that this rank may not send";
constexpr const char *kNoEdge = "a token of an edge that does not lead here";
constexpr const char *kNoFrame = "news of a frame of which nothing goes there";

const Scene kScenes[] = {
    {"Item129UnknownType", 0, [](Stage &s) { s.say(static_cast<MessageType>(200)); },
     "unknown message type 200"},
    {"Item129FirstUnknownType", 1, [](Stage &s) { s.say(MessageType::kCount); },
     "unknown message type 30"},
    // What only rank 0 may say, and what only rank 0 is told.
    {"Item129StartByAnother", 0, [](Stage &s) { s.say(MessageType::kStart, {}, 1); }, kMayNot},
    {"Item129AbortByAnother", 0, [](Stage &s) { s.say(MessageType::kAbort); }, kMayNot},
    {"ProbeByAnother", 0, [](Stage &s) { s.say(MessageType::kProbe); }, kMayNot},
    {"ReadByAnother", 0, [](Stage &s) { s.say(MessageType::kReadVariables); }, kMayNot},
    {"WriteByAnother", 0,
     [](Stage &s) { s.say(MessageType::kWriteVariable, named("v", Tensor())); }, kMayNot},
    {"Item129ReportToAnother", 1, [](Stage &s) { s.say(MessageType::kReport, report({})); }, kMayNot},
    {"ReadyToAnother", 1, [](Stage &s) { s.say(MessageType::kReady); }, kMayNot},
    {"VariableToAnother", 1,
     [](Stage &s) { s.say(MessageType::kVariable, named("v", Tensor())); }, kMayNot},
    // Calls.
    {"Item129StartOfACallTooFar", 1, [](Stage &s) { s.say(MessageType::kStart, {}, 2); }, kMayNot},
    {"StartOfNoSignature", 1, [](Stage &s) { s.say(MessageType::kStart, {}, 1, 7); }, kMayNot},
    {"Item129StartWithinACall", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kStart, {}, 2);
     },
     kMayNot},
    {"StartWithPayload", 1, [](Stage &s) { s.say(MessageType::kStart, words({1}), 1); },
     "type 18 with 8 bytes, expected at most 0"},
    {"Item129ReportWithoutACall", 0, [](Stage &s) { s.say(MessageType::kReport, report({})); }, kMayNot},
    {"ReportOnAnotherCall", 0,
     [](Stage &s) {
       s.ready();
       s.startCall();
       s.say(MessageType::kReport, report({}), 2);
     },
     kMayNot},
    {"ReportTwice", 0,
     [](Stage &s) {
       s.ready();
       s.startCall();
       s.say(MessageType::kReport, report({}), 1);
       s.say(MessageType::kReport, report({}), 1);
     },
     kMayNot},
    {"ReportCut", 0,
     [](Stage &s) {
       s.ready();
       s.startCall();
       s.say(MessageType::kReport, words({0, 0, 0, 0}), 1);
     },
     "a truncated report"},
    {"ProbeReplyCut", 0, [](Stage &s) { s.say(MessageType::kProbeReply, words({1})); },
     "a truncated answer to a probe"},
    // Variables.
    {"ReadyTwice", 0,
     [](Stage &s) {
       s.ready();
       s.ready();
     },
     kMayNot},
    {"DeclarationTooLate", 0,
     [](Stage &s) {
       s.ready();
       s.say(MessageType::kDeclaration, declaration(2));
     },
     kMayNot},
    {"DeclarationOfNoType", 0,
     [](Stage &s) { s.say(MessageType::kDeclaration, declaration(1000)); },
     "a damaged declaration"},
    {"DeclarationOfAHandle", 0,
     [](Stage &s) {
       s.say(MessageType::kDeclaration, declaration(static_cast<uint64_t>(DType::kHandle)));
     },
     "a damaged declaration"},
    {"Item129VariableNotAskedFor", 0,
     [](Stage &s) {
       s.say(MessageType::kDeclaration, declaration(2));
       s.ready();
       s.say(MessageType::kVariable, named("w", Tensor()));
     },
     kMayNot},
    {"VariableNotDeclared", 0,
     [](Stage &s) {
       s.ready();
       s.member().requestVariables();
       s.say(MessageType::kVariable, named("v", Tensor()));
     },
     "a variable that it has not declared"},
    {"VariableOfAnotherType", 0,
     [](Stage &s) {
       s.say(MessageType::kDeclaration, declaration(static_cast<uint64_t>(DType::kF32)));
       s.ready();
       s.member().requestVariables();
       s.say(MessageType::kVariable, named("w", Tensor::scalar<int64_t>(1)));
     },
     "a value of type i64 for variable 'w'"},
    {"VariablesEndTwice", 0,
     [](Stage &s) {
       s.ready();
       s.member().requestVariables();
       s.say(MessageType::kVariablesEnd, words({0, 0, 0}));
       s.say(MessageType::kVariablesEnd, words({0, 0, 0}));
     },
     kMayNot},
    {"VariablesEndCut", 0,
     [](Stage &s) {
       s.ready();
       s.member().requestVariables();
       s.say(MessageType::kVariablesEnd, words({0}));
     },
     "a truncated end of variables"},
    {"WriteOfAnotherType", 1,
     [](Stage &s) {
       s.say(MessageType::kWriteVariable, named("v", Tensor::scalar<int64_t>(1)));
     },
     "a value of type i64 for variable 'v'"},
    {"WriteOfAnotherVariable", 1,
     [](Stage &s) { s.say(MessageType::kWriteVariable, named("w", Tensor())); },
     "a value of a variable that does not live here"},
    {"WriteCut", 1,
     [](Stage &s) {
       PayloadWriter name;
       name.text("v");
       s.say(MessageType::kWriteVariable, name);
     },
     "got a truncated tensor"},
    {"WriteWithinACall", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kWriteVariable, named("v", Tensor()));
     },
     kMayNot},
    // The end of the cluster.
    {"RootCauseOfNoKind", 0,
     [](Stage &s) { s.say(MessageType::kRootCause, words({14, 0, 0}), 0, 0, 0); }, kMayNot},
    {"RootCauseOfAnotherKind", 0,
     [](Stage &s) { s.say(MessageType::kRootCause, words({14, 0, 0}), 0, 0, 4); }, kMayNot},
    {"RootCauseOfNothing", 0,
     [](Stage &s) { s.say(MessageType::kRootCause, words({0, 0, 0}), 0, 0, 1); },
     "a root cause that cannot be read"},
    {"RootCauseCut", 1, [](Stage &s) { s.say(MessageType::kRootCause, words({14}), 0, 0, 1); },
     "a root cause that cannot be read"},
    // Tokens.
    {"Item130TokenOfNoEdge", 1,
     [](Stage &s) { s.say(MessageType::kToken, words({0}), 1, 1000, kDeadToken); }, kNoEdge},
    {"Item130TokenOfAnEdgeFromHere", 1,
     [](Stage &s) { s.say(MessageType::kToken, words({0}), 1, kSum, kDeadToken); }, kNoEdge},
    {"TokenOfNoSignature", 1,
     [](Stage &s) { s.say(MessageType::kToken, words({0}), 1, kBody, kDeadToken, 9); }, kNoEdge},
    {"Item130TokenOfACallTooFar", 1,
     [](Stage &s) { s.say(MessageType::kToken, words({0}), 2, kBody, kDeadToken); }, kNoEdge},
    {"TokenOfACallThatRankZeroHasNotBegun", 0,
     [](Stage &s) { s.say(MessageType::kToken, words({0}), 1, kSum, kDeadToken); }, kNoEdge},
    {"Item131TokenTooLarge", 1,
     [](Stage &s) { s.say(MessageType::kToken, words({0, 0, 0}), 1, kBody, kTokenHasValue); },
     "type 16 with 24 bytes, expected at most 20"},
    {"Item131TokenOfAnotherType", 1,
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
    {"Item130TokenTwice", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       for (int i = 0; i < 2; ++i)
         s.say(MessageType::kToken, number(0, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got a second message for one iteration"},
    {"Item130TokenTwiceBeforeItsIteration", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       for (int i = 0; i < 2; ++i)
         s.say(MessageType::kToken, number(1, DType::kI32, 5), 1, kBody, kTokenHasValue);
       s.say(MessageType::kToken, number(0, DType::kBool, 1), 1, kPredicate, kTokenHasValue);
     },
     "node 'recv body': got a second message for one iteration"},
    {"Item134FloodOfOneEarlyToken", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       for (int i = 0; i < 300; ++i)
         s.say(MessageType::kToken, number(1, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got a second message for one iteration"},
    {"Item134FloodOfEarlyTokens", 1,
     [](Stage &s) {
       s.limit(Limit::kEarlyTokens, 3);
       s.say(MessageType::kStart, {}, 1);
       for (uint64_t i = 1; i < 5; ++i)
         s.say(MessageType::kToken, number(i, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got more than 3 tokens for iterations that have not begun here"},
    {"Item134FloodBeforeTheCall", 1,
     [](Stage &s) {
       s.limit(Limit::kEarlyTokens, 3);
       for (int i = 0; i < 4; ++i)
         s.say(MessageType::kToken, number(0, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "more than 3 messages or 1073741824 bytes for a call that has not begun here"},
    {"Item134LargeFloodBeforeTheCall", 1,
     [](Stage &s) {
       s.limit(Limit::kEarlyBytes, 50);
       for (int i = 0; i < 3; ++i)
         s.say(MessageType::kToken, number(0, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "or 50 bytes for a call that has not begun here"},
    {"Item130TokenBeyondTheWindow", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kToken, number(10, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got a message from beyond the window"},
    {"Item130TokenOfTheLastIterationOfAll", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kToken, number(~uint64_t{0}, DType::kI32, 5), 1, kBody, kTokenHasValue);
     },
     "node 'recv body': got a message from beyond the window"},
    {"Item130TokenOfAnIterationThatIsOver", 1,
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

INSTANTIATE_TEST_SUITE_P(Scenes, HostilePeer, testing::ValuesIn(kScenes),
                         [](const auto &info) { return std::string(info.param.name); });

// A rank that only receives in a frame has nobody to hear of.
TEST(HostilePeer, newsOfAFrameIntoWhichNothingIsSentAreRefused) {
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
  start.step = news.step = news.subject = 1;
  other->send(1, start, {});
  PayloadWriter retired = words({1});
  other->send(1, news, retired.bytes());
  other->flush();
  (void)member.progress();
  EXPECT_EQ(member.end().kind, ClusterEnd::Kind::kRefused);
  EXPECT_NE(member.end().status.message().find(kNoFrame), std::string::npos);
}

// What is late is no mistake.
TEST(HostilePeer, tokensOfCallsThatAreOverAreDropped) {
  Stage stage(0);
  stage.ready();
  stage.startCall();
  stage.say(MessageType::kReport, report(Status(Code::kInternal, "broken")), 1);
  EXPECT_TRUE(stage.member().callOver());
  EXPECT_EQ(stage.member().takeResult().status().message(), "broken");
  EXPECT_EQ(stage.heard(MessageType::kAbort), 1u);
  stage.say(MessageType::kToken, number(0, DType::kI32, 1), 1, kSum, kTokenHasValue);
  stage.startCall();
  stage.say(MessageType::kToken, number(0, DType::kI32, 1), 1, kSum, kTokenHasValue);
  EXPECT_FALSE(stage.member().ended());
}

TEST(HostilePeer, aStatusThatDoesNotExistIsAnUnknownOne) {
  Stage stage(0);
  stage.ready();
  stage.startCall();
  PayloadWriter out = words({999, 0, 0, 0, 0, 0, 0});
  stage.say(MessageType::kReport, out, 1);
  ASSERT_TRUE(stage.member().callOver());
  EXPECT_EQ(stage.member().takeResult().status().toString(), "UNKNOWN: ");
}

// Answers that were not asked for do not count.
TEST(HostilePeer, cannotFeignAStall) {
  Stage stage(0);
  stage.ready();
  stage.startCall();
  for (uint32_t round = 0; round < 5; ++round)
    stage.say(MessageType::kProbeReply, words({1, 0, 1000, 0}), 1, round + 100);
  EXPECT_FALSE(stage.member().callOver());
}

} // namespace
} // namespace sluice::rt
