// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, loops and codelets with regions.
#include "test/compiler/interpret/Program.h"

namespace sluice::interpret {
namespace {

// y = p ? x + 1 : -x
TEST(Structured, BranchTakesOneRegion) {
  Program program(R"(
flow.graph @main {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %y = flow.cond %p (%x) : (tensor<i1>, tensor<i32>) -> tensor<i32> on_true {
  ^bb0(%a: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %b = nd.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %b : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%a: tensor<i32>):
    %b = nd.neg %a : (tensor<i32>) -> tensor<i32>
    flow.yield %b : (tensor<i32>) -> ()
  }
  flow.fetch %y {name = "y"} : (tensor<i32>) -> ()
})");
  EXPECT_EQ(program.scalar<int32_t>({boolean(true), i32(5)}), 6);
  EXPECT_EQ(program.scalar<int32_t>({boolean(false), i32(5)}), -5);
  EXPECT_EQ(program.stat("kernels"), 2);
}

// Values that waited until the predicate came, constants, and tokens.
TEST(Structured, BranchOfConstantsAndTokens) {
  Program program(R"(
state.variable @v {key = "v", type = tensor<i32>}
flow.graph @main {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %t = flow.after %x : (tensor<i32>) -> !flow.token
  %n1 = nd.neg %x : (tensor<i32>) -> tensor<i32>
  %n2 = nd.neg %n1 : (tensor<i32>) -> tensor<i32>
  %late = nd.less %zero, %n2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r:2 = flow.cond %late (%x, %t, %zero) : (tensor<i1>, tensor<i32>, !flow.token, tensor<i32>) -> (tensor<i32>, !flow.token) on_true {
  ^bb0(%a: tensor<i32>, %s: !flow.token, %z: tensor<i32>):
    %h, %ht = state.handle {variable = @v} : () -> (!state.resource<tensor<i32>>, !flow.token)
    %done = state.assign %h, %a, %s {validate_shape = true} : (!state.resource<tensor<i32>>, tensor<i32>, !flow.token) -> !flow.token
    flow.yield %z, %done : (tensor<i32>, !flow.token) -> ()
  } on_false {
  ^bb0(%a: tensor<i32>, %s: !flow.token, %z: tensor<i32>):
    %seven = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
    %begin = flow.start : () -> !flow.token
    flow.yield %seven, %begin : (tensor<i32>, !flow.token) -> ()
  }
  flow.target %r#1 {name = "done"} : (!flow.token) -> ()
  flow.fetch %r#0 {name = "r"} : (tensor<i32>) -> ()
})");
  program.runner().variables()[0]->value = i32(0);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    EXPECT_EQ(program.scalar<int32_t>({boolean(true), i32(-3)}), 7);
    EXPECT_EQ(program.scalar<int32_t>({boolean(true), i32(int(seed) + 1)}), 0);
    EXPECT_EQ(program.runner().variables()[0]->value.asInt(), int(seed) + 1);
  }
}

// The second capture comes in the first iteration only, and only the region of the first iteration
// uses it. The other result does not wait for it either.
TEST(Structured, BranchWaitsForNothingItDoesNotUse) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %five = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
  %once = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i0 = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %ii, %it = flow.merge %i0, %i2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %isFirst = nd.less %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %i1, %unused = flow.cond %isFirst (%i, %once) : (tensor<i1>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) on_true {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = nd.add %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %s, %s : (tensor<i32>, tensor<i32>) -> ()
  } on_false {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %s = nd.add %a, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %s, %b : (tensor<i32>, tensor<i32>) -> ()
  }
  %p = nd.less %i1, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %if, %ib, %ist = flow.switch %i1, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %i2 = flow.next_iteration %ib : (tensor<i32>) -> tensor<i32>
  %r = flow.exit %if : (tensor<i32>) -> tensor<i32>
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
})");
  EXPECT_EQ(program.scalar<int32_t>({i32(2)}), 5);
}

// A dead predicate kills all results, a dead capture those that depend on it.
TEST(Structured, BranchesPassDeadnessOn) {
  Program program(R"(
flow.graph @main {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %q = flow.feed {name = "q"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %xf, %xt, %xs = flow.switch %x, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %r:2 = flow.cond %q (%xf, %x) : (tensor<i1>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) on_true {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %n = nd.neg %a : (tensor<i32>) -> tensor<i32>
    flow.yield %n, %b : (tensor<i32>, tensor<i32>) -> ()
  } on_false {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    flow.yield %b, %b : (tensor<i32>, tensor<i32>) -> ()
  }
  %v, %i, %t = flow.merge %r#0, %xt : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %s = nd.add %v, %r#1 : (tensor<i32>, tensor<i32>) -> tensor<i32>
  flow.fetch %s {name = "s"} : (tensor<i32>) -> ()
})");
  EXPECT_EQ(program.scalar<int32_t>({boolean(false), boolean(true), i32(5)}), 0);
  EXPECT_EQ(program.scalar<int32_t>({boolean(true), boolean(true), i32(5)}), 10);
  EXPECT_EQ(program.call({boolean(true), boolean(false), i32(5)}).status().code(),
            rt::Code::kInvalidArgument); // two live values
}

// s = 0; for (i = 0; i < n; ++i) for (j = 0; j < i; ++j) s += 1
const char *const kNested = R"(
flow.graph @main {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %zero) (%n) {frame = "outer", parallel_iterations = 4 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<i32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<i32>, %limit: tensor<i32>):
    %z = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %q:2 = flow.while (%z, %s) (%i) {frame = "inner", parallel_iterations = 3 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) before {
    ^bb0(%j: tensor<i32>, %t: tensor<i32>, %c: tensor<i32>):
      %p = nd.less %j, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%j, %t) : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    } body {
    ^bb0(%j: tensor<i32>, %t: tensor<i32>, %c: tensor<i32>):
      %k = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %j1 = nd.add %j, %k : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %t1 = nd.add %t, %k : (tensor<i32>, tensor<i32>) -> tensor<i32>
      flow.yield %j1, %t1 : (tensor<i32>, tensor<i32>) -> ()
    }
    %i1 = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %i1, %q#1 : (tensor<i32>, tensor<i32>) -> ()
  }
  flow.fetch %r#1 {name = "s"} : (tensor<i32>) -> ()
})";

TEST(Structured, LoopsNestAndOverlap) {
  for (std::optional<uint64_t> seed : {std::optional<uint64_t>(), {1}, {2}, {3}}) {
    Program program(kNested);
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    for (int n : {0, 1, 2, 7, 12})
      EXPECT_EQ(program.scalar<int32_t>({i32(n)}), n * (n - 1) / 2);
    EXPECT_EQ(program.stat("frames_entered"), 5 + 0 + 1 + 2 + 7 + 12);
  }
}

TEST(Structured, TheWindowBoundsLiveIterations) {
  Program program(kNested);
  EXPECT_EQ(program.scalar<int32_t>({i32(12)}), 66);
  EXPECT_EQ(program.stat("max_live_iterations"), 4); // the counter runs ahead of the sum
  rt::RunOptions options;
  options.parallelIterations = 2;
  Program narrow(kNested);
  narrow.runner().setOptions(options);
  EXPECT_EQ(narrow.scalar<int32_t>({i32(12)}), 66);
  EXPECT_EQ(narrow.stat("max_live_iterations"), 2);
}

// No loop variable: the loop goes on until its own effect stops it.
TEST(Structured, LoopsMayCarryNothing) {
  Program program(R"(
state.variable @v {key = "v", type = tensor<i32>}
flow.graph @main {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %r = flow.while () (%n) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>) -> tensor<i32> before {
  ^bb0(%limit: tensor<i32>):
    %h, %ht = state.handle {variable = @v} : () -> (!state.resource<tensor<i32>>, !flow.token)
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %added = state.assign_add %h, %one : (!state.resource<tensor<i32>>, tensor<i32>) -> !flow.token
    %i, %t = state.read %h, %added : (!state.resource<tensor<i32>>, !flow.token) -> (tensor<i32>, !flow.token)
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>):
    flow.yield : () -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
})");
  program.runner().variables()[0]->value = i32(0);
  EXPECT_EQ(program.scalar<int32_t>({i32(5)}), 5);
  EXPECT_EQ(program.scalar<int32_t>({i32(5)}), 6);
}

// A loop on a branch of primitives that is not taken.
const char *const kDeadLoop = R"(
flow.graph @main {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %xf, %xt, %xs = flow.switch %x, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %r = flow.while (%xt, INIT) (%x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32> before {
  ^bb0(%i: tensor<i32>, %j: tensor<i32>, %k: tensor<i32>):
    %ten = nd.constant {value = dense<10> : tensor<i32>} : () -> tensor<i32>
    %l = nd.less %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %l (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %k: tensor<i32>):
    %n = nd.add %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %n, %n : (tensor<i32>, tensor<i32>) -> ()
  }
  %v, %vi, %vt = flow.merge %r, %xf : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  flow.fetch %v {name = "v"} : (tensor<i32>) -> ()
})";

static std::string deadLoop(const std::string &init) {
  std::string text = kDeadLoop;
  return text.replace(text.find("INIT"), 4, init);
}

TEST(Structured, LoopsDieAsAWhole) {
  Program program(deadLoop("%xt"));
  EXPECT_EQ(program.scalar<int32_t>({boolean(true), i32(4)}), 12);
  EXPECT_EQ(program.scalar<int32_t>({boolean(false), i32(4)}), 4);
  EXPECT_EQ(program.stat("frames_entered"), 2);
}

TEST(Structured, InitialValuesAreDeadAllOrNone) {
  Program program(deadLoop("%x"));
  EXPECT_EQ(program.scalar<int32_t>({boolean(true), i32(4)}), 12);
  EXPECT_EQ(program.call({boolean(false), i32(4)}).status().code(), rt::Code::kInvalidArgument);
}

// All ops of a codelet run when all inputs are there; loops in it run as one.
TEST(Structured, CodeletsAreStrict) {
  Program program(R"(
flow.graph @main {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %xf, %xt, %xs = flow.switch %x, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %y:2 = flow.codelet (%xt, %x) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %n = nd.neg %b : (tensor<i32>) -> tensor<i32>
    %i = flow.while (%zero) (%a) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
    ^bb0(%j: tensor<i32>, %c: tensor<i32>):
      %l = nd.less %j, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %l (%j) : (tensor<i1>, tensor<i32>) -> ()
    } body {
    ^bb0(%j: tensor<i32>, %c: tensor<i32>):
      %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
      %k = nd.add %j, %two : (tensor<i32>, tensor<i32>) -> tensor<i32>
      flow.yield %k : (tensor<i32>) -> ()
    }
    flow.yield %n, %i : (tensor<i32>, tensor<i32>) -> ()
  }
  %s = nd.add %y#0, %y#1 : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %v, %vi, %vt = flow.merge %s, %xf : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  flow.fetch %v {name = "v"} : (tensor<i32>) -> ()
})");
  EXPECT_EQ(program.scalar<int32_t>({boolean(true), i32(5)}), 1);
  EXPECT_EQ(program.stat("kernels"), 1 + 4 + 3 + 1); // neg, less, add; the sum
  EXPECT_EQ(program.scalar<int32_t>({boolean(false), i32(5)}), 5);
  EXPECT_EQ(program.stat("kernels"), 9); // the codelet is dead as a whole
  EXPECT_EQ(program.stat("frames_entered"), 0);
}

TEST(Structured, ErrorsInRegionsNameTheNode) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %y = flow.codelet (%x) : (tensor<i32>) -> tensor<i32> {
  ^bb0(%a: tensor<i32>):
    %q = nd.floor_div %a, %a : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("quotient")
    flow.yield %q : (tensor<i32>) -> ()
  }
  flow.fetch %y {name = "y"} : (tensor<i32>) -> ()
})");
  EXPECT_EQ(program.scalar<int32_t>({i32(3)}), 1);
  EXPECT_EQ(program.call({i32(0)}).status().node(), "quotient");
}

} // namespace
} // namespace sluice::interpret
