// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop within a loop: the inner one becomes an op of the outer one's body.
// RUN: sluice-opt %s --raise-control-flow | FileCheck %s

// while (i < n) { for (j = i; j < n; j += j) ; i = j }
// CHECK-LABEL: flow.graph @nested
flow.graph @nested {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %n = flow.feed {name = "n:0"} : () -> tensor<f32>
  // CHECK: flow.while(%{{.*}}) (%{{.*}}) {frame = "outer", parallel_iterations = 10 : i64} {{.*}} before {
  // CHECK:   flow.condition
  // CHECK: } body {
  // CHECK-NEXT: ^bb0(%[[I:.*]]: tensor<f32>, %[[N:.*]]: tensor<f32>):
  // CHECK-NEXT:   %[[J:.*]] = flow.while(%[[I]]) (%[[N]]) {frame = "inner", parallel_iterations = 1 : i64}
  // CHECK:        flow.yield %[[J]]
  // CHECK-NOT: flow.enter
  %i0 = flow.enter %x {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %on = flow.enter %n {frame = "outer", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %i0, %i1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %ip = nd.less %i, %on : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %igo = flow.loop_cond %ip : (tensor<i1>) -> tensor<i1>
  %if, %it, %is = flow.switch %i, %igo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)

  %j0 = flow.enter %it {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %jn = flow.enter %on {frame = "inner", constant = true, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %j, %ji, %jm = flow.merge %j0, %j1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %jp = nd.less %j, %jn : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %jgo = flow.loop_cond %jp : (tensor<i1>) -> tensor<i1>
  %jf, %jt, %js = flow.switch %j, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %twice = nd.add %jt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %j1 = flow.next_iteration %twice : (tensor<f32>) -> tensor<f32>
  %left = flow.exit %jf : (tensor<f32>) -> tensor<f32>

  %i1 = flow.next_iteration %left : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %if : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
