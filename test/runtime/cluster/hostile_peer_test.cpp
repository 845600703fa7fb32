// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A peer that says what it may not about calls, variables and the end of the cluster.
#include "test/runtime/cluster/played_peer.h"

namespace sluice::rt {
namespace {

PayloadWriter declaration(uint64_t dtype, const std::string &name = "w") {
  PayloadWriter out;
  out.text(name);
  out.u64(dtype);
  out.shape(Shape{2});
  return out;
}

constexpr const char *kMayNot = "a message that this rank may not send";

const Scene kScenes[] = {
    {"UnknownType", 0, [](Stage &s) { s.say(static_cast<MessageType>(200)); },
     "unknown message type 200"},
    {"FirstUnknownType", 1, [](Stage &s) { s.say(MessageType::kCount); },
     "unknown message type 33"},
    // What only rank 0 may say, and what only rank 0 is told.
    {"StartByAnother", 0, [](Stage &s) { s.say(MessageType::kStart, {}, 1); }, kMayNot},
    {"AllowanceByAnother", 0, [](Stage &s) { s.say(MessageType::kAllowCalls, {}, 0, 2); }, kMayNot},
    {"AbortByAnother", 0, [](Stage &s) { s.say(MessageType::kAbort); }, kMayNot},
    {"ProbeByAnother", 0, [](Stage &s) { s.say(MessageType::kProbe); }, kMayNot},
    {"ReadByAnother", 0, [](Stage &s) { s.say(MessageType::kReadVariables); }, kMayNot},
    {"WriteByAnother", 0,
     [](Stage &s) { s.say(MessageType::kWriteVariable, named("v", Tensor())); }, kMayNot},
    {"ReportToAnother", 1, [](Stage &s) { s.say(MessageType::kReport, report({})); }, kMayNot},
    {"ReadyToAnother", 1, [](Stage &s) { s.say(MessageType::kReady); }, kMayNot},
    {"VariableToAnother", 1, [](Stage &s) { s.say(MessageType::kVariable, named("v", Tensor())); },
     kMayNot},
    // Calls.
    {"StartOfACallTooFar", 1, [](Stage &s) { s.say(MessageType::kStart, {}, 2); }, kMayNot},
    {"StartOfNoSignature", 1, [](Stage &s) { s.say(MessageType::kStart, {}, 1, 7); }, kMayNot},
    {"StartWithinACall", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kStart, {}, 2);
     },
     kMayNot},
    {"StartBeyondWhatIsAllowed", 1,
     [](Stage &s) {
       s.say(MessageType::kAllowCalls, {}, 0, 2);
       for (uint32_t call : {1u, 2u, 3u})
         s.say(MessageType::kStart, {}, call);
     },
     kMayNot},
    {"AllowanceOfNoCalls", 1, [](Stage &s) { s.say(MessageType::kAllowCalls, {}, 0, 0); }, kMayNot},
    {"AllowanceOfTooMany", 1, [](Stage &s) { s.say(MessageType::kAllowCalls, {}, 0, 1025); },
     kMayNot},
    {"AllowanceWithinACall", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kAllowCalls, {}, 0, 2);
     },
     kMayNot},
    {"ProbeOfTooManyCalls", 1, [](Stage &s) { s.say(MessageType::kProbe, words({1, 2})); },
     "with 16 bytes, expected at most 8"},
    {"StartWithPayload", 1, [](Stage &s) { s.say(MessageType::kStart, words({1}), 1); },
     "type 18 with 8 bytes, expected at most 0"},
    {"AbortWithPayload", 1, [](Stage &s) { s.say(MessageType::kAbort, words({1})); },
     "with 8 bytes, expected at most 0"},
    {"ReadyWithPayload", 0, [](Stage &s) { s.say(MessageType::kReady, words({1})); },
     "with 8 bytes, expected at most 0"},
    {"ReportTooLong", 0,
     [](Stage &s) {
       s.ready();
       s.startCall();
       PayloadWriter out;
       out.text(std::string(1 << 20, ' '));
       s.say(MessageType::kReport, out, 1);
     },
     "with 1048584 bytes, expected at most 1048576"},
    {"ReportWithoutACall", 0, [](Stage &s) { s.say(MessageType::kReport, report({})); }, kMayNot},
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
    {"DeclarationsWithoutEnd", 0,
     [](Stage &s) {
       s.limit(Limit::kDeclarationBytes, 100'000);
       for (int i = 0; i < 1000 && !s.member().ended(); ++i)
         s.say(MessageType::kDeclaration, declaration(2, "w" + std::to_string(i)));
     },
     "beyond the limit of 100000 bytes; see --limit declaration-bytes"},
    {"DeclarationOfALongName", 0,
     [](Stage &s) { s.say(MessageType::kDeclaration, declaration(2, std::string(2 << 20, 'w'))); },
     "expected at most 1052672"},
    {"DeclarationTwice", 0,
     [](Stage &s) {
       s.say(MessageType::kDeclaration, declaration(2));
       s.say(MessageType::kDeclaration, declaration(2));
     },
     "a declaration of variable 'w', which another rank has"},
    {"DeclarationOfWhatIsHere", 0,
     [](Stage &s) { s.say(MessageType::kDeclaration, declaration(2, "v")); },
     "a declaration of variable 'v', which another rank has"},
    {"UnknownFlags", 0, [](Stage &s) { s.say(MessageType::kReady, {}, 0, 0, /*flags=*/0x40); },
     "expected no flag but 0x0 of type 24 but got 0x40"},
    {"UnknownFlagsOfAToken", 0,
     [](Stage &s) {
       s.ready();
       s.startCall();
       s.say(MessageType::kToken, {}, 1, 2, kDeadToken | 0x80);
     },
     "expected no flag but 0x3 of type 16 but got 0x81"},
    {"VariableNotAskedFor", 0,
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
     [](Stage &s) { s.say(MessageType::kWriteVariable, named("v", Tensor::scalar<int64_t>(1))); },
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
    // Checkpoints.
    {"ShardRequestByAnother", 0,
     [](Stage &s) { s.say(MessageType::kShardRequest, words({0, 1, 0, 0})); }, kMayNot},
    {"ShardRequestWithinACall", 1,
     [](Stage &s) {
       s.say(MessageType::kStart, {}, 1);
       s.say(MessageType::kShardRequest, words({0, 1, 0, 0}));
     },
     kMayNot},
    {"ShardRequestOfNoKind", 1,
     [](Stage &s) { s.say(MessageType::kShardRequest, words({4, 1, 0, 0})); },
     "a damaged request about shards"},
    {"ShardRequestWithoutItsRecords", 1,
     [](Stage &s) { s.say(MessageType::kShardRequest, words({1, 1, UINT64_MAX, 0})); },
     "a damaged request about shards"},
    {"ShardRequestTooLong", 1,
     [](Stage &s) { s.say(MessageType::kShardRequest, words({0, 1, 0, 0, 7})); },
     "a damaged request about shards"},
    {"ShardReplyNotAskedFor", 0,
     [](Stage &s) {
       s.ready();
       s.say(MessageType::kShardReply, words({0, 0, 0, 1, 2, 3}));
     },
     kMayNot},
    {"ShardReplyTwice", 0,
     [](Stage &s) {
       s.ready();
       s.member().requestShards({});
       s.say(MessageType::kShardReply, words({0, 0, 0, 1, 2, 3}));
       s.say(MessageType::kShardReply, words({0, 0, 0, 1, 2, 3}));
     },
     kMayNot},
    {"ShardReplyCut", 0,
     [](Stage &s) {
       s.ready();
       s.member().requestShards({});
       s.say(MessageType::kShardReply, words({0, 0, 0, 1}));
     },
     "a truncated answer about shards"},
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
};

class HostilePeer : public testing::TestWithParam<Scene> {};

TEST_P(HostilePeer, isRefused) { expectRefused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Scenes, HostilePeer, testing::ValuesIn(kScenes),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(HostilePeer, aStatusThatDoesNotExistIsAnUnknownOne) {
  Stage stage(0);
  stage.ready();
  stage.startCall();
  PayloadWriter out = words({999, 0, 0, 0, 0, 0, 0, 0, 0});
  stage.say(MessageType::kReport, out, 1);
  ASSERT_TRUE(stage.member().callsOver());
  EXPECT_EQ(stage.member().takeResult(1).status().toString(), "UNKNOWN: ");
}

// A rank that has no memory for what it is sent says so; whoever sent it has done nothing wrong.
TEST(HostilePeer, thatAsksForShardsWhereThereIsNoFolderGetsAnError) {
  Stage stage(1);
  stage.say(MessageType::kShardRequest, words({0, 1, 0, 0}));
  EXPECT_FALSE(stage.member().ended());
  PayloadReader in(stage.last(MessageType::kShardReply));
  EXPECT_EQ(in.status().code(), Code::kFailedPrecondition);
}

TEST(HostilePeer, noMemoryIsNobodysFault) {
  Stage stage(1);
  auto value = Tensor::allocate(DType::kF32, Shape{1 << 20});
  ASSERT_TRUE(value.ok());
  PayloadWriter message = named("v", *value);
  value = Tensor();
  setMemoryLimit(memoryStats().liveBytes + (1 << 20));
  stage.say(MessageType::kWriteVariable, message);
  EXPECT_FALSE(stage.member().ended());
  EXPECT_EQ(stage.heard(MessageType::kReport), 0u);
  stage.say(MessageType::kStart, {}, 1);
  EXPECT_EQ(stage.heard(MessageType::kReport), 1u);
  Status status = PayloadReader(stage.last(MessageType::kReport)).status();
  setMemoryLimit(0);
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_NE(status.message().find("rank 1 (/device:CPU:1): variable 'v': "), std::string::npos)
      << status.message();
}

// What is told of a peer that goes, and that it goes in order between calls only.
TEST(HostilePeer, thatGoesIsLost) {
  for (bool calls : {false, true})
    for (bool inOrder : {false, true}) {
      Stage first(0), second(1);
      first.ready();
      if (calls)
        first.startCall();
      first.goAway(inOrder);
      const Status &status = first.member().end().status;
      EXPECT_EQ(status.code(), Code::kUnavailable);
      EXPECT_EQ(
          status.message().find(
              std::string("lost rank 1 (/device:CPU:1): rank 1: ended") +
              (inOrder ? "" : " without goodbye") +
              (calls ? "; rank 0 (/device:CPU:0): call 1: node 'recv sum' in iteration" : "")),
          0u)
          << status.message();
      EXPECT_EQ(status.message().find("; ") != std::string::npos, calls) << status.message();
      EXPECT_EQ(first.member().served().calls, calls); // it has ended its part
      if (calls)
        second.say(MessageType::kStart, {}, 1);
      second.goAway(inOrder);
      EXPECT_TRUE(second.member().ended());
      bool expected = inOrder && !calls;
      EXPECT_EQ(static_cast<bool>(second.member().end()), !expected);
    }
}

// Only rank 0 judges others, and only where it was told how long they may be silent.
TEST(HostilePeer, mayTakeItsTime) {
  for (uint32_t real : {0u, 1u}) {
    Stage stage(real);
    stage.limit(Limit::kKernelSeconds, 1);
    for (int i = 0; i < 10; ++i)
      stage.act();
    EXPECT_FALSE(stage.member().ended()) << stage.member().end().status.toString();
  }
}

// Answers that were not asked for do not count.
TEST(HostilePeer, cannotFeignAStall) {
  Stage stage(0);
  stage.ready();
  stage.startCall();
  for (uint32_t round = 0; round < 5; ++round)
    stage.say(MessageType::kProbeReply, words({1, 1, 0, 0, 0, 0}), 0, round + 100);
  EXPECT_FALSE(stage.member().callsOver());
}

} // namespace
} // namespace sluice::rt
