// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of functions: instances of a function's frame, and the way back.
#include "test/runtime/executor/graph_builder.h"

namespace sluice::rt {
namespace {

constexpr DType i32 = DType::kI32;

// down(n) = n <= 0 ? 0 : 1 + down(n - 1), so n for what is not negative; `branches` times itself,
// added up, if it is more than once.
struct Down {
  explicit Down(int branches = 1) {
    uint32_t frame = g.frame("down", 1);
    g.signature().frames[frame].isFunction = true;
    n = g.feed("n:0", i32);
    call("call", 0, n, frame);
    g.fetch("r:0", g.last(), i32);
    g.add(NodeKind::kArgument, "n", frame, {}, 1);
    auto argument = g.last();
    auto zero = g.constant<int32_t>(0), one = g.constant<int32_t>(1);
    auto isMore = g.kernel("nd.less", "less", frame, {zero, argument}, {i32, i32}, DType::kBool);
    g.add(NodeKind::kSwitch, "switch", frame, {argument, isMore}, 3);
    auto stop = g.last(0), goOn = g.last(1);
    auto next = g.kernel("nd.sub", "sub", frame, {goOn, one}, {i32, i32}, i32);
    auto sum = one;
    for (int k = 0; k < branches; ++k) {
      call("again", frame, next, frame);
      sum = g.kernel("nd.add", "add", frame, {g.last(), sum}, {i32, i32}, i32);
    }
    auto nothing = g.kernel("nd.mul", "zero", frame, {stop, zero}, {i32, i32}, i32);
    g.add(NodeKind::kMerge, "merge", frame, {nothing, sum}, 3);
    g.add(NodeKind::kReturn, "return", frame, {g.last()}, 0);
  }

  void call(const char *name, uint32_t from, GraphBuilder::Value argument, uint32_t callee) {
    NodeDesc &node = g.add(NodeKind::kCall, name, from, {argument}, 2);
    node.child = callee;
    node.outputTypes = {i32};
    node.outputIsScalar = {true};
  }

  GraphBuilder g;
  GraphBuilder::Value n;
};

TEST(Calls, AFunctionMayCallItself) {
  Down down;
  auto executor = down.g.build();
  for (int32_t n : {-3, 0, 1, 2, 500}) {
    auto result = executor->call(0, std::vector{Tensor::scalar<int32_t>(n)});
    ASSERT_TRUE(result.ok()) << result.status().toString();
    EXPECT_EQ(*(*result)[0].data<int32_t>(), std::max(n, 0));
    EXPECT_EQ(executor->leftoverTokens(), 0u);
  }
}

TEST(Calls, TheOrderOfFiringsDoesNotMatter) {
  Down down(2); // 2^n - 1
  for (uint64_t seed = 0; seed < 20; ++seed) {
    auto executor = down.g.build();
    RunOptions options;
    options.scheduleSeed = seed;
    executor->setOptions(options);
    auto result = executor->call(0, std::vector{Tensor::scalar<int32_t>(9)});
    ASSERT_TRUE(result.ok()) << result.status().toString();
    EXPECT_EQ(*(*result)[0].data<int32_t>(), 511);
  }
}

// Otherwise 2^40 instances would be alive at a time before the first one returns.
TEST(Calls, InstancesAreAsManyAsCallsAreDeep) {
  Down down(2);
  auto executor = down.g.build();
  RunOptions options;
  options.limits.set(Limit::kCallDepth, 30);
  executor->setOptions(options);
  auto result = executor->call(0, std::vector{Tensor::scalar<int32_t>(40)});
  EXPECT_EQ(result.status().code(), Code::kResourceExhausted);
  EXPECT_LT(statOf(*executor, "frames_entered"), 100);
}

TEST(Calls, TooManyWithinEachOtherAreNamed) {
  Down down;
  auto executor = down.g.build();
  RunOptions options;
  options.limits.set(Limit::kCallDepth, 10);
  executor->setOptions(options);
  auto good = executor->call(0, std::vector{Tensor::scalar<int32_t>(9)});
  EXPECT_TRUE(good.ok()) << good.status().toString();
  auto bad = executor->call(0, std::vector{Tensor::scalar<int32_t>(10)});
  EXPECT_EQ(bad.status().code(), Code::kResourceExhausted);
  EXPECT_NE(bad.status().toString().find("node 'again': expected at most 10 calls within each "
                                         "other; here 'down', called by 'down'"),
            std::string::npos)
      << bad.status().toString();
  auto after = executor->call(0, std::vector{Tensor::scalar<int32_t>(3)});
  ASSERT_TRUE(after.ok()) << after.status().toString();
  EXPECT_EQ(*(*after)[0].data<int32_t>(), 3);
}

// A call on a branch that is not taken does not happen.
TEST(Calls, ADeadCallGivesDeadResults) {
  Down down;
  GraphBuilder &g = down.g;
  auto p = g.feed("p:0", DType::kBool);
  g.add(NodeKind::kSwitch, "branch", 0, {down.n, p}, 3);
  auto onFalse = g.last(0), onTrue = g.last(1);
  down.call("guarded", 0, onTrue, 1);
  g.add(NodeKind::kMerge, "choice", 0, {onFalse, g.last()}, 3);
  g.fetch("c:0", g.last(), i32);
  auto executor = g.build();
  for (bool taken : {true, false}) {
    double before = statOf(*executor, "frames_entered");
    auto result =
        executor->call(0, std::vector{Tensor::scalar<int32_t>(-4), Tensor::scalar<bool>(taken)});
    ASSERT_TRUE(result.ok()) << result.status().toString();
    EXPECT_EQ(*(*result)[1].data<int32_t>(), taken ? 0 : -4);
    EXPECT_EQ(statOf(*executor, "frames_entered") - before, taken ? 2 : 1);
  }
}

// The value on the other branch is nothing that can be returned.
TEST(Calls, AFunctionReturnsNothingDead) {
  GraphBuilder g;
  uint32_t frame = g.frame("half", 1);
  g.signature().frames[frame].isFunction = true;
  auto p = g.feed("p:0", DType::kBool);
  NodeDesc &call = g.add(NodeKind::kCall, "call", 0, {p}, 2);
  call.child = frame;
  call.outputTypes = {DType::kBool};
  call.outputIsScalar = {true};
  g.fetch("r:0", g.last(), DType::kBool);
  g.add(NodeKind::kArgument, "p", frame, {}, 1);
  auto argument = g.last();
  g.add(NodeKind::kSwitch, "switch", frame, {argument, argument}, 3);
  g.add(NodeKind::kReturn, "return", frame, {g.last(1)}, 0);
  auto executor = g.build();
  EXPECT_TRUE(executor->call(0, std::vector{Tensor::scalar<bool>(true)}).ok());
  auto result = executor->call(0, std::vector{Tensor::scalar<bool>(false)});
  EXPECT_EQ(result.status().code(), Code::kInvalidArgument);
  EXPECT_NE(result.status().toString().find("function 'half' returns a dead tensor"),
            std::string::npos)
      << result.status().toString();
}

} // namespace
} // namespace sluice::rt
