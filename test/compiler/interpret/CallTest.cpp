// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions: calls in graphs and in regions, of functions that call themselves, and their limits.
#include "test/compiler/interpret/Program.h"

namespace sluice::interpret {
namespace {

// fib(n), with two calls of itself in a region.
constexpr const char *kFibonacci = R"(
flow.func @fib : (tensor<i32>) -> tensor<i32> {
  %n = flow.argument {index = 0 : i64} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %p = nd.less_equal %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = flow.cond %p (%n) : (tensor<i1>, tensor<i32>) -> tensor<i32> on_true {
  ^bb0(%a: tensor<i32>):
    flow.yield %a : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%a: tensor<i32>):
    %c1 = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %c2 = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %a1 = nd.sub %a, %c1 : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %a2 = nd.sub %a, %c2 : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %f1, %t1 = flow.call @fib (%a1) {recursion = 1 : i64} : (tensor<i32>) -> (tensor<i32>, !flow.token)
    %f2, %t2 = flow.call @fib (%a2) {recursion = 2 : i64} : (tensor<i32>) -> (tensor<i32>, !flow.token)
    %s = nd.add %f1, %f2 : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %s : (tensor<i32>) -> ()
  }
  flow.return %r : (tensor<i32>) -> ()
}
flow.graph @main {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %r, %t = flow.call @fib (%n) : (tensor<i32>) -> (tensor<i32>, !flow.token)
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
})";

TEST(Call, AFunctionMayCallItself) {
  Program program(kFibonacci);
  EXPECT_EQ(program.scalar<int32_t>({i32(1)}), 1);
  EXPECT_EQ(program.scalar<int32_t>({i32(12)}), 144);
  for (uint64_t seed = 0; seed < 10; ++seed) {
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    EXPECT_EQ(program.scalar<int32_t>({i32(8)}), 21);
  }
}

TEST(Call, TooManyWithinEachOtherAreAnError) {
  Program program(kFibonacci);
  rt::RunOptions options;
  options.limits.set(rt::Limit::kCallDepth, 1000);
  program.runner().setOptions(options);
  auto result = program.call({i32(100'000)});
  EXPECT_EQ(result.status().code(), rt::Code::kResourceExhausted);
  EXPECT_EQ(program.scalar<int32_t>({i32(6)}), 8);
}

// The frame "l" of the graph has nothing to do with that of the function.
TEST(Call, FramesOfAFunctionAreItsOwn) {
  const std::string loop = R"(
  %e = flow.enter %x {frame = "l", constant = false, parallel_iterations = 1 : i64} : (tensor<i32>) -> tensor<i32>
  %i = flow.exit %e : (tensor<i32>) -> tensor<i32>
)";
  Program program("flow.func @f : (tensor<i32>) -> tensor<i32> {\n"
                  "  %x = flow.argument {index = 0 : i64} : () -> tensor<i32>\n" +
                  loop +
                  "  flow.return %i : (tensor<i32>) -> ()\n"
                  "}\n"
                  "flow.graph @main {\n"
                  "  %x = flow.feed {name = \"x\"} : () -> tensor<i32>\n" +
                  loop +
                  "  %r, %t = flow.call @f (%i) : (tensor<i32>) -> (tensor<i32>, !flow.token)\n"
                  "  flow.fetch %r {name = \"r\"} : (tensor<i32>) -> ()\n"
                  "}");
  EXPECT_EQ(program.scalar<int32_t>({i32(5)}), 5);
  EXPECT_EQ(program.stat("frames_entered"), 3);
}

// Of a call that is dead, and of what it waits for.
TEST(Call, TokensKillAndDelay) {
  Program program(R"(
flow.func @same : (tensor<i32>) -> tensor<i32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<i32>
  flow.return %x : (tensor<i32>) -> ()
}
flow.graph @main {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %f, %t, %s = flow.switch %x, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %taken = flow.after %t : (tensor<i32>) -> !flow.token
  %y, %done = flow.call @same (%x, %taken) : (tensor<i32>, !flow.token) -> (tensor<i32>, !flow.token)
  %n = nd.neg %f : (tensor<i32>) -> tensor<i32>
  %v, %i, %m = flow.merge %y, %n : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  flow.fetch %v {name = "v"} : (tensor<i32>) -> ()
})");
  EXPECT_EQ(program.scalar<int32_t>({boolean(true), i32(5)}), 5);
  EXPECT_EQ(program.scalar<int32_t>({boolean(false), i32(5)}), -5);
}

} // namespace
} // namespace sluice::interpret
