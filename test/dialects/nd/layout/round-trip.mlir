// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every nd layout op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0:2 = "test.value"() : () -> (tensor<3xf32>, tensor<3xf32>)
// CHECK: nd.pack %{{.*}}, %{{.*}} {axis = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r0 = nd.pack %v0#0, %v0#1 {axis = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v1 = "test.value"() : () -> tensor<2x3xf32>
// CHECK: nd.unpack %{{.*}} {axis = 0 : i64} : (tensor<2x3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
%r1:2 = nd.unpack %v1 {axis = 0 : i64} : (tensor<2x3xf32>) -> (tensor<3xf32>, tensor<3xf32>)

%v2:3 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>)
// CHECK: nd.concat %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>) -> tensor<3x3xf32>
%r2 = nd.concat %v2#0, %v2#1, %v2#2 : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>) -> tensor<3x3xf32>

%v3:2 = "test.value"() : () -> (tensor<4x3xf32>, tensor<i32>)
// CHECK: nd.split %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
%r3:2 = nd.split %v3#0, %v3#1 : (tensor<4x3xf32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)

%v4:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<2xi32>, tensor<i32>)
// CHECK: nd.split_v %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<2xi32>, tensor<i32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
%r4:2 = nd.split_v %v4#0, %v4#1, %v4#2 : (tensor<4x3xf32>, tensor<2xi32>, tensor<i32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)

%v5:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<2xi32>, tensor<2xi32>)
// CHECK: nd.slice %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
%r5 = nd.slice %v5#0, %v5#1, %v5#2 : (tensor<4x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>

%v6:4 = "test.value"() : () -> (tensor<4x3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
// CHECK: nd.strided_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<4x3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x3xf32>
%r6 = nd.strided_slice %v6#0, %v6#1, %v6#2, %v6#3 {begin_mask = 0 : i64, end_mask = 0 : i64, ellipsis_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<4x3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x3xf32>

%v7:5 = "test.value"() : () -> (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2x3xf32>)
// CHECK: nd.strided_slice_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2x3xf32>) -> tensor<?x?xf32>
%r7 = nd.strided_slice_grad %v7#0, %v7#1, %v7#2, %v7#3, %v7#4 {begin_mask = 0 : i64, end_mask = 0 : i64, ellipsis_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2x3xf32>) -> tensor<?x?xf32>

%v8:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<2xi32>)
// CHECK: nd.transpose %{{.*}}, %{{.*}} {conjugate = false} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>
%r8 = nd.transpose %v8#0, %v8#1 {conjugate = false} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>

%v9:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<2xi32>)
// CHECK: nd.tile %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
%r9 = nd.tile %v9#0, %v9#1 : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>

%v10:3 = "test.value"() : () -> (tensor<2xf32>, tensor<1x2xi32>, tensor<f32>)
// CHECK: nd.pad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2xf32>, tensor<1x2xi32>, tensor<f32>) -> tensor<?xf32>
%r10 = nd.pad %v10#0, %v10#1, %v10#2 : (tensor<2xf32>, tensor<1x2xi32>, tensor<f32>) -> tensor<?xf32>

%v11:2 = "test.value"() : () -> (tensor<2xi32>, tensor<f32>)
// CHECK: nd.fill %{{.*}}, %{{.*}} : (tensor<2xi32>, tensor<f32>) -> tensor<?x?xf32>
%r11 = nd.fill %v11#0, %v11#1 : (tensor<2xi32>, tensor<f32>) -> tensor<?x?xf32>

%v12:3 = "test.value"() : () -> (tensor<i32>, tensor<i32>, tensor<i32>)
// CHECK: nd.range %{{.*}}, %{{.*}}, %{{.*}} : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
%r12 = nd.range %v12#0, %v12#1, %v12#2 : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>

%v13:2 = "test.value"() : () -> (tensor<4xf32>, tensor<1xi32>)
// CHECK: nd.reverse %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
%r13 = nd.reverse %v13#0, %v13#1 : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
