// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices of loops as front ends make them: at an index, and their derivatives.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(optimize-infer-regions)' | FileCheck %s

// A counter is not below 0, so its row is the one of this number. Another index may count from the end. Columns of what
// stays the same are rows of a transposed one; those of what the loop carries stay as they are.
// CHECK-LABEL: @at_an_index
// CHECK: body
// CHECK-NEXT: ^bb0(%[[I:[^:]*]]: tensor<i32>, %[[H:[^:]*]]: tensor<?x4xf32>, %[[X:[^:]*]]: tensor<?x4xf32>, %[[J:[^:]*]]: tensor<i32>
// CHECK: nd.row %[[X]], %[[I]] : (tensor<?x4xf32>, tensor<i32>) -> tensor<4xf32>
// CHECK: %[[SHAPE:.*]] = nd.shape %[[X]]
// CHECK: %[[ROWS:.*]] = nd.row %[[SHAPE]]
// CHECK: %[[IS:.*]] = nd.less %[[J]]
// CHECK: %[[SUM:.*]] = nd.add %[[J]], %[[ROWS]]
// CHECK: %[[INDEX:.*]] = nd.select %[[IS]], %[[SUM]], %[[J]]
// CHECK: nd.row %[[X]], %[[INDEX]]
// CHECK: %[[TURNED:.*]] = nd.transpose %[[X]], %{{.*}} : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<4x?xf32>
// CHECK: %[[COLUMN:.*]] = nd.row %[[TURNED]], %[[I]] : (tensor<4x?xf32>, tensor<i32>) -> tensor<?xf32>
// CHECK: nd.expand_dims %[[COLUMN]], %{{.*}} -> tensor<?x1xf32>
// CHECK: nd.strided_slice %[[H]]
flow.graph @at_an_index {
  %x = flow.feed {name = "x"} : () -> tensor<?x4xf32>
  %j0 = flow.feed {name = "j"} : () -> tensor<i32>
  %n0 = flow.feed {name = "n"} : () -> tensor<i32>
  %i0 = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%i0, %x) (%x, %j0, %n0) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<?x4xf32>) before {
  ^bb0(%i: tensor<i32>, %h: tensor<?x4xf32>, %a: tensor<?x4xf32>, %j: tensor<i32>, %n: tensor<i32>):
    %p = nd.less %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %h) : (tensor<i1>, tensor<i32>, tensor<?x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %h: tensor<?x4xf32>, %a: tensor<?x4xf32>, %j: tensor<i32>, %n: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %ones = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
    %k = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.pack %i {axis = 0 : i64} : (tensor<i32>) -> tensor<1xi32>
    %e = nd.pack %k {axis = 0 : i64} : (tensor<i32>) -> tensor<1xi32>
    %row = nd.strided_slice %a, %b, %e, %ones {begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64} : (tensor<?x4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xf32>
    %c = nd.pack %j {axis = 0 : i64} : (tensor<i32>) -> tensor<1xi32>
    %other = nd.strided_slice %a, %c, %c, %ones {begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64} : (tensor<?x4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xf32>
    %three = nd.constant {value = dense<1> : tensor<3xi32>} : () -> tensor<3xi32>
    %d = nd.pack %zero, %i, %zero {axis = 0 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3xi32>
    %f = nd.pack %zero, %k, %zero {axis = 0 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3xi32>
    %column = nd.strided_slice %a, %d, %f, %three {begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 4 : i64, shrink_axis_mask = 2 : i64} : (tensor<?x4xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x1xf32>
    %kept = nd.strided_slice %h, %d, %f, %three {begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 4 : i64, shrink_axis_mask = 2 : i64} : (tensor<?x4xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x1xf32>
    %s = nd.add %row, %other : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %t = nd.add %column, %kept : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
    %u = nd.add %s, %t : (tensor<4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
    flow.yield %k, %u : (tensor<i32>, tensor<?x4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<?x4xf32>) -> ()
}

// -----

// What flows back to a slice lies between zeros, if it surely fits: also dims that are not known, where all of them was
// taken. One that may not fit stays, and so does one by steps of 2.
// CHECK-LABEL: @flows_back
// CHECK: body
// CHECK: nd.constant {value = dense<{{\[\[}}0, 0], [4, 2]]> : tensor<2x2xi32>}
// CHECK: nd.pad %{{.*}} : (tensor<?x3xf32>, tensor<2x2xi32>, tensor<f32>) -> tensor<?x9xf32>
// CHECK: nd.strided_slice_grad
// CHECK: nd.strided_slice_grad
flow.graph @flows_back {
  %x = flow.feed {name = "x"} : () -> tensor<?x9xf32>
  %g0 = flow.feed {name = "g"} : () -> tensor<?x3xf32>
  %p0 = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.while (%x) (%g0, %p0) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x9xf32>, tensor<?x3xf32>, tensor<i1>) -> tensor<?x9xf32> before {
  ^bb0(%a: tensor<?x9xf32>, %g: tensor<?x3xf32>, %p: tensor<i1>):
    flow.condition %p (%a) : (tensor<i1>, tensor<?x9xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x9xf32>, %g: tensor<?x3xf32>, %p: tensor<i1>):
    %b = nd.constant {value = dense<[0, 4]> : tensor<2xi32>} : () -> tensor<2xi32>
    %e = nd.constant {value = dense<[0, -2]> : tensor<2xi32>} : () -> tensor<2xi32>
    %s = nd.constant {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
    %t = nd.constant {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
    %d = nd.constant {value = dense<[0, 10]> : tensor<2xi32>} : () -> tensor<2xi32>
    %shape = nd.shape %g : (tensor<?x3xf32>) -> tensor<2xi32>
    %zero = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %one = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
    %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %rows = nd.slice %shape, %zero, %one : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %nine = nd.constant {value = dense<9> : tensor<1xi32>} : () -> tensor<1xi32>
    %whole = nd.concat %rows, %nine, %axis : (tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<2xi32>
    %1 = nd.strided_slice_grad %whole, %b, %e, %s, %g {begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<?x3xf32>) -> tensor<?x9xf32>
    %2 = nd.strided_slice_grad %whole, %b, %d, %t, %g {begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<?x3xf32>) -> tensor<?x9xf32>
    %other = nd.shape %a : (tensor<?x9xf32>) -> tensor<2xi32>
    %3 = nd.strided_slice_grad %other, %b, %e, %s, %g {begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<?x3xf32>) -> tensor<?x9xf32>
    %4 = nd.add %1, %2 : (tensor<?x9xf32>, tensor<?x9xf32>) -> tensor<?x9xf32>
    %5 = nd.add %3, %4 : (tensor<?x9xf32>, tensor<?x9xf32>) -> tensor<?x9xf32>
    flow.yield %5 : (tensor<?x9xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?x9xf32>) -> ()
}
