// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop on one way of a branch: y = p ? (while (x < 10) x += x) : x.
// RUN: sluice-opt %s --raise-control-flow | FileCheck %s

// CHECK-LABEL: flow.graph @loop_in_branch
flow.graph @loop_in_branch {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %ten = nd.constant {value = dense<10.0> : tensor<f32>} : () -> tensor<f32>
  // CHECK: flow.cond %{{.*}} on_true {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<f32>):
  // CHECK-NEXT:   %[[Y:.*]] = flow.while(%[[X]]) ()
  // CHECK:        flow.yield %[[Y]]
  // CHECK: } on_false {
  // CHECK-NOT: flow.enter
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %x0 = flow.enter %t {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %less = nd.less %i, %ten : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %lf, %lt, %ls = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %twice = nd.add %lt, %lt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %x1 = flow.next_iteration %twice : (tensor<f32>) -> tensor<f32>
  %left = flow.exit %lf : (tensor<f32>) -> tensor<f32>
  %y, %yi, %ym = flow.merge %f, %left : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// The loop asks again what the branch around it asks: there the answer is known, and what would go
// through the switch just waits for the predicate.
// CHECK-LABEL: flow.graph @asks_again
flow.graph @asks_again {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // CHECK: flow.cond %{{.*}} on_true {
  // CHECK:   flow.while
  // CHECK:   } body {
  // CHECK-NOT: flow.cond
  // CHECK:     %[[T:.*]] = flow.after %{{.*}} : (tensor<i1>)
  // CHECK:     flow.gate %{{.*}}, %[[T]]
  // CHECK: } on_false {
  // CHECK-NOT: flow.switch
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %x0 = flow.enter %t {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %pin = flow.enter %p {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %less = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %lf, %lt, %ls = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %af, %at, %as = flow.switch %lt, %pin : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %x1 = flow.next_iteration %at : (tensor<f32>) -> tensor<f32>
  %left = flow.exit %lf : (tensor<f32>) -> tensor<f32>
  %y, %yi, %ym = flow.merge %f, %left : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
