// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of ops that can be compiled becomes code as a whole, with the branch inside. Tokens inside
// say nothing in code that runs in order, so they vanish.
// RUN: sluice-opt --codegen-choose-loops %s | FileCheck %s

// CHECK: flow.while
// CHECK-SAME: codegen.collapse
// CHECK-NOT: flow.start
// CHECK-NOT: flow.gate
// CHECK: nd.add
// CHECK: flow.cond
// CHECK-NOT: codegen.collapse
// CHECK: flow.fetch
flow.graph @main {
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %last = flow.while (%i) (%n) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
  ^bb0(%i1: tensor<i32>, %n1: tensor<i32>):
    %p = nd.less %i1, %n1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i1) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i2: tensor<i32>, %n2: tensor<i32>):
    %started = flow.start : () -> !flow.token
    %later = flow.gate %i2, %started : (tensor<i32>, !flow.token) -> tensor<i32>
    %i3 = nd.add %later, %i2 : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %q = nd.less %i3, %n2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %i4 = flow.cond %q (%i3) : (tensor<i1>, tensor<i32>) -> tensor<i32> on_true {
    ^bb0(%t: tensor<i32>):
      %u = nd.neg %t : (tensor<i32>) -> tensor<i32>
      flow.yield %u : (tensor<i32>) -> ()
    } on_false {
    ^bb0(%t: tensor<i32>):
      flow.yield %t : (tensor<i32>) -> ()
    }
    flow.yield %i4 : (tensor<i32>) -> ()
  }
  flow.fetch %last {name = "i"} : (tensor<i32>) -> ()
}
