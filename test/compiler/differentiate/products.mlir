// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that iterations give to the derivative of one matrix are links of its chains, or each is a
// product of its own.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients=products=each | FileCheck %s --check-prefix=EACH
// RUN: not sluice-opt %s --split-input-file --differentiate-build-gradients=products=all 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: 'products' to be each or joined but got 'fast' and 'all'

// CHECK-LABEL: flow.graph @one
// CHECK: frame = "loop/mirror"
// CHECK: } body {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %[[DS:.*]]: tensor<4x8xf32>, %[[SUM:.*]]: tensor<8x8xf32>,
// CHECK: %[[S:.*]], %{{.*}} = list.pop
// CHECK: %[[NEXT:.*]] = nd.matmul_onto %[[SUM]], %[[S]], %[[DS]] {transpose_lhs = true, transpose_rhs = false}
// CHECK: flow.yield %{{.*}}, %{{.*}}, %[[NEXT]],
// EACH-LABEL: flow.graph @one
// EACH: frame = "loop/mirror"
// EACH-NOT: matmul_onto
// EACH: %[[PRODUCT:.*]] = nd.matmul {{.*}} -> tensor<8x8xf32>
// EACH: nd.add %{{.*}}, %[[PRODUCT]]
flow.graph @one {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4x8xf32>
  %0 = flow.feed {name = "w"} : () -> tensor<8x8xf32>
  %w = flow.independent %0 {name = "w"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %r:2 = flow.while (%zero, %x) (%n, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4x8xf32>, tensor<i32>, tensor<8x8xf32>) -> (tensor<i32>, tensor<4x8xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>, %v: tensor<8x8xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>, %v: tensor<8x8xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.matmul %s, %v {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<4x8xf32>) -> ()
  }
  %dw = flow.gradient of %r#1 seeds wrt %w stops {name = "gradients"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  flow.fetch %dw {name = "dw"} : (tensor<8x8xf32>) -> ()
}

// -----

// Two products of an iteration, in the order in which they are found.
// CHECK-LABEL: flow.graph @two
// CHECK: frame = "loop/mirror"
// CHECK: %[[FIRST:.*]] = nd.matmul_onto %[[SUM:.*]], %{{.*}}, %[[DS:.*]] {transpose_lhs = true
// CHECK: %[[NEXT:.*]] = nd.matmul_onto %[[FIRST]],
// CHECK: flow.yield %{{.*}}, %{{.*}}, %[[NEXT]],
flow.graph @two {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4x8xf32>
  %0 = flow.feed {name = "w"} : () -> tensor<8x8xf32>
  %w = flow.independent %0 {name = "w"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %r:2 = flow.while (%zero, %x) (%n, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4x8xf32>, tensor<i32>, tensor<8x8xf32>) -> (tensor<i32>, tensor<4x8xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>, %v: tensor<8x8xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>, %v: tensor<8x8xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.matmul %s, %v {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %u = nd.matmul %t, %v {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    flow.yield %next, %u : (tensor<i32>, tensor<4x8xf32>) -> ()
  }
  %dw = flow.gradient of %r#1 seeds wrt %w stops {name = "gradients"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  flow.fetch %dw {name = "dw"} : (tensor<8x8xf32>) -> ()
}

// -----

// What is no product is added.
// CHECK-LABEL: flow.graph @mixed
// CHECK: frame = "loop/mirror"
// CHECK-DAG: %[[LINK:.*]] = nd.matmul_onto
// CHECK-DAG: %[[OTHER:.*]] = nd.add
// CHECK: flow.yield
flow.graph @mixed {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4x8xf32>
  %0 = flow.feed {name = "w"} : () -> tensor<8x8xf32>
  %w = flow.independent %0 {name = "w"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %r:2 = flow.while (%zero, %x) (%n, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4x8xf32>, tensor<i32>, tensor<8x8xf32>) -> (tensor<i32>, tensor<4x8xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>, %v: tensor<8x8xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>, %v: tensor<8x8xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.matmul %s, %v {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %axis = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %m = nd.reduce_mean %v, %axis {keep_dims = true} : (tensor<8x8xf32>, tensor<1xi32>) -> tensor<1x8xf32>
    %u = nd.add %t, %m : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
    flow.yield %next, %u : (tensor<i32>, tensor<4x8xf32>) -> ()
  }
  %dw = flow.gradient of %r#1 seeds wrt %w stops {name = "gradients"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  flow.fetch %dw {name = "dw"} : (tensor<8x8xf32>) -> ()
}
