// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The outer loop sorts, which has no code. The loop in it is collapsed by itself.
// RUN: sluice-opt --codegen-choose-loops %s | FileCheck %s

// CHECK: flow.while
// CHECK-NOT: codegen.collapse
// CHECK: frame = "outer"
// CHECK: nd.top_k
// CHECK: flow.while
// CHECK: codegen.collapse
// CHECK-SAME: frame = "inner"
flow.graph @main {
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %last = flow.while (%x) () {frame = "outer", parallel_iterations = 10 : i64} : (tensor<4xf32>) -> tensor<4xf32> before {
  ^bb0(%x1: tensor<4xf32>):
    %p = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
    flow.condition %p (%x1) : (tensor<i1>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%x2: tensor<4xf32>):
    %k = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>
    %sorted, %places = nd.top_k %x2, %k : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
    %inner = flow.while (%sorted) () {frame = "inner", parallel_iterations = 10 : i64} : (tensor<4xf32>) -> tensor<4xf32> before {
    ^bb0(%y1: tensor<4xf32>):
      %p = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
      flow.condition %p (%y1) : (tensor<i1>, tensor<4xf32>) -> ()
    } body {
    ^bb0(%y2: tensor<4xf32>):
      %y3 = nd.add %y2, %y2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      flow.yield %y3 : (tensor<4xf32>) -> ()
    }
    flow.yield %inner : (tensor<4xf32>) -> ()
  }
  flow.fetch %last {name = "x"} : (tensor<4xf32>) -> ()
}
