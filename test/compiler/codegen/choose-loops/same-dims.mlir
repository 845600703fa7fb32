// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dims that come in and are equal as far as the graph tells need no guard, so nothing is in a box.
// RUN: sluice-opt %s -pass-pipeline='builtin.module(codegen-choose-loops)' | FileCheck %s

// CHECK-LABEL: @equal
// CHECK: flow.while
// CHECK-NOT: codegen.boxed_operands
// CHECK-SAME: codegen.same_dims = array<i64: 0, 0, [[B:-[0-9]+]], 1, 0, [[B]]>
// CHECK-LABEL: @unequal
// CHECK: flow.while
// CHECK-SAME: codegen.boxed_operands
flow.graph @equal {
  %x = flow.feed {name = "x"} : () -> tensor<?x4xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %y = nd.exp %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = flow.while (%x) (%y, %p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<i1>) -> tensor<?x4xf32> before {
  ^bb0(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<?x4xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %q: tensor<i1>):
    %c = nd.add %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    flow.yield %c : (tensor<?x4xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?x4xf32>) -> ()
}
flow.graph @unequal {
  %x = flow.feed {name = "x"} : () -> tensor<?x4xf32>
  %y = flow.feed {name = "y"} : () -> tensor<?x4xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.while (%x) (%y, %p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<i1>) -> tensor<?x4xf32> before {
  ^bb0(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<?x4xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %q: tensor<i1>):
    %c = nd.add %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    flow.yield %c : (tensor<?x4xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?x4xf32>) -> ()
}
