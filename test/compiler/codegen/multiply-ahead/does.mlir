// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of what is popped and a captured matrix, for 16 iterations at once: of 3 rows each in one of 48 rows.
// RUN: sluice-opt %s --allow-unregistered-dialect --codegen-multiply-ahead | FileCheck %s

// Whole blocks come first, as long as more than 15 iterations are left.
// CHECK-LABEL: flow.codelet
// CHECK: %[[BLOCKS:.*]]:2 = flow.while(%{{.*}}, %{{.*}}) (%{{.*}}) {{.*}} before {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: tensor<i32>, %{{.*}}: tensor<3x40xf32>, %{{.*}}: tensor<40x40xf32>):
// CHECK: %[[FEW:.*]] = nd.constant {value = dense<15> : tensor<i32>}
// CHECK: nd.greater %[[LEFT]], %[[FEW]]
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[S:.*]]: tensor<3x40xf32>, %[[LEFT:.*]]: tensor<i32>, %[[W:.*]]: tensor<40x40xf32>):

// The rows of what later iterations pop, which stays where it is.
// CHECK: %[[ROOM:.*]] = nd.fill %{{.*}} -> tensor<16x3x40xf32>
// CHECK: %[[ROWS:.*]]:2 = flow.while(%{{.*}}, %[[ROOM]]) (%[[LEFT]])
// CHECK: nd.less
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[TURN:.*]]: tensor<i32>, %[[ALL:.*]]: tensor<16x3x40xf32>, %{{.*}}: tensor<i32>):
// CHECK: %[[LENGTH:.*]] = list.cell_length {cell = 0 : i64}
// CHECK: %[[LAST:.*]] = nd.sub %[[LENGTH]], %{{.*}}
// CHECK: %[[AT:.*]] = nd.sub %[[LAST]], %[[TURN]]
// CHECK: %[[LATER:.*]] = list.cell_peek %[[AT]] {cell = 0 : i64, zeros = false}
// CHECK: %[[A:.*]] = nd.tanh %[[LATER]]
// CHECK: nd.set_row %[[ALL]], %[[TURN]], %[[A]]

// CHECK: %[[MATRIX:.*]] = nd.reshape %[[ROWS]]#1, {{.*}} -> tensor<48x40xf32>
// CHECK: %[[JOINED:.*]] = nd.matmul %[[MATRIX]], %[[W]] {{.*}} -> tensor<48x40xf32>
// CHECK: %[[PRODUCTS:.*]] = nd.reshape %[[JOINED]], {{.*}} -> tensor<16x3x40xf32>

// Iterations as they were, each with its own.
// CHECK: %[[TURNS:.*]]:3 = flow.while(%{{.*}}, %[[S]], %[[LEFT]]) (%[[W]], %[[PRODUCTS]])
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[TURN:.*]]: tensor<i32>, %[[S:.*]]: tensor<3x40xf32>, %[[LEFT:.*]]: tensor<i32>, %{{.*}}: tensor<40x40xf32>, %[[PRODUCTS:.*]]: tensor<16x3x40xf32>):
// CHECK: %[[POPPED:.*]] = list.cell_pop {cell = 0 : i64, zeros = false}
// CHECK: nd.tanh %[[POPPED]]
// CHECK: %[[P:.*]] = nd.row %[[PRODUCTS]], %[[TURN]]
// CHECK-NOT: nd.matmul
// CHECK: nd.mul %[[S]], %[[P]]
// CHECK: flow.yield %[[TURNS]]#2, %[[TURNS]]#1

// What is left.
// CHECK: flow.while(%[[BLOCKS]]#1, %[[BLOCKS]]#0)
// CHECK: nd.constant {value = dense<0> : tensor<i32>}
// CHECK: nd.greater
// CHECK: nd.matmul
%n, %x, %w, %tape = "test.inputs"() : () -> (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>)
%r = flow.codelet (%n, %x, %w, %tape) : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>) -> tensor<3x40xf32> {
^bb0(%count: tensor<i32>, %start: tensor<3x40xf32>, %matrix: tensor<40x40xf32>, %list: !list.of<tensor<3x40xf32>>):
  list.cell_open %list {cell = 0 : i64, element = tensor<3x40xf32>} : (!list.of<tensor<3x40xf32>>) -> ()
  %last:2 = flow.while (%count, %start) (%matrix) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>) -> (tensor<3x40xf32>, tensor<i32>) before {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %k, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%s, %k) : (tensor<i1>, tensor<3x40xf32>, tensor<i32>) -> ()
  } body {
  ^bb0(%s: tensor<3x40xf32>, %k: tensor<i32>, %c: tensor<40x40xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %less = nd.sub %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<3x40xf32>
    %t = nd.tanh %v : (tensor<3x40xf32>) -> tensor<3x40xf32>
    %m = nd.matmul %t, %c {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x40xf32>, tensor<40x40xf32>) -> tensor<3x40xf32>
    %u = nd.mul %s, %m : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
    flow.yield %less, %u : (tensor<i32>, tensor<3x40xf32>) -> ()
  }
  flow.yield %last#0 : (tensor<3x40xf32>) -> ()
}
