// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that fail, on whatever rank and for whatever reason: they end, and the next call is as good
// as if they had not been.
#include "test/runtime/cluster/pair.h"
#include "test/runtime/cluster/split_loop.h"

namespace sluice::rt {
namespace {

std::unique_ptr<Runner> start(std::vector<std::unique_ptr<Program>> programs, bool simulated,
                              uint64_t seed = 0) {
  auto runner = makeInProcessCluster(std::move(programs), {simulated});
  RunOptions options;
  if (simulated)
    options.scheduleSeed = seed;
  options.workers = 2;
  options.print = [](std::string_view) {};
  runner->setOptions(options);
  return runner;
}

// Failing and good calls in turn; nothing of the former is left for the latter.
void checkCalls(Runner &runner, int calls) {
  for (int call = 0; call < calls; ++call) {
    int32_t limit = call % 3 == 1 ? 40 : call % 4; // beyond 3 it fails, in the middle of the loop
    Tensor feed = Tensor::scalar(limit);
    auto result = runner.call(0, std::span(&feed, 1));
    ASSERT_EQ(result.ok(), limit <= 3) << "call " << call << ": " << result.status().toString();
    if (!result.ok()) {
      EXPECT_EQ(result.status().node(), "divide");
      continue;
    }
    EXPECT_EQ(*(*result)[0].data<int32_t>(), limit);
    EXPECT_EQ(runner.leftoverTokens(), 0u);
  }
}

TEST(CallFaults, oneHundredCallsInARow) {
  for (uint32_t window : {1u, 2u, 10u}) {
    SplitLoop loop(window, SplitLoop::Addition::kFailsAtThree);
    checkCalls(*start(loop.programs(), /*simulated=*/false), 100);
  }
}

TEST(CallFaults, everyScheduleOfThem) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SplitLoop loop(seed % 4 + 1, SplitLoop::Addition::kFailsAtThree);
    checkCalls(*start(loop.programs(), /*simulated=*/true, seed), 12);
  }
}

// Rank 1 waits for a token that rank 0 never sends.
class Stall {
public:
  Stall() {
    first_.makeRank(0, 2);
    auto x = first_.feed("x", DType::kI32);
    first_.fetch("x", x, DType::kI32);
    second_.makeRank(1, 2);
    (void)second_.recv("never sent", 0, {}, DType::kI32, 0, 0);
  }
  std::vector<std::unique_ptr<Program>> programs() {
    std::vector<std::unique_ptr<Program>> list;
    list.push_back(first_.buildProgram());
    list.push_back(second_.buildProgram());
    return list;
  }

private:
  GraphBuilder first_, second_;
};

TEST(CallFaults, aCallThatCannotGoOnEnds) {
  for (bool simulated : {false, true}) {
    Stall stall;
    auto runner = start(stall.programs(), simulated);
    Tensor feed = Tensor::scalar<int32_t>(1);
    for (int call = 0; call < 3; ++call) {
      auto result = runner->call(0, std::span(&feed, 1));
      ASSERT_FALSE(result.ok());
      EXPECT_EQ(result.status().code(), Code::kFailedPrecondition);
      EXPECT_EQ(result.status().message(),
                format("the call cannot go on: rank 0 (/device:CPU:0): its part of the call is "
                       "over; rank 1 (/device:CPU:1): call %d: node 'never sent' waits for a "
                       "message from rank 0",
                       call + 1));
    }
    EXPECT_FALSE(runner->clusterEnd());
  }
}

// The code that other ranks end with when a call is aborted may be a model's own, too.
TEST(CallFaults, aModelThatIsCancelledHasFailed) {
  static constexpr Kernel kCancelled{
      nullptr, [](KernelCall &) { return Status(Code::kCancelled, "of its own accord"); },
      Kernel::kAllocates | Kernel::kStateful};
  for (uint32_t failing : {0u, 1u})
    for (bool simulated : {false, true}) {
      GraphBuilder ranks[2];
      std::vector<std::unique_ptr<Program>> programs;
      for (uint32_t rank : {0u, 1u}) {
        GraphBuilder &g = ranks[rank];
        g.makeRank(rank, 2);
        if (rank == failing)
          (void)g.kernel(kCancelled, "cancelled", 0, {g.constant<int32_t>(0)}, DType::kI32);
        if (rank == 0)
          g.fetch("x", g.feed("x", DType::kI32), DType::kI32);
        programs.push_back(g.buildProgram());
      }
      auto runner = start(std::move(programs), simulated);
      Tensor feed = Tensor::scalar<int32_t>(1);
      auto result = runner->call(0, std::span(&feed, 1));
      ASSERT_FALSE(result.ok()) << "rank " << failing;
      EXPECT_EQ(result.status().toString(), "CANCELLED: node 'cancelled': of its own accord");
    }
}

// A token that could not be sent must not count as one that is under way for ever.
TEST(CallFaults, aTokenThatIsTooLargeFailsItsCallOnly) {
  GraphBuilder first, second;
  first.makeRank(0, 2);
  auto x = first.feed("x", DType::kU8);
  first.send("send x", 0, x, 0, 1);
  first.fetch("x", x, DType::kU8);
  second.makeRank(1, 2);
  auto received = second.recv("recv x", 0, {}, DType::kU8, 0, 0);
  second.node(received).wireShape = Shape::unknownRank();
  (void)second.recv("never sent", 0, {}, DType::kI32, 1, 0);
  TestClock clock;
  Pair pair(first, second, clock);
  char nothing = 0;
  Tensor huge = *Tensor::view(DType::kU8, Shape{int64_t{1} << 32}, &nothing);
  pair.first().startCall(0, std::span(&huge, 1));
  ASSERT_TRUE(pair.finishCall());
  Status status = pair.first().takeResult(1).status();
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_EQ(status.node(), "send x");

  Tensor small = *Tensor::allocate(DType::kU8, Shape{3});
  pair.first().startCall(0, std::span(&small, 1));
  ASSERT_TRUE(pair.finishCall()) << "the stall was not noticed";
  EXPECT_EQ(pair.first().takeResult(2).status().code(), Code::kFailedPrecondition);
}

TEST(CallFaults, variablesBeyondOneMessageAreAnErrorAndNoMore) {
  GraphBuilder first, second;
  first.makeRank(0, 2);
  second.makeRank(1, 2);
  second.variable("small", DType::kU8, Shape{Shape::kUnknown});
  second.variable("table", DType::kU8, Shape{Shape::kUnknown});
  Pair pair(first, second);
  while (!pair.first().allReady())
    pair.act();
  char nothing = 0;
  Tensor huge = *Tensor::view(DType::kU8, Shape{int64_t{1} << 32}, &nothing);
  auto read = [&] {
    pair.first().requestVariables();
    while (!pair.first().variablesHere())
      pair.act();
    return pair.first().takeVariablesStatus();
  };
  Variable &table = *pair.second().executor().variables()[1];
  table.value = huge;
  Status status = read();
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_NE(status.message().find("'table'"), std::string::npos) << status.message();
  table.value = Tensor::scalar<uint8_t>(7);
  EXPECT_TRUE(read().ok());
  EXPECT_EQ(*pair.first().remoteVariables()[1]->value.data<uint8_t>(), 7);

  pair.first().remoteVariables()[1]->value = huge;
  EXPECT_EQ(pair.first().sendVariables().code(), Code::kResourceExhausted);
  EXPECT_FALSE(pair.first().ended());
}

// Rank 0 has a loop whose second iteration has nothing to do; that there is room for it comes last.
TEST(CallFaults, anIterationWithNothingToDoRetires) {
  GraphBuilder first, second;
  first.makeRank(0, 2);
  auto x = first.feed("x", DType::kI32);
  uint32_t frame = first.frame("loop", 1);
  auto enter = first.enter("enter", frame, x);
  first.send("send", frame, enter, 0, 1);
  first.add(NodeKind::kNextIteration, "next", frame, {enter}, 1);
  second.makeRank(1, 2);
  frame = second.frame("loop", 1);
  auto gate = second.enter("enter", frame, second.constant<bool>(true));
  (void)second.recv("recv", frame, {gate}, DType::kI32, 0, 0);
  Pair pair(first, second);
  Tensor feed = Tensor::scalar<int32_t>(1);
  pair.first().startCall(0, std::span(&feed, 1));
  for (int i = 0; i < 100; ++i)
    pair.act();
  ASSERT_TRUE(pair.first().callsOver());
  EXPECT_TRUE(pair.first().takeResult(1).ok());
}

// Rank 0 goes round twice, rank 1 believes that there is one iteration only.
TEST(CallFaults, aTokenForAnIterationThatNeverIsCountsAsLeftover) {
  GraphBuilder first, second;
  first.makeRank(0, 2);
  uint32_t frame = first.frame("loop", 10);
  auto loop =
      addCountingLoop(first, frame, first.constant<int32_t>(0), first.feed("limit", DType::kI32));
  first.send("send", frame, loop.merge, 0, 1);
  second.makeRank(1, 2);
  frame = second.frame("loop", 10);
  auto gate = second.enter("enter", frame, second.constant<bool>(true));
  (void)second.recv("recv", frame, {gate}, DType::kI32, 0, 0);
  Pair pair(first, second);
  Tensor limit = Tensor::scalar<int32_t>(1);
  pair.first().startCall(0, std::span(&limit, 1));
  while (pair.first().progress()) {
  }
  ASSERT_TRUE(pair.finishCall());
  EXPECT_TRUE(pair.first().takeResult(1).ok());
  EXPECT_EQ(pair.first().leftoverTokens(), 1u);
}

// Products on workers of rank 0 are under way when rank 1 fails.
TEST(CallFaults, kernelsOnWorkersEndBeforeTheirOperandsDo) {
  GraphBuilder first, second;
  first.makeRank(0, 2);
  auto x = first.feed("x", DType::kF32);
  auto divisor = first.feed("divisor", DType::kI32);
  first.send("send", 0, divisor, 0, 1);
  std::vector<AttrDesc> attrs(4, intAttr(0)); // nothing is transposed
  for (const char *name : {"a", "b", "c", "d"}) {
    auto y =
        first.kernel("nd.matmul", name, 0, {x, x}, {DType::kF32, DType::kF32}, DType::kF32, false);
    first.node(y).attrs = attrs;
    first.fetch(name, y, DType::kF32);
  }
  second.makeRank(1, 2);
  auto received = second.recv("recv", 0, {}, DType::kI32, 0, 0);
  second.kernel("nd.floor_div", "divide", 0, {received, received}, {DType::kI32, DType::kI32},
                DType::kI32);
  std::vector<std::unique_ptr<Program>> programs;
  programs.push_back(first.buildProgram());
  programs.push_back(second.buildProgram());
  auto runner = start(std::move(programs), /*simulated=*/false);
  Tensor matrix = *Tensor::allocate(DType::kF32, Shape{160, 160});
  std::fill_n(matrix.data<float>(), matrix.elements(), 1.0f);
  for (int call = 0; call < 40; ++call) {
    int32_t divides = call % 2;
    std::vector<Tensor> feeds{matrix, Tensor::scalar(divides)};
    auto result = runner->call(0, feeds);
    ASSERT_EQ(result.ok(), divides == 1) << result.status().toString();
    if (result.ok())
      EXPECT_EQ((*result)[3].data<float>()[0], 160.0f);
    else
      EXPECT_EQ(result.status().node(), "divide");
  }
}

} // namespace
} // namespace sluice::rt
