// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transpose that moves nothing goes; a product reads transposed matrices itself, and what is left of the order of
// dims keeps rows together. Not if the product may fail, whose message names its operands, or somebody else reads them.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(optimize-infer-regions)' | FileCheck %s

// CHECK-LABEL: @unmoved
// CHECK: %[[X:.*]] = flow.feed
// CHECK: nd.neg %[[X]]
// CHECK: %[[MOVED:.*]] = nd.transpose
// CHECK: nd.neg %[[MOVED]]
// CHECK: %[[CONJUGATE:.*]] = nd.transpose %{{.*}} {conjugate = true}
// CHECK: nd.neg %[[CONJUGATE]]
flow.graph @unmoved {
  %x = flow.feed {name = "x"} : () -> tensor<?x?x4xf32>
  %z = flow.feed {name = "z"} : () -> tensor<?x?xcomplex<f32>>
  %same = nd.constant {value = dense<[0, 1, 2]> : tensor<3xi32>} : () -> tensor<3xi32>
  %other = nd.constant {value = dense<[1, 0, 2]> : tensor<3xi32>} : () -> tensor<3xi32>
  %pair = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %a = nd.transpose %x, %same {conjugate = false} : (tensor<?x?x4xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
  %b = nd.neg %a : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %c = nd.transpose %x, %other {conjugate = false} : (tensor<?x?x4xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
  %d = nd.neg %c : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %e = nd.transpose %z, %pair {conjugate = true} : (tensor<?x?xcomplex<f32>>, tensor<2xi32>) -> tensor<?x?xcomplex<f32>>
  %f = nd.neg %e : (tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  flow.fetch %b {name = "b"} : (tensor<?x?x4xf32>) -> ()
  flow.fetch %d {name = "d"} : (tensor<?x?x4xf32>) -> ()
  flow.fetch %f {name = "f"} : (tensor<?x?xcomplex<f32>>) -> ()
}

// -----

// Heads of attention, of one input.
// CHECK-LABEL: @attention
// CHECK-DAG: %[[X:.*]] = flow.feed
// CHECK-DAG: %[[Q:.*]] = nd.transpose %[[X]], %{{.*}} -> tensor<?x4x?x64xf32>
// CHECK-DAG: %[[ORDER:.*]] = nd.constant {value = dense<[0, 2, 1, 3]> : tensor<4xi64>}
// CHECK-DAG: %[[K:.*]] = nd.transpose %[[X]], %[[ORDER]] {conjugate = false} : {{.*}} -> tensor<?x4x?x64xf32>
// CHECK: nd.matmul %[[Q]], %[[K]] {{.*}}transpose_lhs = false, transpose_rhs = true}
flow.graph @attention {
  %x = flow.feed {name = "x"} : () -> tensor<?x?x4x64xf32>
  %rows = nd.constant {value = dense<[0, 2, 1, 3]> : tensor<4xi32>} : () -> tensor<4xi32>
  %columns = nd.constant {value = dense<[0, 2, 3, 1]> : tensor<4xi32>} : () -> tensor<4xi32>
  %q = nd.transpose %x, %rows {conjugate = false} : (tensor<?x?x4x64xf32>, tensor<4xi32>) -> tensor<?x4x?x64xf32>
  %k = nd.transpose %x, %columns {conjugate = false} : (tensor<?x?x4x64xf32>, tensor<4xi32>) -> tensor<?x4x64x?xf32>
  %y = nd.matmul %q, %k {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<?x4x?x64xf32>, tensor<?x4x64x?xf32>) -> tensor<?x4x?x?xf32>
  flow.fetch %y {name = "y"} : (tensor<?x4x?x?xf32>) -> ()
}

// -----

// CHECK-LABEL: @matrices
// CHECK-DAG: %[[A:.*]] = flow.feed {name = "a"}
// CHECK-DAG: %[[B:.*]] = flow.feed {name = "b"}
// CHECK: nd.matmul %[[A]], %[[B]] {{.*}}transpose_lhs = true, transpose_rhs = false}
flow.graph @matrices {
  %a = flow.feed {name = "a"} : () -> tensor<5x3xf32>
  %b = flow.feed {name = "b"} : () -> tensor<5x?xf32>
  %swap = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c = nd.transpose %a, %swap {conjugate = false} : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<3x5xf32>
  %d = nd.transpose %b, %swap {conjugate = false} : (tensor<5x?xf32>, tensor<2xi32>) -> tensor<?x5xf32>
  %y = nd.matmul %c, %d {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = true} : (tensor<3x5xf32>, tensor<?x5xf32>) -> tensor<3x?xf32>
  flow.fetch %y {name = "y"} : (tensor<3x?xf32>) -> ()
}

// -----

// CHECK-LABEL: @may_fail
// CHECK: %[[C:.*]] = nd.transpose
// CHECK: nd.matmul %[[C]], %{{.*}} {{.*}}transpose_lhs = false, transpose_rhs = false}
flow.graph @may_fail {
  %a = flow.feed {name = "a"} : () -> tensor<?x3xf32>
  %b = flow.feed {name = "b"} : () -> tensor<?x4xf32>
  %swap = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c = nd.transpose %a, %swap {conjugate = false} : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<3x?xf32>
  %y = nd.matmul %c, %b {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x?xf32>, tensor<?x4xf32>) -> tensor<3x4xf32>
  flow.fetch %y {name = "y"} : (tensor<3x4xf32>) -> ()
}

// -----

// CHECK-LABEL: @needed_by_another
// CHECK: %[[C:.*]] = nd.transpose
// CHECK: nd.matmul %[[C]], %{{.*}} {{.*}}transpose_lhs = false, transpose_rhs = false}
flow.graph @needed_by_another {
  %a = flow.feed {name = "a"} : () -> tensor<5x3xf32>
  %b = flow.feed {name = "b"} : () -> tensor<5x4xf32>
  %swap = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c = nd.transpose %a, %swap {conjugate = false} : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<3x5xf32>
  %y = nd.matmul %c, %b {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  flow.fetch %y {name = "y"} : (tensor<3x4xf32>) -> ()
  flow.fetch %c {name = "c"} : (tensor<3x5xf32>) -> ()
}

// -----

// What is transposed in front of a loop is so only once.
// CHECK-LABEL: @weights
// CHECK: body
// CHECK: %[[W:.*]] = nd.transpose
// CHECK: nd.matmul %{{.*}}, %[[W]] {{.*}}transpose_lhs = false, transpose_rhs = false}
flow.graph @weights {
  %x = flow.feed {name = "x"} : () -> tensor<3x4xf32>
  %w = flow.feed {name = "w"} : () -> tensor<4x4xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.while (%x) (%w, %p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<3x4xf32>, tensor<4x4xf32>, tensor<i1>) -> tensor<3x4xf32> before {
  ^bb0(%a: tensor<3x4xf32>, %b: tensor<4x4xf32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<3x4xf32>) -> ()
  } body {
  ^bb0(%a: tensor<3x4xf32>, %b: tensor<4x4xf32>, %q: tensor<i1>):
    %swap = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c = nd.transpose %b, %swap {conjugate = false} : (tensor<4x4xf32>, tensor<2xi32>) -> tensor<4x4xf32>
    %y = nd.matmul %a, %c {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
    flow.yield %y : (tensor<3x4xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<3x4xf32>) -> ()
}

// -----

// An order that is none fails as it did.
// CHECK-LABEL: @no_order
// CHECK: %[[C:.*]] = nd.transpose
// CHECK: nd.matmul %[[C]], %{{.*}} {{.*}}transpose_lhs = false, transpose_rhs = false}
flow.graph @no_order {
  %a = flow.feed {name = "a"} : () -> tensor<4x4xf32>
  %twice = nd.constant {value = dense<[1, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c = nd.transpose %a, %twice {conjugate = false} : (tensor<4x4xf32>, tensor<2xi32>) -> tensor<4x4xf32>
  %y = nd.matmul %c, %a {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  flow.fetch %y {name = "y"} : (tensor<4x4xf32>) -> ()
}

// -----

// An adjoint is conjugated, too.
// CHECK-LABEL: @adjoint
// CHECK: %[[C:.*]] = nd.transpose
// CHECK: nd.matmul %[[C]], %{{.*}} {adjoint_lhs = true
flow.graph @adjoint {
  %a = flow.feed {name = "a"} : () -> tensor<4x4xcomplex<f32>>
  %swap = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c = nd.transpose %a, %swap {conjugate = false} : (tensor<4x4xcomplex<f32>>, tensor<2xi32>) -> tensor<4x4xcomplex<f32>>
  %y = nd.matmul %c, %a {adjoint_lhs = true, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  flow.fetch %y {name = "y"} : (tensor<4x4xcomplex<f32>>) -> ()
}
