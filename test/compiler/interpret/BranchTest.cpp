// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dead tokens, switch, merge and control edges, without loops.
#include "test/compiler/interpret/Program.h"

namespace sluice::interpret {
namespace {

// y = p ? x + 1 : -x
const char *const kCond = R"(
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %f, %t, %s = flow.switch %x, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %a = nd.neg %f : (tensor<i32>) -> tensor<i32>
  %b = nd.add %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %v, %i, %m = flow.merge %a, %b : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  flow.fetch %v {name = "y:0"} : (tensor<i32>) -> ()
  flow.fetch %i {name = "i:0"} : (tensor<i32>) -> ()
}
)";

TEST(Branch, MergeTakesTheLiveValueAndItsPosition) {
  Program program(kCond);
  for (bool taken : {false, true}) {
    auto result = program.call({boolean(taken), i32(5)});
    ASSERT_TRUE(result.ok()) << result.status().toString();
    EXPECT_EQ((*result)[0].asInt(), taken ? 6 : -5);
    EXPECT_EQ((*result)[1].asInt(), taken ? 1 : 0);
    EXPECT_EQ(program.runner().leftoverTokens(), 0u);
  }
}

TEST(Branch, SignatureComesFromFeedsFetchesAndTypes) {
  Program program(kCond);
  ASSERT_EQ(program.runner().signatures().size(), 1u);
  const rt::SignatureInfo &info = program.runner().signatures()[0];
  EXPECT_EQ(info.name, "main");
  ASSERT_EQ(info.feeds.size(), 2u);
  EXPECT_EQ(info.feeds[0].name, "p:0");
  EXPECT_EQ(info.feeds[0].dtype, rt::DType::kBool);
  ASSERT_EQ(info.fetches.size(), 2u);
  EXPECT_EQ(info.fetches[1].name, "i:0");
}

TEST(Branch, FetchOfADeadValueIsInvalid) {
  Program program(R"(
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %f, %t, %s = flow.switch %p, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  flow.fetch %t {name = "t:0"} : (tensor<i1>) -> ()
})");
  EXPECT_TRUE(program.call({boolean(true)}).ok());
  rt::Status status = program.call({boolean(false)}).status();
  EXPECT_EQ(status.code(), rt::Code::kInvalidArgument);
  EXPECT_EQ(status.node(), "t:0");
}

TEST(Branch, TriggerIsLiveAfterDeadTokensAndJoinIsNot) {
  std::string text = R"(
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %f, %t, %s = flow.switch %p, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %a = flow.after %t : (tensor<i1>) -> !flow.token
  %b = flow.after %p : (tensor<i1>) -> !flow.token
  %j = flow.OP %a, %b : (!flow.token, !flow.token) -> !flow.token
  %g = flow.gate %p, %j : (tensor<i1>, !flow.token) -> tensor<i1>
  flow.fetch %g {name = "g:0"} : (tensor<i1>) -> ()
})";
  auto with = [&](const char *op) {
    std::string copy = text;
    return copy.replace(copy.find("OP"), 2, op);
  };
  EXPECT_TRUE(Program(with("trigger")).call({boolean(false)}).ok());
  EXPECT_TRUE(Program(with("join")).call({boolean(true)}).ok());
  EXPECT_FALSE(Program(with("join")).call({boolean(false)}).ok());
}

TEST(Branch, SwitchTokenIsLiveOnBothSides) {
  Program program(R"(
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %f, %t, %s = flow.switch %p, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %g = flow.gate %p, %s : (tensor<i1>, !flow.token) -> tensor<i1>
  flow.fetch %g {name = "g:0"} : (tensor<i1>) -> ()
})");
  EXPECT_FALSE(program.scalar<bool>({boolean(false)}));
  EXPECT_TRUE(program.scalar<bool>({boolean(true)}));
}

TEST(Branch, DeadTargetIsNoError) {
  Program program(R"(
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %f, %t, %s = flow.switch %p, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %a = flow.after %t : (tensor<i1>) -> !flow.token
  flow.target %a {name = "a"} : (!flow.token) -> ()
})");
  EXPECT_TRUE(program.call({boolean(false)}).ok());
}

// The merge gates the read; its control token comes from the assignment, which is dead on one side.
const char *const kMergeAfterAssign = R"(
state.variable @v {key = "v", type = tensor<i32>}
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %h, %ht = state.handle {variable = @v} : () -> (!state.resource<tensor<i32>>, !flow.token)
  %f, %t, %s = flow.switch %x, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %n1 = nd.neg %x : (tensor<i32>) -> tensor<i32>
  %n2 = nd.neg %n1 : (tensor<i32>) -> tensor<i32>
  %n3 = nd.add %n2, %t : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %done = state.assign %h, %n3 {validate_shape = true} : (!state.resource<tensor<i32>>, tensor<i32>) -> !flow.token
  %v, %i, %m = flow.merge %f, %t, %done : (tensor<i32>, tensor<i32>, !flow.token) -> (tensor<i32>, tensor<i32>, !flow.token)
  %r, %rt = state.read %h, %v : (!state.resource<tensor<i32>>, tensor<i32>) -> (tensor<i32>, !flow.token)
  flow.fetch %r {name = "r:0"} : (tensor<i32>) -> ()
})";

TEST(Branch, MergeWaitsForControlTokensButIgnoresTheirDeadness) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Program program(kMergeAfterAssign);
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    EXPECT_EQ(program.scalar<int32_t>({boolean(true), i32(3)}), 6);
    EXPECT_EQ(program.scalar<int32_t>({boolean(false), i32(4)}), 6);
  }
}

TEST(Branch, TwoLiveValuesAreInvalidUnderEverySchedule) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %y = nd.neg %x : (tensor<i32>) -> tensor<i32>
  %v, %i, %t = flow.merge %x, %y : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token) loc("pick")
  flow.fetch %v {name = "v:0"} : (tensor<i32>) -> ()
})");
  for (uint64_t seed = 0; seed < 20; ++seed) {
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    rt::Status status = program.call({i32(1)}).status();
    EXPECT_EQ(status.code(), rt::Code::kInvalidArgument);
    EXPECT_EQ(status.node(), "pick");
  }
}

TEST(Branch, MergeTakesAConstantOnlyWhenAllElseIsDead) {
  Program program(R"(
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %c = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  %f, %t, %s = flow.switch %x, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %v, %i, %m = flow.merge %c, %t : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %only, %oi, %om = flow.merge %c, %s : (tensor<i32>, !flow.token) -> (tensor<i32>, tensor<i32>, !flow.token)
  flow.fetch %v {name = "v:0"} : (tensor<i32>) -> ()
  flow.fetch %i {name = "i:0"} : (tensor<i32>) -> ()
  flow.fetch %only {name = "only:0"} : (tensor<i32>) -> ()
  flow.fetch %c {name = "c:0"} : (tensor<i32>) -> ()
})");
  for (bool taken : {false, true}) {
    auto result = program.call({boolean(taken), i32(3)});
    ASSERT_TRUE(result.ok()) << result.status().toString();
    EXPECT_EQ((*result)[0].asInt(), taken ? 3 : 7);
    EXPECT_EQ((*result)[1].asInt(), taken ? 1 : 0);
    EXPECT_EQ((*result)[2].asInt(), 7);
    EXPECT_EQ((*result)[3].asInt(), 7);
    EXPECT_EQ(program.runner().leftoverTokens(), 0u);
  }
}

TEST(Branch, KernelErrorsNameTheNodeEvenInFusedLocations) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %y = flow.feed {name = "y:0"} : () -> tensor<i32>
  %z = nd.floor_div %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(fused["quotient", "other"])
  flow.fetch %z {name = "z:0"} : (tensor<i32>) -> ()
})");
  EXPECT_EQ(program.scalar<int32_t>({i32(7), i32(2)}), 3);
  rt::Status status = program.call({i32(7), i32(0)}).status();
  EXPECT_EQ(status.code(), rt::Code::kInvalidArgument);
  EXPECT_EQ(status.node(), "quotient");
}

TEST(Branch, ResultsMustKeepTheCompilersPromises) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<*xi32>
  %y = nd.neg %x : (tensor<*xi32>) -> tensor<3xi32> loc("promise")
  flow.fetch %y {name = "y:0"} : (tensor<3xi32>) -> ()
})");
  rt::Status status = program.call({i32(1)}).status();
  EXPECT_EQ(status.code(), rt::Code::kInternal);
  EXPECT_EQ(status.node(), "promise");
}

} // namespace
} // namespace sluice::interpret
