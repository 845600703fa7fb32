// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that a loop of the graph file adds to what it carries.
// RUN: sluice-opt %s --split-input-file --differentiate-join-products | FileCheck %s

// One product, on either side of the sum.
// CHECK-LABEL: flow.graph @one
// CHECK: } body {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %[[SUM:.*]]: tensor<8x8xf32>, %{{.*}}: tensor<i32>, %[[X:.*]]: tensor<4x8xf32>):
// CHECK: %[[Y:.*]] = nd.tanh %[[X]]
// CHECK-NOT: nd.matmul{{ }}
// CHECK: %[[NEXT:.*]] = nd.matmul_onto %[[SUM]], %[[X]], %[[Y]] {transpose_lhs = true, transpose_rhs = false}
// CHECK: flow.yield %{{.*}}, %[[NEXT]]
flow.graph @one {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4x8xf32>
  %from = flow.feed {name = "sum"} : () -> tensor<8x8xf32>
  %r:2 = flow.while (%zero, %from) (%n, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<8x8xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<8x8xf32>, %limit: tensor<i32>, %v: tensor<4x8xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<8x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<8x8xf32>, %limit: tensor<i32>, %v: tensor<4x8xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %y = nd.tanh %v : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %d = nd.matmul %v, %y {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = true, transpose_rhs = false} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %t = nd.add %d, %s : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<8x8xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<8x8xf32>) -> ()
}

// -----

// Two, with something else between them.
// CHECK-LABEL: flow.graph @two
// CHECK: %[[FIRST:.*]] = nd.matmul_onto
// CHECK: %[[MORE:.*]] = nd.add %[[FIRST]], %{{.*}}
// CHECK: %[[NEXT:.*]] = nd.matmul_onto %[[MORE]],
// CHECK: flow.yield %{{.*}}, %[[NEXT]]
flow.graph @two {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4x8xf32>
  %from = flow.feed {name = "sum"} : () -> tensor<8x8xf32>
  %r:2 = flow.while (%zero, %from) (%n, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<8x8xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<8x8xf32>, %limit: tensor<i32>, %v: tensor<4x8xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<8x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<8x8xf32>, %limit: tensor<i32>, %v: tensor<4x8xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %y = nd.tanh %v : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %d = nd.matmul %v, %y {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = true, transpose_rhs = false} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %e = nd.matmul %y, %y {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = true, transpose_rhs = false} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %bias = nd.constant {value = dense<1.0> : tensor<8x8xf32>} : () -> tensor<8x8xf32>
    %a = nd.add %s, %d : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %b = nd.add %a, %bias : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %t = nd.add %b, %e : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<8x8xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<8x8xf32>) -> ()
}

// -----

// Somebody else uses the product, or the sum as it was.
// CHECK-LABEL: flow.graph @used
// CHECK-NOT: nd.matmul_onto
// CHECK: flow.fetch
flow.graph @used {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4x8xf32>
  %from = flow.feed {name = "sum"} : () -> tensor<8x8xf32>
  %r:2 = flow.while (%zero, %from) (%n, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<8x8xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<8x8xf32>, %limit: tensor<i32>, %v: tensor<4x8xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<8x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<8x8xf32>, %limit: tensor<i32>, %v: tensor<4x8xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %y = nd.tanh %v : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %d = nd.matmul %v, %y {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = true, transpose_rhs = false} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %a = nd.add %s, %d : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %u = nd.tanh %d : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %t = nd.add %a, %u : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<8x8xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<8x8xf32>) -> ()
}

// -----

// Not only added to.
// CHECK-LABEL: flow.graph @scaled
// CHECK-NOT: nd.matmul_onto
// CHECK: flow.fetch
flow.graph @scaled {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4x8xf32>
  %from = flow.feed {name = "sum"} : () -> tensor<8x8xf32>
  %r:2 = flow.while (%zero, %from) (%n, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<8x8xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<8x8xf32>, %limit: tensor<i32>, %v: tensor<4x8xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<8x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<8x8xf32>, %limit: tensor<i32>, %v: tensor<4x8xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %y = nd.tanh %v : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %d = nd.matmul %v, %y {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = true, transpose_rhs = false} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %half = nd.mul %s, %s : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %t = nd.add %half, %d : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<8x8xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<8x8xf32>) -> ()
}

// -----

// Sums of 16-bit floats are rounded after each product.
// CHECK-LABEL: flow.graph @half
// CHECK-NOT: nd.matmul_onto
// CHECK: flow.fetch
flow.graph @half {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4x8xf16>
  %from = flow.feed {name = "sum"} : () -> tensor<8x8xf16>
  %r:2 = flow.while (%zero, %from) (%n, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<8x8xf16>, tensor<i32>, tensor<4x8xf16>) -> (tensor<i32>, tensor<8x8xf16>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<8x8xf16>, %limit: tensor<i32>, %v: tensor<4x8xf16>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<8x8xf16>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<8x8xf16>, %limit: tensor<i32>, %v: tensor<4x8xf16>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %y = nd.tanh %v : (tensor<4x8xf16>) -> tensor<4x8xf16>
    %d = nd.matmul %v, %y {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = true, transpose_rhs = false} : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<8x8xf16>
    %t = nd.add %s, %d : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    flow.yield %next, %t : (tensor<i32>, tensor<8x8xf16>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<8x8xf16>) -> ()
}

// -----

// A sum whose size is not known might be repeated.
// CHECK-LABEL: flow.graph @unknown
// CHECK-NOT: nd.matmul_onto
// CHECK: flow.fetch
flow.graph @unknown {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4x8xf32>
  %from = flow.feed {name = "sum"} : () -> tensor<?x8xf32>
  %r:2 = flow.while (%zero, %from) (%n, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<?x8xf32>, tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<?x8xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<?x8xf32>, %limit: tensor<i32>, %v: tensor<4x8xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<?x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<?x8xf32>, %limit: tensor<i32>, %v: tensor<4x8xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %y = nd.tanh %v : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %d = nd.matmul %v, %y {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = true, transpose_rhs = false} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %t = nd.add %s, %d : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<?x8xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<?x8xf32>) -> ()
}
