// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshapes to dims that are computed from dims: what is left of them needs no vector.
// RUN: sluice-opt %s -pass-pipeline='builtin.module(optimize-infer-regions)' | FileCheck %s

// One dim is what is left; dims of 1 are put in and taken out; the others stay. What is asserted of sizes is known.
// CHECK-LABEL: @reshapes
// CHECK: body
// CHECK-NEXT: ^bb0(%[[A:[^:]*]]: tensor<?x4xf32>, %[[B:[^:]*]]: tensor<?x?xf32>
// CHECK: %[[REST:.*]] = nd.constant {value = dense<[-1, 2, 2]> : tensor<3xi64>}
// CHECK: nd.reshape %[[A]], %[[REST]]
// CHECK: %[[WIDER:.*]] = nd.expand_dims %[[B]], %{{.*}} -> tensor<?x1x?xf32>
// CHECK: nd.squeeze %[[WIDER]] {axes = array<i64: 1>} : (tensor<?x1x?xf32>) -> tensor<?x?xf32>
// CHECK: %[[TRUE:.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK: state.assert %[[TRUE]]
// CHECK: nd.reshape %[[B]], %{{.*}} -> tensor<?x?xf32>
flow.graph @reshapes {
  %x = flow.feed {name = "x"} : () -> tensor<?x4xf32>
  %y = flow.feed {name = "y"} : () -> tensor<?x?xf32>
  %p0 = flow.feed {name = "p"} : () -> tensor<i1>
  %r:2 = flow.while (%x, %y) (%p0) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x4xf32>, tensor<?x?xf32>, tensor<i1>) -> (tensor<?x4xf32>, tensor<?x?xf32>) before {
  ^bb0(%a: tensor<?x4xf32>, %b: tensor<?x?xf32>, %p: tensor<i1>):
    flow.condition %p (%a, %b) : (tensor<i1>, tensor<?x4xf32>, tensor<?x?xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x4xf32>, %b: tensor<?x?xf32>, %p: tensor<i1>):
    %zero = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %one = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
    %two = nd.constant {value = dense<2> : tensor<2xi32>} : () -> tensor<2xi32>
    %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %as = nd.shape %a : (tensor<?x4xf32>) -> tensor<2xi32>
    %rows = nd.slice %as, %zero, %one : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %d1 = nd.concat %rows, %two, %axis : (tensor<1xi32>, tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
    %1 = nd.reshape %a, %d1 : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<?x2x2xf32>
    %bs = nd.shape %b : (tensor<?x?xf32>) -> tensor<2xi32>
    %b0 = nd.slice %bs, %zero, %one : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %b1 = nd.slice %bs, %one, %one : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %n1 = nd.reduce_prod %b1, %zero {keep_dims = false} : (tensor<1xi32>, tensor<1xi32>) -> tensor<i32>
    %n = nd.reshape %n1, %one : (tensor<i32>, tensor<1xi32>) -> tensor<1xi32>
    %d2 = nd.concat %b0, %one, %n, %axis : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
    %2 = nd.reshape %b, %d2 : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x1x?xf32>
    %3 = nd.reshape %2, %bs : (tensor<?x1x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %s = nd.shape %3 : (tensor<?x?xf32>) -> tensor<2xi32>
    %e = nd.equal %s, %bs : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %all = nd.reduce_all %e, %zero {keep_dims = false} : (tensor<2xi1>, tensor<1xi32>) -> tensor<i1>
    %t = state.assert %all, %s {summarize = 3 : i64} : (tensor<i1>, tensor<2xi32>) -> !flow.token
    %swapped = nd.concat %b1, %b0, %axis : (tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<2xi32>
    %4 = nd.reshape %b, %swapped : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %5 = nd.matmul %3, %4 {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %6 = nd.reshape %1, %as : (tensor<?x2x2xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %g = flow.gate %5, %t : (tensor<?x?xf32>, !flow.token) -> tensor<?x?xf32>
    flow.yield %6, %g : (tensor<?x4xf32>, tensor<?x?xf32>) -> ()
  }
  flow.fetch %r#0 {name = "r"} : (tensor<?x4xf32>) -> ()
  flow.fetch %r#1 {name = "s"} : (tensor<?x?xf32>) -> ()
}
