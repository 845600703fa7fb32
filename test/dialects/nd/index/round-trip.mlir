// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every nd index op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0:3 = "test.value"() : () -> (tensor<5x3xf32>, tensor<2xi32>, tensor<i32>)
// CHECK: nd.gather %{{.*}}, %{{.*}}, %{{.*}} {batch_dims = 0 : i64} : (tensor<5x3xf32>, tensor<2xi32>, tensor<i32>) -> tensor<2x3xf32>
%r0 = nd.gather %v0#0, %v0#1, %v0#2 {batch_dims = 0 : i64} : (tensor<5x3xf32>, tensor<2xi32>, tensor<i32>) -> tensor<2x3xf32>

%v1:2 = "test.value"() : () -> (tensor<5x3xf32>, tensor<2x1xi32>)
// CHECK: nd.gather_nd %{{.*}}, %{{.*}} : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
%r1 = nd.gather_nd %v1#0, %v1#1 : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>

%v2:3 = "test.value"() : () -> (tensor<2x1xi32>, tensor<2xf32>, tensor<1xi32>)
// CHECK: nd.scatter_nd %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x1xi32>, tensor<2xf32>, tensor<1xi32>) -> tensor<?xf32>
%r2 = nd.scatter_nd %v2#0, %v2#1, %v2#2 : (tensor<2x1xi32>, tensor<2xf32>, tensor<1xi32>) -> tensor<?xf32>

%v3:4 = "test.value"() : () -> (tensor<3xi32>, tensor<i32>, tensor<f32>, tensor<f32>)
// CHECK: nd.one_hot %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {axis = -1 : i64} : (tensor<3xi32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<3x?xf32>
%r3 = nd.one_hot %v3#0, %v3#1, %v3#2, %v3#3 {axis = -1 : i64} : (tensor<3xi32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<3x?xf32>

%v104:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xi32>)
// CHECK: nd.random_uniform %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xf32>
%r104 = nd.random_uniform %v104#0, %v104#1 : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xf32>

%v4 = "test.value"() : () -> tensor<2x3xi1>
// CHECK: nd.where %{{.*}} : (tensor<2x3xi1>) -> tensor<?x2xi64>
%r4 = nd.where %v4 : (tensor<2x3xi1>) -> tensor<?x2xi64>

%v5:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>)
// CHECK: nd.unsorted_segment_sum %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>
%r5 = nd.unsorted_segment_sum %v5#0, %v5#1, %v5#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>

%v6:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>)
// CHECK: nd.unsorted_segment_prod %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>
%r6 = nd.unsorted_segment_prod %v6#0, %v6#1, %v6#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>

%v7:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>)
// CHECK: nd.unsorted_segment_max %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>
%r7 = nd.unsorted_segment_max %v7#0, %v7#1, %v7#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>

%v8:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>)
// CHECK: nd.unsorted_segment_min %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>
%r8 = nd.unsorted_segment_min %v8#0, %v8#1, %v8#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>

%rows:3 = "test.value"() : () -> (tensor<5x3xf32>, tensor<i32>, tensor<3xf32>)
// CHECK: nd.row %{{.*}}, %{{.*}} : (tensor<5x3xf32>, tensor<i32>) -> tensor<3xf32>
%row = nd.row %rows#0, %rows#1 : (tensor<5x3xf32>, tensor<i32>) -> tensor<3xf32>
// CHECK: nd.set_row %{{.*}}, %{{.*}}, %{{.*}} : (tensor<5x3xf32>, tensor<i32>, tensor<3xf32>) -> tensor<5x3xf32>
%set = nd.set_row %rows#0, %rows#1, %rows#2 : (tensor<5x3xf32>, tensor<i32>, tensor<3xf32>) -> tensor<5x3xf32>

%w116:3 = "test.value"() : () -> (tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>)
// CHECK: nd.update_points %{{.*}}, %{{.*}}, %{{.*}} {how = "add", ignore_bad_indices = false} : (tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<5xf32>
%q116 = nd.update_points %w116#0, %w116#1, %w116#2 {how = "add", ignore_bad_indices = false} : (tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<5xf32>

%w117:2 = "test.value"() : () -> (tensor<5xf32>, tensor<0xi32>)
// CHECK: nd.unique %{{.*}}, %{{.*}} : (tensor<5xf32>, tensor<0xi32>) -> (tensor<?xf32>, tensor<5xi32>, tensor<?xi32>)
%q117:3 = nd.unique %w117#0, %w117#1 : (tensor<5xf32>, tensor<0xi32>) -> (tensor<?xf32>, tensor<5xi32>, tensor<?xi32>)

%w118:2 = "test.value"() : () -> (tensor<5xf32>, tensor<2xf32>)
// CHECK: nd.list_diff %{{.*}}, %{{.*}} : (tensor<5xf32>, tensor<2xf32>) -> (tensor<?xf32>, tensor<?xi32>)
%q118:2 = nd.list_diff %w118#0, %w118#1 : (tensor<5xf32>, tensor<2xf32>) -> (tensor<?xf32>, tensor<?xi32>)
