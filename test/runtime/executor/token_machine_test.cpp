// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of the token machine: loops, deadness, merges, windows, allocation, stalls.
#include "test/runtime/executor/graph_builder.h"

#include <set>
#include <string>

namespace sluice::rt {
namespace {

constexpr DType i32 = DType::kI32, boolean = DType::kBool;

int32_t fetched(Result<std::vector<Tensor>> &result, size_t i = 0) {
  EXPECT_TRUE(result.ok()) << result.status().toString();
  return result.ok() ? *(*result)[i].data<int32_t>() : -1;
}

RunOptions seeded(uint64_t seed) {
  RunOptions options;
  options.scheduleSeed = seed;
  return options;
}

TEST(TokenMachine, CountsInALoop) {
  GraphBuilder g;
  auto limit = g.feed("n:0", i32);
  auto loop = addCountingLoop(g, g.frame("loop", 10), g.constant<int32_t>(0), limit);
  g.fetch("i:0", loop.exit, i32);
  auto executor = g.build();
  for (int32_t n : {0, 1, 2, 100}) {
    auto result = executor->call(0, std::vector{Tensor::scalar<int32_t>(n)});
    EXPECT_EQ(fetched(result), n);
    EXPECT_EQ(executor->leftoverTokens(), 0u);
  }
}

TEST(TokenMachine, WindowBoundsLiveIterations) {
  for (int window : {1, 2, 3, 10}) {
    GraphBuilder g;
    auto loop =
        addCountingLoop(g, g.frame("loop", 10), g.constant<int32_t>(0), g.constant<int32_t>(50));
    // A slow consumer: a chain in the body that keeps iterations from retiring early.
    auto slow = loop.body;
    for (int k = 0; k < 30; ++k)
      slow = g.kernel("nd.neg", "slow", 1, {slow}, {i32}, i32);
    g.fetch("i:0", loop.exit, i32);
    auto executor = g.build();
    RunOptions options;
    options.parallelIterations = window;
    executor->setOptions(options);
    auto result = executor->call(0, {});
    EXPECT_EQ(fetched(result), 50);
    EXPECT_LE(statOf(*executor, "max_live_iterations"), window);
    if (window > 1) {
      EXPECT_GT(statOf(*executor, "max_live_iterations"), 1);
    }
  }
}

// Whoever fails first tells the order: behind the merge everything would fail at once, but the
// control input it has to wait for fails at the end of a long chain.
TEST(TokenMachine, MergeWaitsForItsControlInputs) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    GraphBuilder g;
    auto x = g.feed("x:0", i32);
    auto zero = g.constant<int32_t>(0);
    auto slow = x;
    for (int k = 0; k < 20; ++k)
      slow = g.kernel("nd.neg", "slow", 0, {slow}, {i32}, i32);
    slow = g.kernel("nd.div", "control", 0, {slow, zero}, {i32, i32}, i32);
    g.add(NodeKind::kMerge, "merge", 0, {x}, 3).controls = {slow};
    auto behind = g.kernel("nd.div", "behind", 0, {g.last(), zero}, {i32, i32}, i32);
    g.fetch("y:0", behind, i32);
    auto executor = g.build();
    executor->setOptions(seeded(seed));
    auto result = executor->call(0, std::vector{Tensor::scalar<int32_t>(4)});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().node(), "control") << "seed " << seed;
  }
}

TEST(TokenMachine, MergeWithoutItsControlInputNeverFires) {
  GraphBuilder g;
  auto x = g.feed("x:0", i32);
  // The control comes from a merge both of whose inputs never arrive.
  auto loop = g.frame("loop", 2);
  g.add(NodeKind::kMerge, "never", loop, {}, 3);
  auto never = g.last();
  g.add(NodeKind::kExit, "exit", loop, {never}, 1);
  auto exit = g.last();
  g.enter("enter", loop, x);
  g.add(NodeKind::kMerge, "merge", 0, {x}, 3).controls = {exit};
  g.fetch("y:0", g.last(), i32);
  auto executor = g.build();
  auto result = executor->call(0, std::vector{Tensor::scalar<int32_t>(4)});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), Code::kFailedPrecondition);
  EXPECT_NE(result.status().message().find("'merge' waits for 'exit'"), std::string::npos)
      << result.status().message();
}

TEST(TokenMachine, TwoLiveMergeInputsAreAnErrorUnderEverySchedule) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    GraphBuilder g;
    auto x = g.feed("x:0", i32), y = g.feed("y:0", i32);
    auto slow = y;
    for (int k = 0; k < static_cast<int>(seed % 7); ++k)
      slow = g.kernel("nd.neg", "slow", 0, {slow}, {i32}, i32);
    g.add(NodeKind::kMerge, "merge", 0, {x, slow}, 3);
    g.fetch("z:0", g.last(), i32);
    auto executor = g.build();
    executor->setOptions(seeded(seed));
    auto result =
        executor->call(0, std::vector{Tensor::scalar<int32_t>(1), Tensor::scalar<int32_t>(2)});
    ASSERT_FALSE(result.ok()) << "seed " << seed;
    EXPECT_EQ(result.status().code(), Code::kInvalidArgument);
    EXPECT_EQ(result.status().node(), "merge");
  }
}

// As many as no counter of 16 bits can tell from none.
TEST(TokenMachine, MergeOfManyDeadInputsIsDead) {
  constexpr size_t kMany = 1 << 16;
  GraphBuilder g;
  auto x = g.feed("x:0", i32);
  g.add(NodeKind::kSwitch, "switch", 0, {x, g.constant<bool>(true)}, 3);
  auto onFalse = g.last(0);
  g.add(NodeKind::kMerge, "merge", 0, std::vector(kMany, onFalse), 3);
  auto dead = g.last();
  auto y = g.kernel("nd.neg", "after", 0, {x}, {i32}, i32);
  g.node(y).orders = {dead};
  g.fetch("y:0", y, i32);
  auto executor = g.build();
  auto result = executor->call(0, std::vector{Tensor::scalar<int32_t>(4)});
  EXPECT_EQ(fetched(result), -4);
}

// A loop on a branch that is not taken: its exit is dead, once, and the merge takes the other side.
TEST(TokenMachine, DeadExitsFireOnce) {
  for (bool taken : {false, true})
    for (uint64_t seed = 0; seed < 10; ++seed) {
      GraphBuilder g;
      auto p = g.feed("p:0", boolean);
      g.add(NodeKind::kSwitch, "switch", 0, {g.constant<int32_t>(0), p}, 3);
      auto onFalse = g.last(0), onTrue = g.last(1);
      g.add(NodeKind::kSwitch, "switch_n", 0, {g.constant<int32_t>(5), p}, 3);
      auto limit = g.last(1);
      auto loop = addCountingLoop(g, g.frame("loop", 4), onTrue, limit);
      g.add(NodeKind::kMerge, "merge", 0, {onFalse, loop.exit}, 3);
      g.fetch("y:0", g.last(), i32);
      auto executor = g.build();
      executor->setOptions(seeded(seed));
      auto result = executor->call(0, std::vector{Tensor::scalar<bool>(taken)});
      EXPECT_EQ(fetched(result), taken ? 5 : 0);
      EXPECT_EQ(executor->leftoverTokens(), 0u);
    }
}

// One of two values that enter is dead, and the other one decides how often the loop runs. So every
// node fires in every iteration, and the dead value leaves once.
TEST(TokenMachine, HalfOfALoopMayBeDead) {
  for (bool enters : {false, true})
    for (int window : {1, 2, 7})
      for (uint64_t seed = 0; seed < 10; ++seed) {
        GraphBuilder g;
        auto p = g.feed("p:0", boolean);
        g.add(NodeKind::kSwitch, "switch", 0, {g.constant<int32_t>(7), p}, 3);
        auto onFalse = g.last(0), onTrue = g.last(1);
        uint32_t frame = g.frame("loop", 10);
        auto loop = addCountingLoop(g, frame, g.constant<int32_t>(0), g.constant<int32_t>(5));
        auto enter = g.enter("half", frame, onTrue);
        g.add(NodeKind::kMerge, "half_merge", frame, {enter, enter}, 3);
        auto merge = g.last();
        g.add(NodeKind::kSwitch, "half_switch", frame, {merge, loop.condition}, 3);
        auto leaves = g.last(0), stays = g.last(1);
        g.add(NodeKind::kNextIteration, "half_next", frame,
              {g.kernel("nd.neg", "neg", frame, {stays}, {i32}, i32)}, 1);
        g.node(merge).inputs[1] = g.last();
        g.add(NodeKind::kExit, "half_exit", frame, {leaves}, 1);
        g.add(NodeKind::kMerge, "merge", 0, {g.last(), onFalse}, 3);
        g.fetch("y:0", g.last(), i32);
        g.fetch("i:0", loop.exit, i32);
        auto executor = g.build();
        RunOptions options = seeded(seed);
        options.parallelIterations = window;
        executor->setOptions(options);
        auto result = executor->call(0, std::vector{Tensor::scalar<bool>(enters)});
        EXPECT_EQ(fetched(result, 0), enters ? -7 : 7);
        EXPECT_EQ(fetched(result, 1), 5);
        EXPECT_EQ(executor->leftoverTokens(), 0u);
      }
}

// What waits for something that never comes keeps what has come, and nobody asks for it.
TEST(TokenMachine, TokensThatNobodyTakesAreCounted) {
  GraphBuilder g;
  auto x = g.feed("x:0", i32);
  g.add(NodeKind::kMerge, "never", 0, {}, 3);
  g.kernel("nd.add", "sum", 0, {x, g.last()}, {i32, i32}, i32);
  g.add(NodeKind::kMerge, "merge", 0, {x}, 3).controls = {g.last()};
  g.fetch("y:0", x, i32);
  auto executor = g.build();
  for (int call = 0; call < 2; ++call) { // those of a call, not of all
    auto result = executor->call(0, std::vector{Tensor::scalar<int32_t>(4)});
    EXPECT_EQ(fetched(result), 4);
    EXPECT_EQ(executor->leftoverTokens(), 2u);
  }
}

// Two kernels fail, and the first one is named. A seed gives the same order each time.
TEST(TokenMachine, SeedsGiveDifferentOrders) {
  std::set<std::string> first;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    GraphBuilder g;
    auto x = g.feed("x:0", i32);
    auto zero = g.constant<int32_t>(0);
    g.fetch("a:0", g.kernel("nd.div", "a", 0, {x, zero}, {i32, i32}, i32), i32);
    g.fetch("b:0", g.kernel("nd.div", "b", 0, {x, zero}, {i32, i32}, i32), i32);
    auto executor = g.build();
    executor->setOptions(seeded(seed));
    auto fail = [&] { return executor->call(0, std::vector{Tensor::scalar<int32_t>(4)}).status(); };
    std::string node = fail().node();
    executor = g.build();
    executor->setOptions(seeded(seed));
    EXPECT_EQ(fail().node(), node);
    first.insert(node);
  }
  EXPECT_EQ(first, (std::set<std::string>{"a", "b"}));
}

// Graphs leave out order edges in loops that run one iteration at a time.
TEST(TokenMachine, ALoopThatRunsOneAtATimeIsNeverWidened) {
  for (uint32_t own : {1u, 2u}) {
    GraphBuilder g;
    uint32_t frame = g.frame("loop", own);
    auto loop = addCountingLoop(g, frame, g.constant<int32_t>(0), g.constant<int32_t>(20));
    auto slow = loop.body;
    for (int k = 0; k < 30; ++k)
      slow = g.kernel("nd.neg", "slow", frame, {slow}, {i32}, i32);
    g.fetch("i:0", loop.exit, i32);
    auto executor = g.build();
    RunOptions options;
    options.parallelIterations = 7;
    executor->setOptions(options);
    auto result = executor->call(0, {});
    EXPECT_EQ(fetched(result), 20);
    if (own == 1) {
      EXPECT_EQ(statOf(*executor, "max_live_iterations"), 1);
    } else {
      EXPECT_GT(statOf(*executor, "max_live_iterations"), 2);
    }
  }
}

// What leaves is added to something that comes late: a second token must not count for that.
TEST(TokenMachine, ALiveValueLeavesALoopOnce) {
  for (bool isEveryIteration : {false, true})
    for (uint64_t seed = 0; seed < 20; ++seed) {
      GraphBuilder g;
      auto limit = g.feed("n:0", i32);
      uint32_t frame = g.frame("loop", 4);
      auto loop = addCountingLoop(g, frame, g.constant<int32_t>(0), limit);
      auto first = g.kernel("nd.equal", "first", frame, {loop.merge, g.constant<int32_t>(0)},
                            {i32, i32}, boolean);
      g.add(NodeKind::kSwitch, "switch_first", frame, {loop.merge, first}, 3);
      g.add(NodeKind::kExit, "early", frame, {isEveryIteration ? loop.merge : g.last(1)}, 1);
      auto early = g.last();
      auto late = g.kernel("nd.neg", "late", 0, {limit}, {i32}, i32);
      g.fetch("y:0", g.kernel("nd.add", "sum", 0, {early, late}, {i32, i32}, i32), i32);
      g.fetch("i:0", loop.exit, i32);
      auto executor = g.build();
      executor->setOptions(seeded(seed));
      auto result = executor->call(0, std::vector{Tensor::scalar<int32_t>(3)});
      if (!isEveryIteration) {
        EXPECT_EQ(fetched(result), -3) << "seed " << seed;
        continue;
      }
      ASSERT_FALSE(result.ok()) << "seed " << seed;
      EXPECT_EQ(result.status().code(), Code::kInvalidArgument);
      EXPECT_EQ(result.status().node(), "early");
    }
}

TEST(TokenMachine, NestedLoopsReuseFrames) {
  GraphBuilder g;
  auto outerFrame = g.frame("outer", 3);
  auto innerFrame = g.frame("inner", 3, outerFrame);
  auto zero = g.constant<int32_t>(0);
  // outer: while (i < 6) i = inner(i) + 1, where inner counts from i to i.
  auto loop = addCountingLoop(g, outerFrame, zero, g.constant<int32_t>(6));
  auto inner = addCountingLoop(g, innerFrame, loop.sum, loop.sum, outerFrame);
  for (NodeDesc &node : g.signature().nodes)
    if (node.kind == NodeKind::kNextIteration && node.frame == outerFrame)
      node.inputs[0] = inner.exit;
  g.fetch("i:0", loop.exit, i32);
  auto executor = g.build();
  for (int call = 0; call < 3; ++call) {
    auto result = executor->call(0, {});
    EXPECT_EQ(fetched(result), 6);
    EXPECT_EQ(executor->leftoverTokens(), 0u);
  }
}

TEST(TokenMachine, FetchOfADeadValueIsAnError) {
  GraphBuilder g;
  auto p = g.feed("p:0", boolean);
  g.add(NodeKind::kSwitch, "switch", 0, {g.constant<int32_t>(7), p}, 3);
  g.fetch("switch:0", g.last(0), i32);
  auto executor = g.build();
  auto live = executor->call(0, std::vector{Tensor::scalar(false)});
  EXPECT_EQ(fetched(live), 7);
  auto dead = executor->call(0, std::vector{Tensor::scalar(true)});
  EXPECT_EQ(dead.status().code(), Code::kInvalidArgument);
  EXPECT_EQ(dead.status().node(), "switch:0");
  auto again = executor->call(0, std::vector{Tensor::scalar(false)});
  EXPECT_EQ(fetched(again), 7);
}

TEST(TokenMachine, HeavyKernelsGiveTheSameBitsOnWorkers) {
  GraphBuilder g;
  auto x = g.feed("x:0", DType::kF32);
  std::vector<AttrDesc> attrs(4, intAttr(0)); // nothing is transposed
  for (const char *name : {"a:0", "b:0", "c:0", "d:0"}) {
    auto y =
        g.kernel("nd.matmul", "matmul", 0, {x, x}, {DType::kF32, DType::kF32}, DType::kF32, false);
    g.node(y).attrs = attrs;
    g.fetch(name, y, DType::kF32);
  }
  auto executor = g.build();
  auto input = Tensor::allocate(DType::kF32, Shape{128, 128});
  for (int i = 0; i < 128 * 128; ++i)
    input->data<float>()[i] = static_cast<float>(i % 17) * 0.25f - 1;
  auto alone = executor->call(0, std::vector{*input});
  RunOptions options;
  options.workers = 2;
  executor->setOptions(options);
  for (int call = 0; call < 20; ++call) {
    auto shared = executor->call(0, std::vector{*input});
    ASSERT_TRUE(alone.ok() && shared.ok());
    for (size_t k = 0; k < 4; ++k)
      EXPECT_EQ(std::memcmp((*alone)[k].raw(), (*shared)[k].raw(), (*alone)[k].bytes()), 0);
  }
  EXPECT_GT(statOf(*executor, "kernels_enqueued"), 0);
}

} // namespace
} // namespace sluice::rt
