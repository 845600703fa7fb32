// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop asks its condition before the first iteration, and its results are what the condition
// forwards: here the sum that `before` makes, also when no iteration runs.
// RUN: sluice-opt --codegen-emit-codelets %s | FileCheck %s

// CHECK: %[[X:.*]] = llvm.load {{.*}} -> f32
// CHECK: %[[LAST:.*]] = scf.while (%[[X1:.*]] = %[[X]]) : (f32) -> f32 {
// CHECK: %[[SUM:.*]] = arith.addf %[[X1]], %[[X1]] : f32
// CHECK: scf.condition(%{{.*}}) %[[SUM]] : f32
// CHECK: ^bb0(%[[X2:.*]]: f32):
// CHECK-NEXT: arith.mulf %[[X2]], %[[X2]] : f32
// CHECK: llvm.store %[[LAST]]
flow.graph @main {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %r = flow.codelet (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%x0: tensor<f32>):
    %last = flow.while (%x0) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32> before {
    ^bb0(%x1: tensor<f32>):
      %limit = nd.constant {value = dense<1000.0> : tensor<f32>} : () -> tensor<f32>
      %sum = nd.add %x1, %x1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %p = nd.less %sum, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      flow.condition %p (%sum) : (tensor<i1>, tensor<f32>) -> ()
    } body {
    ^bb0(%x2: tensor<f32>):
      %square = nd.mul %x2, %x2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      flow.yield %square : (tensor<f32>) -> ()
    }
    flow.yield %last : (tensor<f32>) -> ()
  }
  flow.fetch %r {name = "x"} : (tensor<f32>) -> ()
}
