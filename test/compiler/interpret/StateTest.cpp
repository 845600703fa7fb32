// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables over calls, arrays and stacks in loops, random streams, print.
#include "test/compiler/interpret/Program.h"

#include <set>

namespace sluice::interpret {
namespace {

const char *const kVariable = R"(
state.variable @v {key = "weights", type = tensor<f32>}
flow.graph @add {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %vt = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %done = state.assign_add %v, %x : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token loc("add")
  %r, %rt = state.read %v, %done : (!state.ref<tensor<f32>>, !flow.token) -> (tensor<f32>, !flow.token)
  flow.fetch %r {name = "v:0"} : (tensor<f32>) -> ()
}
flow.graph @get {
  %v, %vt = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %r, %rt = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token) loc("get")
  flow.fetch %r {name = "v:0"} : (tensor<f32>) -> ()
})";

TEST(State, VariablesLiveOnBetweenCallsOfAllSignatures) {
  Program program(kVariable);
  ASSERT_EQ(program.runner().variables().size(), 1u);
  rt::Variable &variable = *program.runner().variables()[0];
  EXPECT_EQ(variable.name, "weights");
  EXPECT_FALSE(variable.initialized());
  rt::Status status = program.call({}, 1).status();
  EXPECT_EQ(status.code(), rt::Code::kFailedPrecondition);
  EXPECT_EQ(status.node(), "get");
  variable.value = f32(1);
  EXPECT_EQ(program.scalar<float>({f32(2)}), 3);
  EXPECT_EQ(program.scalar<float>({f32(4)}), 7);
  EXPECT_EQ(program.scalar<float>({}, 1), 7);
}

TEST(State, DenormalsAreZeroWithinCallsOnly) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = nd.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
})");
  volatile float small = 1e-20f;
  EXPECT_EQ(program.scalar<float>({f32(small)}), 0);
  EXPECT_NE(small * small, 0);
}

// Writes i * i at i = 0 … n-1 of an array made outside the loop, reads element k afterwards.
const char *const kArray = R"(
flow.graph @main {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %k = flow.feed {name = "k:0"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %h, %f, %ct = array.create %n {dtype = i32, element_shape = tensor<i32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<i32>>, tensor<f32>, !flow.token)
  %i0 = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %f0 = flow.enter %f {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %nc = flow.enter %n {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %hc = flow.enter %h {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (!array.handle<tensor<i32>>) -> !array.handle<tensor<i32>>
  %i, %ii, %it = flow.merge %i0, %i2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %fl, %fi, %ft = flow.merge %f0, %f2 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %nc : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %if, %ib, %ist = flow.switch %i, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %ff, %fb, %fst = flow.switch %fl, %c : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %sq = nd.mul %ib, %ib : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %f1, %wt = array.write %hc, %ib, %sq, %fb : (!array.handle<tensor<i32>>, tensor<i32>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %i1 = nd.add %ib, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %i2 = flow.next_iteration %i1 : (tensor<i32>) -> tensor<i32>
  %f2 = flow.next_iteration %f1 : (tensor<f32>) -> tensor<f32>
  %fx = flow.exit %ff : (tensor<f32>) -> tensor<f32>
  %r, %rt = array.read %h, %k, %fx : (!array.handle<tensor<i32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, !flow.token) loc("read")
  flow.fetch %r {name = "r:0"} : (tensor<i32>) -> ()
})";

TEST(State, ArraysAreFilledInLoops) {
  Program program(kArray);
  EXPECT_EQ(program.scalar<int32_t>({i32(12), i32(7)}), 49);
  EXPECT_EQ(program.scalar<int32_t>({i32(1), i32(0)}), 0);
  rt::Status status = program.call({i32(3), i32(3)}).status();
  EXPECT_EQ(status.code(), rt::Code::kInvalidArgument);
  EXPECT_EQ(status.node(), "read");
}

// Pushes 1 … n in a loop; a second loop pops them all and computes 2 * acc + popped.
const char *const kStack = R"(
flow.graph @main {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %any = nd.constant {value = dense<-1> : tensor<i32>} : () -> tensor<i32>
  %h, %ht = array.stack_create %any {dtype = i32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<i32>>, !flow.token)
  %i0 = flow.enter %zero {frame = "fill", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %nc = flow.enter %n {frame = "fill", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %hc = flow.enter %h {frame = "fill", constant = true, parallel_iterations = 10 : i64} : (!array.stack<tensor<i32>>) -> !array.stack<tensor<i32>>
  %i, %ii, %it = flow.merge %i0, %i2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %nc : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %if, %ib, %ist = flow.switch %i, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %i1 = nd.add %ib, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %pushed, %pt = array.stack_push %hc, %i1 {swap_memory = false} : (!array.stack<tensor<i32>>, tensor<i32>) -> (tensor<i32>, !flow.token)
  %i2 = flow.next_iteration %pushed : (tensor<i32>) -> tensor<i32>
  %count = flow.exit %if : (tensor<i32>) -> tensor<i32>

  %j0 = flow.enter %count {frame = "drain", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %a0 = flow.enter %zero {frame = "drain", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %hd = flow.enter %h {frame = "drain", constant = true, parallel_iterations = 10 : i64} : (!array.stack<tensor<i32>>) -> !array.stack<tensor<i32>>
  %j, %ji, %jt = flow.merge %j0, %j2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %a, %ai, %at = flow.merge %a0, %a2 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %q = nd.less %zero, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %d = flow.loop_cond %q : (tensor<i1>) -> tensor<i1>
  %jf, %jb, %jst = flow.switch %j, %d : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %af, %ab, %ast = flow.switch %a, %d : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %turn = flow.after %ab : (tensor<i32>) -> !flow.token
  %popped, %ot = array.stack_pop %hd, %turn : (!array.stack<tensor<i32>>, !flow.token) -> (tensor<i32>, !flow.token)
  %double = nd.mul %ab, %two : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %a1 = nd.add %double, %popped : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %j1 = nd.sub %jb, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %j2 = flow.next_iteration %j1 : (tensor<i32>) -> tensor<i32>
  %a2 = flow.next_iteration %a1 : (tensor<i32>) -> tensor<i32>
  %r = flow.exit %af : (tensor<i32>) -> tensor<i32>
  flow.fetch %r {name = "r:0"} : (tensor<i32>) -> ()
})";

TEST(State, StacksCarryValuesFromLoopToLoop) {
  Program program(kStack);
  for (uint64_t seed = 0; seed < 5; ++seed) {
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    for (int n : {0, 1, 5, 15}) {
      int32_t expected = 0;
      for (int i = n; i > 0; --i)
        expected = 2 * expected + i;
      EXPECT_EQ(program.scalar<int32_t>({i32(n)}), expected);
    }
  }
}

TEST(State, RandomStreamGoesOnBetweenCalls) {
  Program program(R"(
state.variable @other {key = "other", type = tensor<f32>}
state.generator @g {key = "random"}
flow.graph @main {
  %shape = nd.constant {value = dense<> : tensor<0xi32>} : () -> tensor<0xi32>
  %r, %t = state.random_uniform %shape {generator = @g, seed = 7 : i64, seed2 = 9 : i64} : (tensor<0xi32>) -> (tensor<f32>, !flow.token)
  flow.fetch %r {name = "r:0"} : (tensor<f32>) -> ()
})");
  float first = program.scalar<float>(), second = program.scalar<float>();
  EXPECT_NE(first, second);
}

// Loops of two iterations, each around the next; `body` is in the innermost. `#` is the depth.
std::string nestOf(int depth, const std::string &body) {
  if (!depth)
    return body;
  std::string loop = R"(
%zero# = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
%r# = flow.while (%zero#) () {frame = "#", parallel_iterations = 3 : i64} : (tensor<i32>) -> tensor<i32> before {
^bb0(%i#: tensor<i32>):
  %two# = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %p# = nd.less %i#, %two# : (tensor<i32>, tensor<i32>) -> tensor<i1>
  flow.condition %p# (%i#) : (tensor<i1>, tensor<i32>) -> ()
} body {
^bb0(%j#: tensor<i32>):
  %one# = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %k# = nd.add %j#, %one# : (tensor<i32>, tensor<i32>) -> tensor<i32>
  BODY
  flow.yield %k# : (tensor<i32>) -> ()
}
)";
  for (size_t at; (at = loop.find('#')) != loop.npos;)
    loop.replace(at, 1, std::to_string(depth));
  return loop.replace(loop.find("BODY"), 4, nestOf(depth - 1, body));
}

TEST(State, RandomStreamsOfNestedLoopsDiffer) {
  Program program("state.generator @g {key = \"random\"}\nflow.graph @main {\n" + nestOf(4, R"(
%shape = nd.constant {value = dense<> : tensor<0xi32>} : () -> tensor<0xi32>
%r, %t = state.random_uniform %shape {generator = @g, seed = 7 : i64, seed2 = 9 : i64} : (tensor<0xi32>) -> (tensor<f32>, !flow.token)
%pt = state.print %r {message = "", first_n = -1 : i64, summarize = 3 : i64} : (tensor<f32>) -> !flow.token
)") + "flow.fetch %r4 {name = \"i:0\"} : (tensor<i32>) -> ()\n}");
  std::set<std::string, std::less<>> printed;
  rt::RunOptions options;
  options.print = [&](std::string_view line) { printed.emplace(line); };
  program.runner().setOptions(options);
  EXPECT_EQ(program.scalar<int32_t>(), 2);
  EXPECT_EQ(printed.size(), 16u);
}

TEST(State, PrintGoesToTheOptions) {
  Program program(R"(
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %t = state.print %x {message = "x is ", first_n = -1 : i64, summarize = 3 : i64} : (tensor<i32>) -> !flow.token
  flow.target %t {name = "print"} : (!flow.token) -> ()
})");
  std::string printed;
  rt::RunOptions options;
  options.print = [&](std::string_view line) { printed += line; };
  program.runner().setOptions(options);
  EXPECT_TRUE(program.call({i32(5)}).ok());
  EXPECT_EQ(printed, "x is [5]");
}

} // namespace
} // namespace sluice::interpret
