// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives that the interpreter finds by itself: what ran, backwards.
#include "test/compiler/interpret/Program.h"

namespace sluice::interpret {
namespace {

// dy/dx of what `lines` make of %x, with %p, a bool.
std::string derivative(const std::string &lines, const std::string &type = "tensor<f32>") {
  return R"(
flow.graph @main {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %fed = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %fed {name = "x"} : (tensor<f32>) -> tensor<f32>
)" + lines +
         R"(
  %dx = flow.gradient of %y seeds wrt %x stops {name = "g"} : ()" +
         type + R"(, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
})";
}

constexpr const char *kBranch = R"(
  %y = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>):
    %b = nd.mul %a, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %b : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>):
    %b = nd.neg %a : (tensor<f32>) -> tensor<f32>
    flow.yield %b : (tensor<f32>) -> ()
  })";

TEST(Tape, OnlyTheWayThatWasTakenCounts) {
  Program program(derivative(kBranch));
  EXPECT_EQ(program.scalar<float>({boolean(true), f32(5)}), 10);
  EXPECT_EQ(program.scalar<float>({boolean(false), f32(5)}), -1);
}

TEST(Tape, PrimitivesPassValuesOn) {
  Program program(derivative(R"(
  %f, %t, %st = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %s = nd.mul %t, %t : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %y, %i, %mt = flow.merge %f, %s : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token))"));
  EXPECT_EQ(program.scalar<float>({boolean(true), f32(5)}), 10);
  EXPECT_EQ(program.scalar<float>({boolean(false), f32(5)}), 1);
}

// x^(2^3), which squares its way up in a loop, in whatever order its tokens are taken.
TEST(Tape, EachIterationHasItsPlace) {
  Program program(derivative(R"(
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) () {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>):
    %three = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
    %more = nd.less %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %more (%i, %s) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %square = nd.mul %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %j, %square : (tensor<i32>, tensor<f32>) -> ()
  }
  %y = nd.neg %r#1 : (tensor<f32>) -> tensor<f32>)"));
  for (uint64_t seed = 0; seed < 5; ++seed) {
    rt::RunOptions options;
    options.scheduleSeed = seed;
    program.runner().setOptions(options);
    EXPECT_EQ(program.scalar<float>({boolean(true), f32(2)}), -8 * 128);
  }
}

// Where elements come from is asked of the kernel: an element of a list that another one follows.
TEST(Tape, ListsAreValues) {
  Program program(derivative(R"(
  %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %two {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %m = list.set %l, %one, %x {grow = false, once = true} : (!list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> !list.of<tensor<f32>>
  %n = list.push %m, %x {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
  %s = list.stack %n {element_shape = tensor<f32>, num_elements = -1 : i64} : (!list.of<tensor<f32>>) -> tensor<?xf32>
  %y = nd.mul %s, %s : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>)",
                             "tensor<?xf32>"));
  EXPECT_EQ(program.scalar<float>({boolean(true), f32(3)}), 12);
}

TEST(Tape, NamesHaveConventionsOfTheirOwn) {
  Program program(derivative(R"(
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %m = nd.maximum %x, %zero : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %y = flow.known_as "tf.Relu" %m of %x : (tensor<f32>, tensor<f32>) -> tensor<f32>)"));
  EXPECT_EQ(program.scalar<float>({boolean(true), f32(0)}), 0); // and not 1, as of the maximum
  EXPECT_EQ(program.scalar<float>({boolean(true), f32(2)}), 1);
}

// Before optimize, names stand around what computes them.
TEST(Tape, CompositesHaveTheRuleOfTheirName) {
  Program program(derivative(R"(
  %y = flow.composite "tf.LeakyRelu" with {alpha = 5.000000e-01 : f32}(%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    %half = nd.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
    %b = nd.mul %a, %half : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %m = nd.maximum %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %m : (tensor<f32>) -> ()
  })"));
  EXPECT_EQ(program.scalar<float>({boolean(true), f32(0)}), 0.5); // and not 1, as of the maximum
  EXPECT_EQ(program.scalar<float>({boolean(true), f32(2)}), 1);
}

TEST(Tape, CompositesWithoutARuleHaveThatOfTheirOps) {
  Program program(derivative(R"(
  %y = flow.composite "tf.Square" (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    %b = nd.mul %a, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %b : (tensor<f32>) -> ()
  })"));
  EXPECT_EQ(program.scalar<float>({boolean(true), f32(3)}), 6);
}

TEST(Tape, AVariableIsAllThatIsReadOfIt) {
  Program program(R"(
state.variable @v {key = "v", type = tensor<f32>}
flow.graph @main {
  %h, %ht = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %k, %kt = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %a, %at = state.read %h : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %b, %bt = state.read %k : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %y = nd.mul %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %dv = flow.gradient of %y seeds wrt %h stops {name = "g"} : (tensor<f32>, !state.resource<tensor<f32>>) -> tensor<f32>
  flow.fetch %dv {name = "dv"} : (tensor<f32>) -> ()
})");
  program.runner().variables()[0]->value = f32(7);
  EXPECT_EQ(program.scalar<float>(), 14);
}

// A stop is a constant for all that depends on it, and what has steps is one by itself.
TEST(Tape, StopsAndStepsEndTheWay) {
  Program program(R"(
flow.graph @main {
  %fed = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %fed {name = "x"} : (tensor<f32>) -> tensor<f32>
  %s0 = nd.exp %x : (tensor<f32>) -> tensor<f32>
  %s = flow.independent %s0 {name = "s"} : (tensor<f32>) -> tensor<f32>
  %f = nd.floor %x : (tensor<f32>) -> tensor<f32>
  %m = nd.mul %x, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %y = nd.add %m, %f : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %dx, %ds = flow.gradient of %y seeds wrt %x, %s stops %s {name = "g"} : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %sum = nd.sub %dx, %ds : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %sum {name = "sum"} : (tensor<f32>) -> ()
})");
  EXPECT_EQ(program.scalar<float>({f32(0)}), 1);
}

TEST(Tape, WhatHasNoRuleIsNamed) {
  Program program(derivative(R"(
  %size = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %a, %flow, %at = array.create %size {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<f32>>, tensor<f32>, !flow.token)
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %w, %wt = array.write %a, %zero, %x, %flow : (!array.handle<tensor<f32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y, %rt = array.read %a, %zero, %w : (!array.handle<tensor<f32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("there"))"));
  rt::Status status = program.call({boolean(true), f32(0)}).status();
  EXPECT_EQ(status.code(), rt::Code::kUnimplemented);
  EXPECT_EQ(status.node(), "there");
}

} // namespace
} // namespace sluice::interpret
