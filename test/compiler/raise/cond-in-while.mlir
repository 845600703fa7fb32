// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch within a loop.
// RUN: sluice-opt %s --raise-control-flow | FileCheck %s

// while (x < 10) x = p ? -x : exp(x), with p from outside: the constant enter is a capture of both.
// CHECK-LABEL: flow.graph @in_body
flow.graph @in_body {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %ten = nd.constant {value = dense<10.0> : tensor<f32>} : () -> tensor<f32>
  // CHECK: flow.while(%{{.*}}) (%{{.*}})
  // CHECK: } body {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<f32>, %[[P:.*]]: tensor<i1>):
  // CHECK-NEXT:   %[[Y:.*]] = flow.cond %[[P]](%[[X]])
  // CHECK:        flow.yield %[[Y]]
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %pin = flow.enter %p {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %limit = flow.gate %ten, %im : (tensor<f32>, !flow.token) -> tensor<f32>
  %less = nd.less %i, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %bf, %bt, %bs = flow.switch %t, %pin : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %a = nd.neg %bt : (tensor<f32>) -> tensor<f32>
  %b = nd.exp %bf : (tensor<f32>) -> tensor<f32>
  %m, %mi, %mm = flow.merge %b, %a : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %x1 = flow.next_iteration %m : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// The condition of a loop may be a branch itself: while (p ? q : false).
// CHECK-LABEL: flow.graph @in_condition
flow.graph @in_condition {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  // CHECK: flow.while
  // CHECK-SAME: before {
  // CHECK:   %[[C:.*]] = flow.cond
  // CHECK:   flow.condition %[[C]]
  // CHECK: } body {
  %p0 = flow.enter %p {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %qin = flow.enter %q {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %i, %ii, %im = flow.merge %p0, %p1 : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
  %qf, %qt, %qs = flow.switch %qin, %i : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %pf, %pt, %ps = flow.switch %i, %i : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %m, %mi, %mm = flow.merge %pf, %qt : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
  %go = flow.loop_cond %m : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %not = nd.logical_not %t : (tensor<i1>) -> tensor<i1>
  %p1 = flow.next_iteration %not : (tensor<i1>) -> tensor<i1>
  %y = flow.exit %f : (tensor<i1>) -> tensor<i1>
  flow.fetch %y {name = "y:0"} : (tensor<i1>) -> ()
}
