// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The outer loop makes an array, which is an effect. The loop in it is collapsed by itself.
// RUN: sluice-opt --codegen-choose-loops %s | FileCheck %s

// CHECK: flow.while
// CHECK-NOT: codegen.collapse
// CHECK: frame = "outer"
// CHECK: array.create
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
    %a, %flow, %done = array.create %k {clear_after_read = true, dtype = f32, dynamic_size = false, element_shape = tensor<*xf32>, identical_element_shapes = true, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
    %inner = flow.while (%x2) () {frame = "inner", parallel_iterations = 10 : i64} : (tensor<4xf32>) -> tensor<4xf32> before {
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
