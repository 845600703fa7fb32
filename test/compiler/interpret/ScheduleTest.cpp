// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neither the order of firings nor the window of live iterations changes results; stalls are told.
#include "test/compiler/interpret/Program.h"

#include <set>

namespace sluice::interpret {
namespace {

// i = 0; x = 1; a = f = 0; while (i < n) { x = 2x + i; i += 1 }. The counter runs ahead of x, whose
// path is longer.
const char *const kUnevenLoop = R"(
flow.graph @main {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %i0 = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %x0 = flow.enter %one {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %nc = flow.enter %n {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %ii, %it = flow.merge %i0, %i2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %x, %xi, %xt = flow.merge %x0, %x2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %nc : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %if, %ib, %ist = flow.switch %i, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %xf, %xb, %xst = flow.switch %x, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %i1 = nd.add %ib, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %xa = nd.neg %xb : (tensor<i32>) -> tensor<i32>
  %xc = nd.neg %xa : (tensor<i32>) -> tensor<i32>
  %xd = nd.add %xc, %xb : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %x1 = nd.add %xd, %ib : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %i2 = flow.next_iteration %i1 : (tensor<i32>) -> tensor<i32>
  %x2 = flow.next_iteration %x1 : (tensor<i32>) -> tensor<i32>
  %r = flow.exit %xf : (tensor<i32>) -> tensor<i32>
  flow.fetch %r {name = "x:0"} : (tensor<i32>) -> ()
})";

int32_t expectedX(int n) {
  int32_t x = 1;
  for (int i = 0; i < n; ++i)
    x = 2 * x + i;
  return x;
}

TEST(Schedule, SeedsAndWindowsDoNotChangeResults) {
  Program program(kUnevenLoop);
  for (int window : {1, 2, 10, 32})
    for (uint64_t seed = 0; seed < 10; ++seed) {
      rt::RunOptions options;
      options.parallelIterations = window;
      options.scheduleSeed = seed;
      program.runner().setOptions(options);
      for (int n : {0, 1, 20})
        EXPECT_EQ(program.scalar<int32_t>({i32(n)}), expectedX(n)) << window << " " << seed;
    }
}

// Of two nodes that fail, the one that fires first is told.
TEST(Schedule, SeedsDrawTheOrder) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %a = nd.floor_div %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("one")
  %b = nd.floor_mod %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("other")
  flow.fetch %a {name = "a"} : (tensor<i32>) -> ()
  flow.fetch %b {name = "b"} : (tensor<i32>) -> ()
})");
  std::set<std::string> told;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    told.insert(program.call({i32(0)}).status().node());
  }
  EXPECT_EQ(told, (std::set<std::string>{"one", "other"}));
}

// i = 0; while (i < n) i += i is odd ? 2 : 1. Either way has a next iteration of its own, so that
// one of two values comes back, and the other is dead.
TEST(Schedule, DeadWaysBackMayComeFirst) {
  Program program(R"(
flow.graph @main {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %i0 = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %nc = flow.enter %n {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %ii, %it = flow.merge %i0, %o2, %e2 : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %nc : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %b, %s = flow.switch %i, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %rest = nd.floor_mod %b, %two : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %odd = nd.equal %rest, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %be, %bo, %bs = flow.switch %b, %odd : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %o1 = nd.add %bo, %two : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %e1 = nd.add %be, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %o2 = flow.next_iteration %o1 : (tensor<i32>) -> tensor<i32>
  %e2 = flow.next_iteration %e1 : (tensor<i32>) -> tensor<i32>
  %r = flow.exit %f : (tensor<i32>) -> tensor<i32>
  flow.fetch %r {name = "r:0"} : (tensor<i32>) -> ()
})");
  for (uint64_t seed = 0; seed < 20; ++seed) {
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    EXPECT_EQ(program.scalar<int32_t>({i32(10)}), 11) << seed;
  }
}

TEST(Schedule, WindowBoundsLiveIterations) {
  for (int window : {1, 2, 5}) {
    Program program(kUnevenLoop);
    rt::RunOptions options;
    options.parallelIterations = window;
    program.runner().setOptions(options);
    EXPECT_EQ(program.scalar<int32_t>({i32(20)}), expectedX(20));
    EXPECT_EQ(program.stat("max_live_iterations"), window);
  }
}

TEST(Schedule, WindowIsTheGraphsOwnUnlessOverridden) {
  Program program(kUnevenLoop);
  EXPECT_EQ(program.scalar<int32_t>({i32(20)}), expectedX(20));
  EXPECT_GT(program.stat("max_live_iterations"), 1);
  EXPECT_LE(program.stat("max_live_iterations"), 10);
}

// The dead exit of the iteration before a deferred one is not that of the last iteration.
TEST(Schedule, DeferredIterationForgetsDeadExits) {
  Program program(kUnevenLoop);
  rt::RunOptions options;
  options.parallelIterations = 1;
  program.runner().setOptions(options);
  EXPECT_EQ(program.scalar<int32_t>({i32(3)}), expectedX(3));
}

TEST(Schedule, StallSaysWhoWaitsForWhat) {
  // The merge waits for a token of a node that can never fire: it needs an exit of a loop that
  // never sends one.
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %m, %mi, %mt = flow.merge %n : (tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token) loc("ring")
  %n = flow.next_iteration %m : (tensor<i32>) -> tensor<i32>
  %s = nd.add %x, %m : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("sum")
  flow.fetch %s {name = "s:0"} : (tensor<i32>) -> ()
})");
  rt::Status status = program.call({i32(1)}).status();
  EXPECT_EQ(status.code(), rt::Code::kFailedPrecondition);
  EXPECT_NE(status.message().find("node 'sum' waits for 'ring'"), std::string::npos)
      << status.message();
  EXPECT_NE(status.message().find("'s:0' is never reached"), std::string::npos);
}

// Of those who wait six are named, and of what one of them waits for three.
TEST(Schedule, StallsAreToldInShort) {
  std::string text = "flow.graph @main {\n  %x = flow.feed {name = \"x:0\"} : () -> tensor<i32>\n";
  for (const char *n : {"0", "1", "2", "3", "4"}) {
    std::string loop = R"(
  %m#, %i#, %t# = flow.merge %n# : (tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token) loc("ring#")
  %n# = flow.next_iteration %m# : (tensor<i32>) -> tensor<i32>
  %w# = flow.enter %x {frame = "f#", constant = false, parallel_iterations = 1 : i64} : (tensor<i32>) -> tensor<i32>
  %never# = nd.add %x, %m# : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("never#")
  %v# = flow.enter %never# {frame = "f#", constant = false, parallel_iterations = 1 : i64} : (tensor<i32>) -> tensor<i32> loc("late#")
  %s# = nd.add %w#, %v# : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("sum#")
  %r# = flow.exit %s# : (tensor<i32>) -> tensor<i32>
)";
    for (size_t at; (at = loop.find('#')) != loop.npos;)
      loop.replace(at, 1, n);
    text += loop;
  }
  Program program(text + R"(
  %y = nd.pack %m4, %m3, %m2, %m1, %x {axis = 0 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5xi32> loc("four")
  %z = nd.pack %m0, %m1, %m2, %x {axis = 0 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4xi32> loc("three")
  flow.fetch %y {name = "y:0"} : (tensor<5xi32>) -> ()
  flow.fetch %z {name = "z:0"} : (tensor<4xi32>) -> ()
})");
  EXPECT_EQ(program.call({i32(1)}).status().message(),
            "the call cannot go on: node 'never0' waits for 'ring0'; node 'never1' waits for "
            "'ring1'; node 'never2' waits for 'ring2'; node 'never3' waits for 'ring3'; node "
            "'never4' waits for 'ring4'; node 'four' waits for 'ring1', 'ring2', 'ring3', and 1 "
            "more; and 13 more");
}

TEST(Schedule, FrameThatMissesAnEnterStalls) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %m, %mi, %mt = flow.merge %n : (tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token) loc("ring")
  %n = flow.next_iteration %m : (tensor<i32>) -> tensor<i32>
  %never = nd.add %x, %m : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("never")
  %a = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %b = flow.enter %never {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %r = flow.exit %a : (tensor<i32>) -> tensor<i32>
  %t = flow.after %b : (tensor<i32>) -> !flow.token
  %g = flow.gate %a, %t : (tensor<i32>, !flow.token) -> tensor<i32>
  flow.fetch %r {name = "r:0"} : (tensor<i32>) -> ()
})");
  rt::Status status = program.call({i32(1)}).status();
  EXPECT_EQ(status.code(), rt::Code::kFailedPrecondition);
  EXPECT_EQ(status.message(),
            "the call cannot go on: node 'never' waits for 'ring'; node 'flow.gate' in iteration 0 "
            "of frame 'loop' waits for 'flow.after'; frame 'loop' has got 1 of 2 enters");
}

// What runs do is counted for all calls together, but what is left over for the last one.
TEST(Schedule, StatisticsAreSums) {
  Program program(kUnevenLoop);
  EXPECT_EQ(program.scalar<int32_t>({i32(1)}), 2);
  // Feed, three enters and fetch; in each of two iterations two merges, test, pivot and two
  // switches, and behind these five kernels, two next_iterations and an exit. Either those or that
  // is dead.
  EXPECT_EQ(program.stat("firings"), 5 + 2 * (6 + 8));
  EXPECT_EQ(program.stat("dead_firings"), 1 + 7);
  EXPECT_EQ(program.stat("kernels"), 2 + 5);
  EXPECT_EQ(program.stat("iterations"), 2);
  EXPECT_EQ(program.stat("frames_entered"), 1);
  EXPECT_EQ(program.stat("leftover_tokens"), 0);
  EXPECT_EQ(program.scalar<int32_t>({i32(0)}), 1);
  EXPECT_EQ(program.stat("firings"), 33 + 5 + 6 + 8);
  EXPECT_EQ(program.stat("dead_firings"), 8 + 7);
  EXPECT_EQ(program.stat("kernels"), 7 + 1);
  EXPECT_EQ(program.stat("iterations"), 2 + 1);
  EXPECT_EQ(program.stat("frames_entered"), 1 + 1);
}

TEST(Schedule, RunnersAreNamedAsTheirModules) {
  Program named("module @model { flow.graph @main { } }"), nameless("flow.graph @main { }");
  EXPECT_EQ(named.runner().programName(), "model");
  EXPECT_EQ(nameless.runner().programName(), "interpreter");
  EXPECT_FALSE(named.runner().versionText().empty());
}

TEST(Schedule, SymbolsHaveToBeDeclared) {
  Program program(R"(
flow.graph @main {
  %h, %t = state.handle {variable = @none} : () -> (!state.resource<tensor<f32>>, !flow.token)
  flow.target %t {name = "t"} : (!flow.token) -> ()
})",
                  /*verify=*/false);
  EXPECT_EQ(program.status().code(), rt::Code::kNotFound);
  EXPECT_EQ(program.status().message(),
            "the module declares no variable, generator or object @none");
}

// A token that nobody takes is counted, but does not fail the call.
TEST(Schedule, LeftoverTokensAreCounted) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %m, %mi, %mt = flow.merge %n : (tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token) loc("ring")
  %n = flow.next_iteration %m : (tensor<i32>) -> tensor<i32>
  %s = nd.add %x, %m : (tensor<i32>, tensor<i32>) -> tensor<i32>
  flow.fetch %x {name = "y:0"} : (tensor<i32>) -> ()
})");
  EXPECT_TRUE(program.call({i32(1)}).ok());
  EXPECT_EQ(program.runner().leftoverTokens(), 1u);
}

} // namespace
} // namespace sluice::interpret
