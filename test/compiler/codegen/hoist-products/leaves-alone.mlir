// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that stay in their loop.
// RUN: sluice-opt %s --split-input-file --codegen-hoist-products | FileCheck %s

// It may end early, so that many products would be for nothing.
// CHECK-LABEL: flow.graph @early
// CHECK-NOT: nd.matmul
// CHECK: flow.while
// CHECK: nd.matmul %
// CHECK-NOT: nd.matmul_onto
// CHECK: flow.fetch
flow.graph @early {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %rows = flow.feed {name = "rows"} : () -> tensor<6x3x24xf32>
  %h = flow.feed {name = "h"} : () -> tensor<3x48xf32>
  %w = flow.feed {name = "w"} : () -> tensor<24x48xf32>
  %r:2 = flow.while (%zero, %h) (%rows, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<3x48xf32>, tensor<6x3x24xf32>, tensor<24x48xf32>) -> (tensor<i32>, tensor<3x48xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<3x48xf32>, %x: tensor<6x3x24xf32>, %m: tensor<24x48xf32>):
    %n = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
    %few = nd.less %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %sum = nd.reduce_sum %s, %axes {keep_dims = false} : (tensor<3x48xf32>, tensor<2xi32>) -> tensor<f32>
    %cast = nd.cast %sum : (tensor<f32>) -> tensor<i32>
    %small = nd.less %cast, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %p = nd.logical_and %few, %small : (tensor<i1>, tensor<i1>) -> tensor<i1>
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

// It begins in the middle.
// CHECK-LABEL: flow.graph @middle
// CHECK-NOT: nd.matmul
// CHECK: flow.while
// CHECK: nd.matmul %
// CHECK-NOT: nd.matmul_onto
// CHECK: flow.fetch
flow.graph @middle {
  %zero = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
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

// Always the same row.
// CHECK-LABEL: flow.graph @same
// CHECK-NOT: nd.matmul
// CHECK: flow.while
// CHECK: nd.matmul %
// CHECK-NOT: nd.matmul_onto
// CHECK: flow.fetch
flow.graph @same {
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
    %row = nd.row %x, %one : (tensor<6x3x24xf32>, tensor<i32>) -> tensor<3x24xf32>
    %y = nd.matmul %row, %m {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x24xf32>, tensor<24x48xf32>) -> tensor<3x48xf32>
    %t = nd.add %y, %s : (tensor<3x48xf32>, tensor<3x48xf32>) -> tensor<3x48xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<3x48xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<3x48xf32>) -> ()
}

// -----

// Small weights stay in the first cache.
// CHECK-LABEL: flow.graph @small
// CHECK-NOT: nd.matmul
// CHECK: flow.while
// CHECK: nd.matmul %
// CHECK-NOT: nd.matmul_onto
// CHECK: flow.fetch
flow.graph @small {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %rows = flow.feed {name = "rows"} : () -> tensor<6x3x24xf32>
  %h = flow.feed {name = "h"} : () -> tensor<3x40xf32>
  %w = flow.feed {name = "w"} : () -> tensor<24x40xf32>
  %r:2 = flow.while (%zero, %h) (%rows, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<3x40xf32>, tensor<6x3x24xf32>, tensor<24x40xf32>) -> (tensor<i32>, tensor<3x40xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<3x40xf32>, %x: tensor<6x3x24xf32>, %m: tensor<24x40xf32>):
    %n = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<3x40xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<3x40xf32>, %x: tensor<6x3x24xf32>, %m: tensor<24x40xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = nd.row %x, %i : (tensor<6x3x24xf32>, tensor<i32>) -> tensor<3x24xf32>
    %y = nd.matmul %row, %m {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x24xf32>, tensor<24x40xf32>) -> tensor<3x40xf32>
    %t = nd.add %y, %s : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<3x40xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<3x40xf32>) -> ()
}

// -----

// All products would take more than eight times the memory of the rows.
// CHECK-LABEL: flow.graph @wide
// CHECK-NOT: nd.matmul
// CHECK: flow.while
// CHECK: nd.matmul %
// CHECK-NOT: nd.matmul_onto
// CHECK: flow.fetch
flow.graph @wide {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %rows = flow.feed {name = "rows"} : () -> tensor<6x3x24xf32>
  %h = flow.feed {name = "h"} : () -> tensor<3x193xf32>
  %w = flow.feed {name = "w"} : () -> tensor<24x193xf32>
  %r:2 = flow.while (%zero, %h) (%rows, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<3x193xf32>, tensor<6x3x24xf32>, tensor<24x193xf32>) -> (tensor<i32>, tensor<3x193xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<3x193xf32>, %x: tensor<6x3x24xf32>, %m: tensor<24x193xf32>):
    %n = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<3x193xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<3x193xf32>, %x: tensor<6x3x24xf32>, %m: tensor<24x193xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = nd.row %x, %i : (tensor<6x3x24xf32>, tensor<i32>) -> tensor<3x24xf32>
    %y = nd.matmul %row, %m {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x24xf32>, tensor<24x193xf32>) -> tensor<3x193xf32>
    %t = nd.add %y, %s : (tensor<3x193xf32>, tensor<3x193xf32>) -> tensor<3x193xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<3x193xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<3x193xf32>) -> ()
}

// -----

// Sums of 16-bit floats are rounded, so they cannot go on.
// CHECK-LABEL: flow.graph @half
// CHECK-NOT: nd.matmul
// CHECK: flow.while
// CHECK: nd.matmul %
// CHECK-NOT: nd.matmul_onto
// CHECK: flow.fetch
flow.graph @half {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %rows = flow.feed {name = "rows"} : () -> tensor<6x3x24xf16>
  %h = flow.feed {name = "h"} : () -> tensor<3x48xf16>
  %w = flow.feed {name = "w"} : () -> tensor<24x48xf16>
  %r:2 = flow.while (%zero, %h) (%rows, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<3x48xf16>, tensor<6x3x24xf16>, tensor<24x48xf16>) -> (tensor<i32>, tensor<3x48xf16>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<3x48xf16>, %x: tensor<6x3x24xf16>, %m: tensor<24x48xf16>):
    %n = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<3x48xf16>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<3x48xf16>, %x: tensor<6x3x24xf16>, %m: tensor<24x48xf16>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = nd.row %x, %i : (tensor<6x3x24xf16>, tensor<i32>) -> tensor<3x24xf16>
    %y = nd.matmul %row, %m {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x24xf16>, tensor<24x48xf16>) -> tensor<3x48xf16>
    %t = nd.add %y, %s : (tensor<3x48xf16>, tensor<3x48xf16>) -> tensor<3x48xf16>
    flow.yield %next, %t : (tensor<i32>, tensor<3x48xf16>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<3x48xf16>) -> ()
}

// -----

// The state comes before the row: its part of the chain has to be first.
// CHECK-LABEL: flow.graph @behind
// CHECK-NOT: nd.matmul
// CHECK: flow.while
// CHECK: nd.matmul %
// CHECK-NOT: nd.matmul_onto
// CHECK: flow.fetch
flow.graph @behind {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %rows = flow.feed {name = "rows"} : () -> tensor<6x3x24xf32>
  %h = flow.feed {name = "h"} : () -> tensor<3x48xf32>
  %w = flow.feed {name = "w"} : () -> tensor<72x48xf32>
  %r:2 = flow.while (%zero, %h) (%rows, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<3x48xf32>, tensor<6x3x24xf32>, tensor<72x48xf32>) -> (tensor<i32>, tensor<3x48xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<3x48xf32>, %x: tensor<6x3x24xf32>, %m: tensor<72x48xf32>):
    %n = nd.constant {value = dense<6> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<3x48xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<3x48xf32>, %x: tensor<6x3x24xf32>, %m: tensor<72x48xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = nd.row %x, %i : (tensor<6x3x24xf32>, tensor<i32>) -> tensor<3x24xf32>
    %both = nd.concat %s, %row, %one : (tensor<3x48xf32>, tensor<3x24xf32>, tensor<i32>) -> tensor<3x72xf32>
    %y = nd.matmul %both, %m {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x72xf32>, tensor<72x48xf32>) -> tensor<3x48xf32>
    %t = nd.add %y, %s : (tensor<3x48xf32>, tensor<3x48xf32>) -> tensor<3x48xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<3x48xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<3x48xf32>) -> ()
}

// -----

// A number of iterations that the loop changes.
// CHECK-LABEL: flow.graph @changing
// CHECK: flow.while
// CHECK: } body {
// CHECK: nd.matmul
flow.graph @changing {
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
    %less = nd.sub %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = list.peek %x, %i {element_shape = tensor<*xf32>} : (!list.of<tensor<?x24xf32>>, tensor<i32>) -> tensor<?x24xf32>
    %y = nd.matmul %row, %m {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<?x24xf32>, tensor<24x48xf32>) -> tensor<?x48xf32>
    %t = nd.add %y, %s : (tensor<?x48xf32>, tensor<?x48xf32>) -> tensor<?x48xf32>
    flow.yield %next, %less, %t : (tensor<i32>, tensor<i32>, tensor<?x48xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<?x48xf32>) -> ()
}
