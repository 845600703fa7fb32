// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The window bounds what waits at a receiver, however slow it is, and a call that cannot go on
// ends.
#include "runtime/workers/worker_threads.h"
#include "test/runtime/cluster/pair.h"
#include "test/runtime/cluster/split_loop.h"

namespace sluice::rt {
namespace {

// A loop on rank 0 that only sends: rank 1 consumes `i` in each iteration and gives nothing back.
class OneWayLoop {
public:
  explicit OneWayLoop(uint32_t window) {
    first_.makeRank(0, 2);
    uint32_t frame = first_.frame("loop", window);
    auto loop = addCountingLoop(first_, frame, first_.constant<int32_t>(0),
                                first_.feed("limit", DType::kI32));
    first_.send("send i", frame, loop.merge, 0, 1);
    first_.send("send predicate", frame, loop.condition, 1, 1);
    first_.fetch("i", loop.exit, DType::kI32);

    second_.makeRank(1, 2);
    frame = second_.frame("loop", window);
    auto enter = second_.enter("control enter", frame, second_.constant<bool>(true));
    second_.add(NodeKind::kMerge, "control merge", frame, {enter, enter}, 3);
    auto merge = second_.last();
    GraphBuilder::Value merged{merge.node, 2};
    auto predicate = second_.recv("recv predicate", frame, {merged}, DType::kBool, 1, 0);
    second_.add(NodeKind::kSwitch, "control switch", frame, {merge, predicate}, 3);
    second_.add(NodeKind::kNextIteration, "control next", frame, {second_.last(1)}, 1);
    second_.node(merge).inputs[1] = second_.last();
    auto i = second_.recv("recv i", frame, {merged}, DType::kI32, 0, 0);
    second_.kernel("nd.neg", "consume", frame, {i}, {DType::kI32}, DType::kI32);
  }
  GraphBuilder &first() { return first_; }
  GraphBuilder &second() { return second_; }

private:
  GraphBuilder first_, second_;
};

class FlowControl : public testing::TestWithParam<uint32_t> {};

TEST_P(FlowControl, aSenderIsNeverMoreThanAWindowAheadOfASlowReceiver) {
  constexpr int32_t kIterations = 2000;
  const uint32_t window = GetParam();
  OneWayLoop loop(window);
  Pair pair(loop.first(), loop.second());
  RunOptions options = pair.second().executor().options();
  options.limits.set(Limit::kEarlyTokens, 2 * window); // an index and a predicate in each iteration
  options.limits.set(Limit::kEarlyBytes, 5 * window);
  pair.second().executor().setOptions(options);
  Tensor limit = Tensor::scalar<int32_t>(kIterations);
  pair.first().startCall(0, std::span(&limit, 1));
  uint64_t furthest = 0;
  while (!pair.first().callsOver()) {
    for (int i = 0; i < 1000; ++i) // a thousand times as fast
      (void)pair.first().progress(1);
    (void)pair.second().progress(1);
    const StepCounters &sender = pair.counters(pair.first());
    const StepCounters &receiver = pair.counters(pair.second());
    furthest = std::max(furthest, sender.tokensSent - receiver.kernels * 2);
    ASSERT_LE(receiver.maxEarlyTokens, 2u * window);
    ASSERT_LE(receiver.maxLiveIterations, window);
  }
  EXPECT_TRUE(pair.first().takeResult(1).ok());
  EXPECT_EQ(pair.first().leftoverTokens(), 0u);
  // Two messages an iteration; news of retired iterations come half a window late.
  EXPECT_LE(furthest, 2u * (window + 1));
  EXPECT_GE(furthest, 2u * std::max(1u, window / 2)) << "the sender never ran ahead";
}

INSTANTIATE_TEST_SUITE_P(Windows, FlowControl, testing::Values(1u, 2u, 5u, 32u));

// Takes tokens and news, and forgets them.
struct NoExchange final : TokenExchange {
  void sendToken(const Node &, const Iteration &, const Tensor *, bool) override {}
  void noteRetirement(FrameInstance &) override {}
  void stepAside() override {}
};

// The only iteration is over here, but not where its tokens go.
TEST(Stall, mayBeOneOfNoIterationAtAll) {
  SplitLoop loop(1);
  auto program = loop.first().buildProgram();
  const Signature &signature = *program->signatures()[0];
  NoExchange exchange;
  WorkerThreads workers(systemThreads(), 0);
  TokenMachine machine(signature, {}, {}, workers, &exchange);
  Tensor limit = Tensor::scalar<int32_t>(5), fetch;
  Environment environment;
  machine.begin(std::span(&limit, 1), std::span(&fetch, 1), environment);
  while (machine.step(~0u)) {
  }
  const uint64_t first[] = {0};
  const Node &sum = *signature.wireInputs[2].recv;
  ASSERT_TRUE(machine.receiveToken(sum, first, false, Tensor::scalar<int32_t>(1)).ok());
  while (machine.step(~0u)) {
  }
  EXPECT_EQ(machine.describeProgress(),
            "waiting; frame 'loop': no iteration is live, the window is 1; iteration 1 of frame "
            "'loop' waits for room in the window");
  ASSERT_TRUE(machine.receiveRetirement(1, 1, {}, 1).ok());
  EXPECT_EQ(machine.describeProgress(), "computing; frame 'loop': iterations 1 to 1 are live, the "
                                        "window is 1");
  (void)machine.finish();
}

TEST(Stall, isReportedWithWhoWaitsForWhom) {
  OneWayLoop loop(10);
  // Rank 1 waits in addition for something that rank 0 never sends.
  loop.second().recv("never sent", 0, {}, DType::kI32, 7, 0);
  TestClock clock;
  Pair pair(loop.first(), loop.second(), clock);
  Tensor limit = Tensor::scalar<int32_t>(3);
  pair.first().startCall(0, std::span(&limit, 1));
  ASSERT_TRUE(pair.finishCall());
  auto result = pair.first().takeResult(1);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), Code::kFailedPrecondition);
  EXPECT_NE(
      result.status().message().find(
          "rank 1 (/device:CPU:1): call 1: node 'never sent' waits for a message from rank 0"),
      std::string::npos)
      << result.status().message();
}

} // namespace
} // namespace sluice::rt
