// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls say that fail or cannot go on, and what they leave behind: nothing.
#include "runtime/workers/worker_threads.h"
#include "test/runtime/executor/graph_builder.h"

namespace sluice::rt {
namespace {

constexpr DType i32 = DType::kI32, f32 = DType::kF32;
using Value = GraphBuilder::Value;

// The outcome of a call that is fed one number.
Status callOnce(GraphBuilder &g) {
  return g.build()->call(0, std::vector{Tensor::scalar<int32_t>(4)}).status();
}

// A merge without inputs, which never fires.
Value addNever(GraphBuilder &g, uint32_t frame = 0) {
  g.add(NodeKind::kMerge, "never", frame, {}, 3);
  return g.last();
}

TEST(StallReport, namesTheFirstFourAndCountsTheOthers) {
  for (int waiting : {4, 6}) {
    GraphBuilder g;
    auto x = g.feed("x:0", i32), never = addNever(g);
    for (int i = 0; i < waiting; ++i)
      g.kernel("nd.add", ("w" + std::to_string(i)).c_str(), 0, {x, never}, {i32, i32}, i32);
    g.fetch("y:0", g.last(), i32);
    EXPECT_EQ(callOnce(g).toString(),
              std::string("FAILED_PRECONDITION: the call cannot go on: node 'w0' waits for "
                          "'never'; node 'w1' waits for 'never'; node 'w2' waits for 'never'; "
                          "node 'w3' waits for 'never'") +
                  (waiting == 6 ? "; and 2 more nodes" : ""));
  }
}

TEST(StallReport, namesThreeWhoHaveNotComeAndCountsTheOthers) {
  for (int missing : {3, 5}) {
    GraphBuilder g;
    auto x = g.feed("x:0", i32), never = addNever(g);
    std::vector<Value> controls;
    for (int i = 0; i < missing; ++i) {
      g.add(NodeKind::kForward, ("f" + std::to_string(i)).c_str(), 0, {never}, 1);
      controls.push_back(g.last());
    }
    g.add(NodeKind::kMerge, "merge", 0, {x}, 3).controls = controls;
    g.fetch("y:0", g.last(), i32);
    EXPECT_EQ(callOnce(g).message(),
              std::string("the call cannot go on: node 'merge' waits for 'f0', 'f1', 'f2'") +
                  (missing == 5 ? " and 2 more" : ""));
  }
}

TEST(StallReport, saysWhenNobodyWaits) {
  GraphBuilder g;
  g.feed("x:0", i32);
  g.fetch("y:0", addNever(g), i32);
  EXPECT_EQ(callOnce(g).message(), "the call cannot go on: a fetch or target is never reached");
}

// A loop each of whose iterations enters a frame that nobody leaves.
class EndlessFrames : public testing::Test {
protected:
  std::string describe(uint32_t window) {
    GraphBuilder g;
    uint32_t outer = g.frame("outer", window), inner = g.frame("inner", 3, outer);
    auto loop = addCountingLoop(g, outer, g.constant<int32_t>(0), g.constant<int32_t>(50));
    auto entered = g.enter("enter", inner, loop.body, false, outer);
    auto missing = g.enter("missing", inner, addNever(g, outer), false, outer);
    g.kernel("nd.add", "sum", inner, {entered, missing}, {i32, i32}, i32);
    g.fetch("i:0", loop.exit, i32);
    auto program = g.buildProgram();
    WorkerThreads workers(systemThreads(), 0);
    TokenMachine machine(*program->signatures()[0], {}, {}, workers);
    Tensor fetch;
    Environment environment;
    machine.begin({}, std::span(&fetch, 1), environment);
    EXPECT_EQ(machine.describeProgress(), "computing");
    while (machine.step(~0u)) {
    }
    std::string text = machine.describeProgress();
    outcome_ = machine.finish().message();
    return text;
  }
  std::string outcome_;
};

TEST_F(EndlessFrames, areDescribedWithTheirWindows) {
  const std::string waits = "iteration 1 of frame 'outer' waits for room in the window; node 'sum' "
                            "in iteration 0 of frame 'inner' waits for 'missing'";
  EXPECT_EQ(describe(1), "waiting; frame 'outer': iterations 0 to 0 are live, the window is 1; "
                         "frame 'inner' in iteration 0 of frame 'outer': iterations 0 to 0 are "
                         "live, the window is 3; " +
                             waits);
  EXPECT_EQ(outcome_, "the call cannot go on: " + waits);
}

TEST_F(EndlessFrames, areCountedWhenThereAreMany) {
  for (uint32_t window : {7, 10}) {
    std::string text = describe(window);
    size_t shown = 0;
    for (size_t at = 0; (at = text.find("; frame '", at)) != std::string::npos; ++at)
      ++shown;
    EXPECT_EQ(shown, 8u) << text; // the outer frame and those of its iterations
    EXPECT_EQ(text.find("; and 3 more frames; ") != std::string::npos, window == 10) << text;
    EXPECT_EQ(text.find("more frames") != std::string::npos, window == 10) << text;
  }
}

TEST(FailedCall, namesTheInputsOfAMergeThatAreLive) {
  GraphBuilder g;
  auto x = g.feed("x:0", i32);
  g.add(NodeKind::kSwitch, "switch", 0, {x, g.constant<bool>(true)}, 3);
  auto onFalse = g.last(0), onTrue = g.last(1);
  auto late = g.kernel("nd.neg", "late", 0, {onTrue}, {i32}, i32);
  g.add(NodeKind::kMerge, "merge", 0, {onFalse, late, g.constant<int32_t>(1), onTrue}, 3);
  g.fetch("y:0", g.last(), i32);
  EXPECT_EQ(callOnce(g).toString(), "INVALID_ARGUMENT: node 'merge': expected one live value to "
                                    "merge but got two: inputs 3 and 1");
}

TEST(FailedCall, namesTheIterationInWhichASecondValueLeaves) {
  GraphBuilder g;
  auto limit = g.feed("n:0", i32);
  uint32_t frame = g.frame("loop", 4);
  auto loop = addCountingLoop(g, frame, g.constant<int32_t>(0), limit);
  g.add(NodeKind::kExit, "always", frame, {loop.merge}, 1);
  g.fetch("y:0", g.last(), i32);
  EXPECT_EQ(callOnce(g).toString(), "INVALID_ARGUMENT: node 'always': expected one live value to "
                                    "leave the loop but got a second one in iteration 1");
}

// A loop that divides by n - i, while another one within it counts: a failure leaves iterations,
// delayed ones and frames of all kinds, of which the next call must not know.
TEST(FailedCall, doesNotChangeTheNextOne) {
  for (int window : {1, 2, 5})
    for (uint64_t seed = 0; seed < 10; ++seed) {
      GraphBuilder g;
      auto limit = g.feed("n:0", i32), zeroAt = g.feed("zero:0", i32);
      uint32_t outer = g.frame("outer", 5), inner = g.frame("inner", 5, outer);
      auto loop = addCountingLoop(g, outer, g.constant<int32_t>(0), limit);
      auto at = g.enter("at", outer, zeroAt, true);
      addCountingLoop(g, inner, loop.body, g.enter("end", outer, limit, true), outer);
      auto left = g.kernel("nd.sub", "sub", outer, {at, loop.body}, {i32, i32}, i32);
      g.kernel("nd.div", "div", outer, {loop.body, left}, {i32, i32}, i32);
      g.fetch("i:0", loop.exit, i32);
      auto executor = g.build();
      RunOptions options;
      options.parallelIterations = window;
      options.scheduleSeed = seed;
      executor->setOptions(options);
      auto call = [&](int32_t n, int32_t zero) {
        return executor->call(
            0, std::vector{Tensor::scalar<int32_t>(n), Tensor::scalar<int32_t>(zero)});
      };
      for (int32_t n : {9, 4, 0, 6}) {
        EXPECT_EQ(call(12, 3).status().node(), "div");
        auto good = call(n, -1);
        ASSERT_TRUE(good.ok()) << good.status().toString();
        EXPECT_EQ(*(*good)[0].data<int32_t>(), n);
        EXPECT_EQ(executor->leftoverTokens(), 0u);
      }
    }
}

// What loops have kept, what nobody took, and what a failure has cut short.
TEST(MemoryOfCalls, isFreeAfterEveryCall) {
  GraphBuilder g;
  auto limit = g.feed("n:0", i32), zeroAt = g.feed("zero:0", i32), x = g.feed("x:0", f32);
  auto vector = [&](const char *name, uint32_t frame, Value value) {
    return g.kernel("nd.neg", name, frame, {value}, {f32}, f32, false);
  };
  uint32_t frame = g.frame("loop", 2);
  auto loop = addCountingLoop(g, frame, g.constant<int32_t>(0), limit);
  auto at = g.enter("at", frame, zeroAt, true);
  auto kept = g.enter("kept", frame, vector("keep", 0, x), true);
  g.add(NodeKind::kSwitch, "switch_x", frame, {kept, loop.condition}, 3);
  auto slow = vector("slow", frame, g.last(1));
  for (int i = 0; i < 5; ++i)
    slow = vector("slow", frame, slow);
  auto left = g.kernel("nd.sub", "sub", frame, {at, loop.body}, {i32, i32}, i32);
  g.kernel("nd.div", "div", frame, {loop.body, left}, {i32, i32}, i32);
  g.kernel("nd.add", "waits", 0, {vector("untaken", 0, x), addNever(g)}, {f32, f32}, f32, false);
  g.fetch("i:0", loop.exit, i32);
  auto executor = g.build();
  Tensor large = *Tensor::allocate(f32, Shape{1000});
  std::fill_n(large.data<float>(), 1000, 1.f);
  for (int32_t zero : {-1, 4, -1}) {
    uint64_t before = memoryStats().liveBytes;
    Status status =
        executor
            ->call(0, std::vector{Tensor::scalar<int32_t>(9), Tensor::scalar<int32_t>(zero), large})
            .status();
    EXPECT_EQ(status.node(), zero < 0 ? "" : "div");
    EXPECT_EQ(memoryStats().liveBytes, before) << "zero at " << zero;
    EXPECT_TRUE(large.solelyOwned());
  }
}

TEST(MemoryOfCalls, resultsTakeThePlaceOfOperands) {
  GraphBuilder g;
  auto x = g.feed("x:0", f32), y = g.feed("y:0", f32);
  auto sum = g.kernel("nd.add", "add", 0, {x, y}, {f32, f32}, f32, false);
  for (int i = 0; i < 4; ++i)
    sum = g.kernel("nd.add", "add", 0, {y, sum}, {f32, f32}, f32, false);
  g.fetch("sum:0", sum, f32);
  auto executor = g.build();
  Tensor large = *Tensor::allocate(f32, Shape{4, 25}), row = *Tensor::allocate(f32, Shape{25});
  std::fill_n(large.data<float>(), 100, 1.f);
  std::fill_n(row.data<float>(), 25, 1.f);
  for (const Tensor &other : {large, row}) {
    uint64_t before = memoryStats().allocations;
    auto result = executor->call(0, std::vector{large, other});
    ASSERT_TRUE(result.ok()) << result.status().toString();
    EXPECT_EQ((*result)[0].data<float>()[99], 6);
    EXPECT_EQ(memoryStats().allocations - before, 1u);
  }
}

} // namespace
} // namespace sluice::rt
