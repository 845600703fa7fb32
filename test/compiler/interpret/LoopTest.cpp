// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames: loops, nested loops, dead loops, constant enters, dead exits.
#include "test/compiler/interpret/Program.h"

namespace sluice::interpret {
namespace {

// i = 0; s = 0; while (i < n) { s += k; i += 1 }, with n and k as constant enters.
const char *const kCount = R"(
flow.graph @main {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %k = flow.feed {name = "k:0"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %i0 = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %s0 = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %nc = flow.enter %n {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %kc = flow.enter %k {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %ii, %it = flow.merge %i0, %i2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %s, %si, %st = flow.merge %s0, %s2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %nc : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %if, %ib, %ist = flow.switch %i, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %sf, %sb, %sst = flow.switch %s, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %i1 = nd.add %ib, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %s1 = nd.add %sb, %kc : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %i2 = flow.next_iteration %i1 : (tensor<i32>) -> tensor<i32>
  %s2 = flow.next_iteration %s1 : (tensor<i32>) -> tensor<i32>
  %r = flow.exit %sf : (tensor<i32>) -> tensor<i32>
  flow.fetch %r {name = "s:0"} : (tensor<i32>) -> ()
})";

TEST(Loop, Counts) {
  Program program(kCount);
  for (int n : {0, 1, 2, 9, 10, 11, 100})
    EXPECT_EQ(program.scalar<int32_t>({i32(n), i32(3)}), 3 * n);
}

TEST(Loop, ConstantEntersReachEveryIteration) {
  Program program(kCount);
  EXPECT_EQ(program.scalar<int32_t>({i32(25), i32(2)}), 50);
  EXPECT_EQ(program.stat("iterations"), 26);
  EXPECT_EQ(program.stat("frames_entered"), 1);
}

// s = 0; for (i = 0; i < n; ++i) for (j = 0; j < i; ++j) s += 1
const char *const kNested = R"(
flow.graph @main {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %i0 = flow.enter %zero {frame = "outer", constant = false, parallel_iterations = 4 : i64} : (tensor<i32>) -> tensor<i32>
  %s0 = flow.enter %zero {frame = "outer", constant = false, parallel_iterations = 4 : i64} : (tensor<i32>) -> tensor<i32>
  %nc = flow.enter %n {frame = "outer", constant = true, parallel_iterations = 4 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %ii, %it = flow.merge %i0, %i2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %s, %si, %st = flow.merge %s0, %s2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %nc : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %if, %ib, %ist = flow.switch %i, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %sf, %sb, %sst = flow.switch %s, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %i1 = nd.add %ib, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %i2 = flow.next_iteration %i1 : (tensor<i32>) -> tensor<i32>

  %pivot = flow.after %ib : (tensor<i32>) -> !flow.token
  %start = flow.gate %zero, %pivot : (tensor<i32>, !flow.token) -> tensor<i32>
  %j0 = flow.enter %start {frame = "inner", constant = false, parallel_iterations = 3 : i64} : (tensor<i32>) -> tensor<i32>
  %t0 = flow.enter %sb {frame = "inner", constant = false, parallel_iterations = 3 : i64} : (tensor<i32>) -> tensor<i32>
  %ic = flow.enter %ib {frame = "inner", constant = true, parallel_iterations = 3 : i64} : (tensor<i32>) -> tensor<i32>
  %j, %ji, %jt = flow.merge %j0, %j2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %t, %ti, %tt = flow.merge %t0, %t2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %q = nd.less %j, %ic : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %d = flow.loop_cond %q : (tensor<i1>) -> tensor<i1>
  %jf, %jb, %jst = flow.switch %j, %d : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %tf, %tb, %tst = flow.switch %t, %d : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %j1 = nd.add %jb, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %t1 = nd.add %tb, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %j2 = flow.next_iteration %j1 : (tensor<i32>) -> tensor<i32>
  %t2 = flow.next_iteration %t1 : (tensor<i32>) -> tensor<i32>
  %tx = flow.exit %tf : (tensor<i32>) -> tensor<i32>

  %s2 = flow.next_iteration %tx : (tensor<i32>) -> tensor<i32>
  %r = flow.exit %sf : (tensor<i32>) -> tensor<i32>
  flow.fetch %r {name = "s:0"} : (tensor<i32>) -> ()
})";

TEST(Loop, NestsAndDeadInnerLoopsEnd) {
  Program program(kNested);
  for (int n : {0, 1, 2, 7, 12})
    EXPECT_EQ(program.scalar<int32_t>({i32(n)}), n * (n - 1) / 2);
}

// i = 0; while (i < 20) i = i < 10 ? i + 1 : i + 5
const char *const kCondInLoop = R"(
flow.graph @main {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %five = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
  %ten = nd.constant {value = dense<10> : tensor<i32>} : () -> tensor<i32>
  %twenty = nd.constant {value = dense<20> : tensor<i32>} : () -> tensor<i32>
  %i0 = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 2 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %ii, %it = flow.merge %i0, %i2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %twenty : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %if, %ib, %ist = flow.switch %i, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %q = nd.less %ib, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %bf, %bt, %bst = flow.switch %ib, %q : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %x = nd.add %bf, %five : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %y = nd.add %bt, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %m, %mi, %mt = flow.merge %x, %y : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %i2 = flow.next_iteration %m : (tensor<i32>) -> tensor<i32>
  %r = flow.exit %if : (tensor<i32>) -> tensor<i32>
  flow.fetch %r {name = "r:0"} : (tensor<i32>) -> ()
})";

TEST(Loop, ContainsACond) {
  Program program(kCondInLoop);
  EXPECT_EQ(program.scalar<int32_t>(), 20);
  EXPECT_EQ(program.stat("iterations"), 13);
}

// A loop on one side of a cond; on the other side all its enters are dead. Its dead exit must come
// to the merge exactly once.
const char *const kLoopInCond = R"(
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %ten = nd.constant {value = dense<10> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %xf, %xt, %xs = flow.switch %x, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %i0 = flow.enter %xt {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %kc = flow.enter %xt {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %ii, %it = flow.merge %i0, %i2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %l = nd.less %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = flow.loop_cond %l : (tensor<i1>) -> tensor<i1>
  %if, %ib, %ist = flow.switch %i, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %i1 = nd.add %ib, %kc : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %i2 = flow.next_iteration %i1 : (tensor<i32>) -> tensor<i32>
  %r = flow.exit %if : (tensor<i32>) -> tensor<i32>
  %neg = nd.neg %xf : (tensor<i32>) -> tensor<i32>
  %v, %vi, %vt = flow.merge %neg, %r : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  flow.fetch %v {name = "v:0"} : (tensor<i32>) -> ()
})";

TEST(Loop, DiesOnTheUntakenBranch) {
  Program program(kLoopInCond);
  EXPECT_EQ(program.scalar<int32_t>({boolean(true), i32(4)}), 12);
  EXPECT_EQ(program.scalar<int32_t>({boolean(false), i32(4)}), -4);
  EXPECT_EQ(program.stat("frames_entered"), 2);
}

// The same with something that counts how often the exit arrives in the root frame, live or dead.
TEST(Loop, DeadExitFiresOnce) {
  std::string text = kLoopInCond;
  text = "state.variable @n {key = \"n\", type = tensor<i32>}\n" + text;
  text.insert(text.rfind("  flow.fetch"), R"(
  %h, %ht = state.handle {variable = @n} : () -> (!state.resource<tensor<i32>>, !flow.token)
  %arrived = flow.after %r : (tensor<i32>) -> !flow.token
  %always = flow.trigger %arrived : (!flow.token) -> !flow.token
  %counted = state.assign_add %h, %one, %always : (!state.resource<tensor<i32>>, tensor<i32>, !flow.token) -> !flow.token
  flow.target %counted {name = "count"} : (!flow.token) -> ()
)");
  Program program(text);
  for (uint64_t seed = 0; seed < 10; ++seed) {
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    rt::Tensor &count = program.runner().variables()[0]->value;
    count = i32(0);
    EXPECT_EQ(program.scalar<int32_t>({boolean(false), i32(1)}), -1);
    EXPECT_EQ(count.asInt(), 1);
    EXPECT_EQ(program.scalar<int32_t>({boolean(true), i32(1)}), 10);
    EXPECT_EQ(count.asInt(), 2);
  }
}

// The predicate enters once, so the switch fires in iteration 0 only, although data comes again.
// The loop of kCount, left by `%leaving` as well; what leaves is added to something that comes
// late.
std::string leavingEarly(const std::string &leaving) {
  std::string text = kCount;
  text.insert(text.rfind("  %r = "), leaving + R"(
  %late = nd.neg %n : (tensor<i32>) -> tensor<i32>
  %y = nd.add %early, %late : (tensor<i32>, tensor<i32>) -> tensor<i32>
  flow.fetch %y {name = "y:0"} : (tensor<i32>) -> ()
)");
  return text;
}

TEST(Loop, ALiveValueLeavesOnce) {
  Program program(
      leavingEarly("  %early = flow.exit %i : (tensor<i32>) -> tensor<i32> loc(\"early\")"));
  for (uint64_t seed = 0; seed < 20; ++seed) {
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    rt::Status status = program.call({i32(3), i32(1)}).status();
    EXPECT_EQ(status.code(), rt::Code::kInvalidArgument) << status.toString();
    EXPECT_EQ(status.node(), "early");
  }
}

TEST(Loop, AnExitThatWasLiveEarlierIsNotDeadInTheEnd) {
  Program program(leavingEarly(R"(
  %first = nd.equal %i, %iz : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %iz = flow.enter %zero {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %ef, %et, %es = flow.switch %s, %first : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %early = flow.exit %et : (tensor<i32>) -> tensor<i32>)"));
  for (uint64_t seed = 0; seed < 20; ++seed) {
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    auto result = program.call({i32(3), i32(1)});
    ASSERT_TRUE(result.ok()) << result.status().toString();
    EXPECT_EQ(*(*result)[0].data<int32_t>(), -3);
    EXPECT_EQ(program.runner().leftoverTokens(), 0u);
  }
}

TEST(Loop, WhatWaitsForAPlainEnterFiresOnceWithoutLeftovers) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %false = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  %p = flow.enter %false {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %i0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %ii, %it = flow.merge %i0, %next : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %f, %t, %s = flow.switch %i, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %next = flow.next_iteration %f : (tensor<i32>) -> tensor<i32>
  %r = flow.exit %f : (tensor<i32>) -> tensor<i32>
  flow.fetch %r {name = "r:0"} : (tensor<i32>) -> ()
})");
  EXPECT_EQ(program.scalar<int32_t>({i32(10)}), 10);
  EXPECT_EQ(program.stat("iterations"), 2);
}

TEST(Loop, GraphsWhoseFramesDisagreeAreRefused) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %e = flow.enter %x {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %y = nd.add %x, %e : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("sum")
  flow.fetch %y {name = "y:0"} : (tensor<i32>) -> ()
})",
                  /*verify=*/false);
  EXPECT_EQ(program.status().code(), rt::Code::kInvalidArgument);
  EXPECT_NE(program.status().message().find("different frames"), std::string::npos);
}

} // namespace
} // namespace sluice::interpret
