// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop: i = 0, sum = 0; while (i < n) { sum += x; i += 1 }.
// RUN: sluice-opt %s --raise-control-flow | FileCheck %s

// Enters that are not constant become initial values; constant ones captures, except of constants,
// which come along. The body gets what it uses; a result is what leaves.
// CHECK-LABEL: flow.graph @sum
flow.graph @sum {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %none = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  // CHECK: %[[N:.*]] = flow.feed {name = "n:0"}
  // CHECK: %[[X:.*]] = flow.feed {name = "x:0"}
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // CHECK: %[[Y:.*]]:2 = flow.while(%{{.*}}, %{{.*}}) (%[[N]], %[[X]]) {frame = "loop", parallel_iterations = 10 : i64}
  // CHECK-SAME: before {
  // CHECK-NEXT: ^bb0(%[[I:.*]]: tensor<i32>, %[[SUM:.*]]: tensor<f32>, %[[LIMIT:.*]]: tensor<i32>, %{{.*}}: tensor<f32>):
  // CHECK-NEXT:   %[[P:.*]] = nd.less %[[I]], %[[LIMIT]]
  // CHECK-NEXT:   flow.condition %[[P]](%[[I]], %[[SUM]])
  // CHECK-NEXT: } body {
  // CHECK-NEXT: ^bb0(%[[I:.*]]: tensor<i32>, %[[SUM:.*]]: tensor<f32>, %{{.*}}: tensor<i32>, %[[STEP:.*]]: tensor<f32>):
  // CHECK-NEXT:   %[[ONE:.*]] = nd.constant {value = dense<1>
  // CHECK-DAG:    %[[MORE:.*]] = nd.add %[[SUM]], %[[STEP]]
  // CHECK-DAG:    %[[NEXT:.*]] = nd.add %[[I]], %[[ONE]]
  // CHECK-NEXT:   flow.yield %[[NEXT]], %[[MORE]]
  // CHECK: flow.fetch %[[Y]]#1
  %i0 = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %s0 = flow.enter %none {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %limit = flow.enter %n {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %x0 = flow.enter %x {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %step = flow.enter %one {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %ii, %im = flow.merge %i0, %i1 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %s, %si, %sm = flow.merge %s0, %s1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %less = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %if, %it, %is = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %sf, %st, %ss = flow.switch %s, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %in = nd.add %it, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %sn = nd.add %st, %x0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %i1 = flow.next_iteration %in : (tensor<i32>) -> tensor<i32>
  %s1 = flow.next_iteration %sn : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %sf : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
