// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of rows that a loop goes through, in front of it.
// RUN: sluice-opt %s --split-input-file --codegen-hoist-products | FileCheck %s

// The row is all of the left operand, and there are as many as iterations.
// CHECK-LABEL: flow.graph @row
// CHECK: %[[ROWS:.*]] = flow.feed {name = "rows"}
// CHECK: %[[W:.*]] = flow.feed {name = "w"}
// CHECK: %[[MATRIX:.*]] = nd.reshape %[[ROWS]], %{{.*}} -> tensor<18x24xf32>
// CHECK: %[[PRODUCT:.*]] = nd.matmul %[[MATRIX]], %[[W]] {{.*}} -> tensor<18x48xf32>
// CHECK: %[[PRODUCTS:.*]] = nd.reshape %[[PRODUCT]], %{{.*}} -> tensor<6x3x48xf32>
// CHECK: flow.while(%{{.*}}, %{{.*}}) (%{{.*}}, %{{.*}}, %[[PRODUCTS]])
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[I:.*]]: tensor<i32>, %[[H:.*]]: tensor<3x48xf32>, %{{.*}}: tensor<6x3x24xf32>, %{{.*}}: tensor<24x48xf32>, %[[ALL:.*]]: tensor<6x3x48xf32>):
// CHECK: %[[ROW:.*]] = nd.row %[[ALL]], %[[I]] : {{.*}} -> tensor<3x48xf32>
// CHECK-NOT: nd.matmul
// CHECK: nd.add %[[ROW]], %[[H]]
flow.graph @row {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %rows = flow.feed {name = "rows"} : () -> tensor<6x3x24xf32>
  %h = flow.feed {name = "h"} : () -> tensor<3x48xf32>
  %w = flow.feed {name = "w"} : () -> tensor<24x48xf32>
  %r:2 = flow.while (%zero, %h) (%rows, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<3x48xf32>, tensor<6x3x24xf32>, tensor<24x48xf32>) -> (tensor<i32>, tensor<3x48xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<3x48xf32>, %x: tensor<6x3x24xf32>, %m: tensor<24x48xf32>):
    %n = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<3x48xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<3x48xf32>, %x: tensor<6x3x24xf32>, %m: tensor<24x48xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = nd.row %x, %i : (tensor<6x3x24xf32>, tensor<i32>) -> tensor<3x24xf32>
    %y = nd.matmul %row, %m {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x24xf32>, tensor<24x48xf32>) -> tensor<3x48xf32>
    %t = nd.add %y, %s : (tensor<3x48xf32>, tensor<3x48xf32>) -> tensor<3x48xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<3x48xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<3x48xf32>) -> ()
}

// -----

// The rest of the left operand goes on with it; of an unknown number of rows as many as iterations, which
// the loop is told when it begins. Where a switch may leave the loop dead, nothing is multiplied.
// CHECK-LABEL: flow.graph @joined
// CHECK: %[[FROM:.*]] = flow.gate %{{.*}} : (tensor<i32>, !flow.token)
// CHECK: %[[BEGINS:.*]] = flow.after %[[FROM]]
// CHECK: %[[ROWS:.*]] = flow.gate %{{.*}}, %[[BEGINS]] : (tensor<?x?x24xf32>, !flow.token)
// CHECK: nd.shape %[[ROWS]]
// CHECK: %[[COUNT:.*]] = nd.minimum
// CHECK: nd.maximum %[[COUNT]], %{{.*}}
// CHECK: %[[FEW:.*]] = nd.slice %[[ROWS]], %{{.*}} -> tensor<?x?x24xf32>
// CHECK: nd.slice %{{.*}} -> tensor<24x48xf32>
// CHECK: nd.reshape %[[FEW]], %{{.*}} -> tensor<?x24xf32>
// CHECK: nd.matmul {{.*}} -> tensor<?x48xf32>
// CHECK: } body {
// CHECK: %[[ROW:.*]] = nd.row %{{.*}} -> tensor<?x48xf32>
// CHECK: %[[REST:.*]] = nd.slice %{{.*}} -> tensor<48x48xf32>
// CHECK: nd.matmul_onto %[[ROW]], %{{.*}}, %[[REST]] {transpose_lhs = false, transpose_rhs = false}
// CHECK-NOT: nd.matmul
// CHECK: flow.yield
flow.graph @joined {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %rows = flow.feed {name = "rows"} : () -> tensor<?x?x24xf32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %start = flow.feed {name = "h"} : () -> tensor<?x48xf32>
  %w = flow.feed {name = "w"} : () -> tensor<72x48xf32>
  %wanted = flow.feed {name = "wanted"} : () -> tensor<i1>
  %no, %h, %way = flow.switch %start, %wanted : (tensor<?x48xf32>, tensor<i1>) -> (tensor<?x48xf32>, tensor<?x48xf32>, !flow.token)
  %begin = flow.after %h : (tensor<?x48xf32>) -> !flow.token
  %from = flow.gate %zero, %begin : (tensor<i32>, !flow.token) -> tensor<i32>
  %r:2 = flow.while (%from, %h) (%rows, %w, %n) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<?x48xf32>, tensor<?x?x24xf32>, tensor<72x48xf32>, tensor<i32>) -> (tensor<i32>, tensor<?x48xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<?x48xf32>, %x: tensor<?x?x24xf32>, %m: tensor<72x48xf32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<?x48xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<?x48xf32>, %x: tensor<?x?x24xf32>, %m: tensor<72x48xf32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = nd.row %x, %i : (tensor<?x?x24xf32>, tensor<i32>) -> tensor<?x24xf32>
    %both = nd.concat %row, %s, %one : (tensor<?x24xf32>, tensor<?x48xf32>, tensor<i32>) -> tensor<?x72xf32>
    %y = nd.matmul %both, %m {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<?x72xf32>, tensor<72x48xf32>) -> tensor<?x48xf32>
    flow.yield %next, %y : (tensor<i32>, tensor<?x48xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<?x48xf32>) -> ()
}

// -----

// The row is an element of a list of rows, and the loop carries the number of iterations as it was.
// CHECK-LABEL: flow.graph @element
// CHECK: %[[ROWS:.*]] = flow.feed {name = "rows"}
// CHECK: nd.slice %[[ROWS]]
// CHECK: nd.matmul {{.*}} -> tensor<?x48xf32>
// CHECK: %[[PRODUCTS:.*]] = nd.reshape %{{.*}} -> tensor<?x?x48xf32>
// CHECK: %[[LIST:.*]] = list.unstack %[[PRODUCTS]] {element_shape = tensor<?x48xf32>}
// CHECK: flow.while{{.*}}, %[[LIST]])
// CHECK: } body {
// CHECK: list.peek %{{.*}}, %{{.*}} {element_shape = tensor<*xf32>} : (!list.of<tensor<?x48xf32>>, tensor<i32>) -> tensor<?x48xf32>
// CHECK-NOT: nd.matmul
// CHECK: flow.yield
flow.graph @element {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %rows = flow.feed {name = "rows"} : () -> tensor<?x?x24xf32>
  %h = flow.feed {name = "h"} : () -> tensor<?x48xf32>
  %w = flow.feed {name = "w"} : () -> tensor<24x48xf32>
  %count = flow.feed {name = "count"} : () -> tensor<i32>
  %list = list.unstack %rows {element_shape = tensor<?x24xf32>} : (tensor<?x?x24xf32>) -> !list.of<tensor<?x24xf32>>
  %r:3 = flow.while (%zero, %count, %h) (%list, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>, tensor<?x48xf32>, !list.of<tensor<?x24xf32>>, tensor<24x48xf32>) -> (tensor<i32>, tensor<?x48xf32>, tensor<i32>) before {
  ^bb0(%i: tensor<i32>, %n: tensor<i32>, %s: tensor<?x48xf32>, %x: !list.of<tensor<?x24xf32>>, %m: tensor<24x48xf32>):
    %p = nd.less %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s, %n) : (tensor<i1>, tensor<i32>, tensor<?x48xf32>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<?x48xf32>, %n: tensor<i32>, %x: !list.of<tensor<?x24xf32>>, %m: tensor<24x48xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = list.peek %x, %i {element_shape = tensor<*xf32>} : (!list.of<tensor<?x24xf32>>, tensor<i32>) -> tensor<?x24xf32>
    %y = nd.matmul %row, %m {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<?x24xf32>, tensor<24x48xf32>) -> tensor<?x48xf32>
    %t = nd.add %y, %s : (tensor<?x48xf32>, tensor<?x48xf32>) -> tensor<?x48xf32>
    flow.yield %next, %n, %t : (tensor<i32>, tensor<i32>, tensor<?x48xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<?x48xf32>) -> ()
}
