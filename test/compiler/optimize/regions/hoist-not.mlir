// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays in a loop although it may be the same in every iteration.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(optimize-hoist-invariants))' | FileCheck %s

// The body may not run at all.
// CHECK-LABEL: @zero_times
// CHECK: } body {
// CHECK: nd.matmul
flow.graph @zero_times {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %y = flow.feed {name = "y"} : () -> tensor<4x4xf32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%n, %x, %y) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v) : (tensor<i1>, tensor<i32>, tensor<4x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %q = nd.matmul %a, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %w = nd.add %v, %q : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.yield %next, %w : (tensor<i32>, tensor<4x4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<4x4xf32>) -> ()
}

// -----

// One operand is another one in each iteration.
// CHECK-LABEL: @varies
// CHECK: } body {
// CHECK: nd.matmul
flow.graph @varies {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %y = flow.feed {name = "y"} : () -> tensor<4x4xf32>
  %n = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%n, %x, %y) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v) : (tensor<i1>, tensor<i32>, tensor<4x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = nd.matmul %a, %v {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.yield %next, %w : (tensor<i32>, tensor<4x4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<4x4xf32>) -> ()
}

// -----

// Code makes these in registers: for other ops of that kind, and a scalar for a broadcast.
// CHECK-LABEL: @cheap
// CHECK: } body {
// CHECK: nd.exp
// CHECK: nd.fill
// CHECK: nd.transpose
flow.graph @cheap {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %y = flow.feed {name = "y"} : () -> tensor<4x4xf32>
  %n = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%n, %x, %y) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v) : (tensor<i1>, tensor<i32>, tensor<4x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %e = nd.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %dims = nd.constant {value = dense<4> : tensor<2xi32>} : () -> tensor<2xi32>
    %2 = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %f = nd.fill %dims, %2 : (tensor<2xi32>, tensor<f32>) -> tensor<4x4xf32>
    %perm = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
    %t = nd.transpose %b, %perm {conjugate = false} : (tensor<4x4xf32>, tensor<2xi32>) -> tensor<4x4xf32>
    %q = nd.matmul %v, %t {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %u = nd.add %q, %e : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %w = nd.mul %u, %f : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.yield %next, %w : (tensor<i32>, tensor<4x4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<4x4xf32>) -> ()
}

// -----

// Dims that are not known may not fit.
// CHECK-LABEL: @dims
// CHECK: } body {
// CHECK: nd.matmul
flow.graph @dims {
  %x = flow.feed {name = "x"} : () -> tensor<?x?xf32>
  %y = flow.feed {name = "y"} : () -> tensor<?x?xf32>
  %n = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%n, %x, %y) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<?x?xf32>, tensor<i32>, tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<i32>, tensor<?x?xf32>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<?x?xf32>, %limit: tensor<i32>, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v) : (tensor<i1>, tensor<i32>, tensor<?x?xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<?x?xf32>, %limit: tensor<i32>, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %q = nd.matmul %a, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %w = nd.add %v, %q : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    flow.yield %next, %w : (tensor<i32>, tensor<?x?xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<?x?xf32>) -> ()
}

// -----

// A divisor may be zero; what follows from the quotient stays with it.
// CHECK-LABEL: @division
// CHECK: } body {
// CHECK: nd.div
// CHECK: nd.matmul
flow.graph @division {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xi32>
  %y = flow.feed {name = "y"} : () -> tensor<4x4xi32>
  %n = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%n, %x, %y) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<4x4xi32>, tensor<i32>, tensor<4x4xi32>, tensor<4x4xi32>) -> (tensor<i32>, tensor<4x4xi32>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xi32>, %limit: tensor<i32>, %a: tensor<4x4xi32>, %b: tensor<4x4xi32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v) : (tensor<i1>, tensor<i32>, tensor<4x4xi32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xi32>, %limit: tensor<i32>, %a: tensor<4x4xi32>, %b: tensor<4x4xi32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %d = nd.div %a, %b : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    %q = nd.matmul %d, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    %w = nd.add %v, %q : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    flow.yield %next, %w : (tensor<i32>, tensor<4x4xi32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<4x4xi32>) -> ()
}

// -----

// An axis that is not a constant may be none of the operand.
// CHECK-LABEL: @axis
// CHECK: } body {
// CHECK: nd.reduce_sum
flow.graph @axis {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %y = flow.feed {name = "y"} : () -> tensor<4x4xf32>
  %n = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%n, %x, %y) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v) : (tensor<i1>, tensor<i32>, tensor<4x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>, %limit: tensor<i32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %shape = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
    %axis = nd.reshape %limit, %shape : (tensor<i32>, tensor<1xi32>) -> tensor<1xi32>
    %s = nd.reduce_sum %a, %axis {keep_dims = true} : (tensor<4x4xf32>, tensor<1xi32>) -> tensor<1x4xf32>
    %w = nd.add %v, %s : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
    flow.yield %next, %w : (tensor<i32>, tensor<4x4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<4x4xf32>) -> ()
}

// -----

// The loop is dead if the switch goes the other way, and what it captures is not. A capture that is
// dead then keeps the product from running.
// CHECK-LABEL: @dead
// CHECK: %[[F:.*]], %[[T:.*]], %{{.*}} = flow.switch
// CHECK: nd.matmul %[[T]], %[[T]]
// CHECK-NOT: nd.matmul
// CHECK: flow.while
// CHECK: nd.matmul
flow.graph @dead {
  %x = flow.feed {name = "x"} : () -> tensor<4x4xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %off, %on, %s = flow.switch %x, %p : (tensor<4x4xf32>, tensor<i1>) -> (tensor<4x4xf32>, tensor<4x4xf32>, !flow.token)
  %r = flow.while (%on) (%p, %x, %on) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<4x4xf32>, tensor<i1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> before {
  ^bb0(%v: tensor<4x4xf32>, %g: tensor<i1>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %q = nd.matmul %a, %a {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %u = nd.matmul %b, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %w = nd.add %v, %q : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %z = nd.mul %w, %u : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.condition %g (%z) : (tensor<i1>, tensor<4x4xf32>) -> ()
  } body {
  ^bb0(%v: tensor<4x4xf32>, %g: tensor<i1>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    flow.yield %v : (tensor<4x4xf32>) -> ()
  }
  %t = flow.after %r : (tensor<4x4xf32>) -> !flow.token
  flow.target %t {name = "t"} : (!flow.token) -> ()
}
