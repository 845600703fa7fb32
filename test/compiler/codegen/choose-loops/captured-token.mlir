// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant in a branch waits for a token of the loop around it, as one that TensorFlow makes in a
// loop's body and uses in a branch. The token orders nothing, since nothing inside has effects: the
// loop is collapsed, and the branch no longer captures the token.
// RUN: sluice-opt --codegen-choose-loops %s | FileCheck %s

// CHECK: flow.while
// CHECK-SAME: codegen.collapse
// CHECK-SAME: frame = "loop"
// CHECK-NOT: token
// CHECK: flow.cond %{{.*}} : (tensor<i1>, tensor<i32>) -> tensor<i32>
// CHECK-NOT: token
flow.graph @main {
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %last = flow.while (%x) () {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32> before {
  ^bb0(%x1: tensor<i32>):
    %p = nd.greater %x1, %x1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%x1) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%x2: tensor<i32>):
    %token = flow.after %x2 : (tensor<i32>) -> !flow.token
    %even = nd.less %x2, %x2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %y = flow.cond %even (%x2, %token) : (tensor<i1>, tensor<i32>, !flow.token) -> tensor<i32> on_true {
    ^bb0(%a: tensor<i32>, %t: !flow.token):
      flow.yield %a : (tensor<i32>) -> ()
    } on_false {
    ^bb0(%a: tensor<i32>, %t: !flow.token):
      %three = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
      %gated = flow.gate %three, %t : (tensor<i32>, !flow.token) -> tensor<i32>
      %b = nd.mul %a, %gated : (tensor<i32>, tensor<i32>) -> tensor<i32>
      flow.yield %b : (tensor<i32>) -> ()
    }
    flow.yield %y : (tensor<i32>) -> ()
  }
  flow.fetch %last {name = "x"} : (tensor<i32>) -> ()
}
