// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every nd reduce op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// CHECK: nd.reduce_sum %{{.*}}, %{{.*}} {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>
%r0 = nd.reduce_sum %v0#0, %v0#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>

%v1:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// CHECK: nd.reduce_mean %{{.*}}, %{{.*}} {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>
%r1 = nd.reduce_mean %v1#0, %v1#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>

%v2:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// CHECK: nd.reduce_prod %{{.*}}, %{{.*}} {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>
%r2 = nd.reduce_prod %v2#0, %v2#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>

%v3:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// CHECK: nd.reduce_max %{{.*}}, %{{.*}} {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>
%r3 = nd.reduce_max %v3#0, %v3#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>

%v4:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// CHECK: nd.reduce_min %{{.*}}, %{{.*}} {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>
%r4 = nd.reduce_min %v4#0, %v4#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>

%v5:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<1xi32>)
// CHECK: nd.reduce_all %{{.*}}, %{{.*}} {keep_dims = false} : (tensor<2x3xi1>, tensor<1xi32>) -> tensor<2xi1>
%r5 = nd.reduce_all %v5#0, %v5#1 {keep_dims = false} : (tensor<2x3xi1>, tensor<1xi32>) -> tensor<2xi1>

%v6:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<1xi32>)
// CHECK: nd.reduce_any %{{.*}}, %{{.*}} {keep_dims = false} : (tensor<2x3xi1>, tensor<1xi32>) -> tensor<2xi1>
%r6 = nd.reduce_any %v6#0, %v6#1 {keep_dims = false} : (tensor<2x3xi1>, tensor<1xi32>) -> tensor<2xi1>

%v7:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<i32>)
// CHECK: nd.arg_max %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<i32>) -> tensor<2xi64>
%r7 = nd.arg_max %v7#0, %v7#1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2xi64>

%v8:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<i32>)
// CHECK: nd.arg_min %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<i32>) -> tensor<2xi64>
%r8 = nd.arg_min %v8#0, %v8#1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2xi64>

%v9:2 = "test.value"() : () -> (tensor<4xf32>, tensor<i32>)
// CHECK: nd.cumsum %{{.*}}, %{{.*}} {exclusive = false, reverse = false} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
%r9 = nd.cumsum %v9#0, %v9#1 {exclusive = false, reverse = false} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>

%v10:2 = "test.value"() : () -> (tensor<4xf32>, tensor<i32>)
// CHECK: nd.cumprod %{{.*}}, %{{.*}} {exclusive = false, reverse = false} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
%r10 = nd.cumprod %v10#0, %v10#1 {exclusive = false, reverse = false} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>

%v11 = "test.value"() : () -> tensor<2x3xf32>
// CHECK: nd.l2_loss %{{.*}} : (tensor<2x3xf32>) -> tensor<f32>
%r11 = nd.l2_loss %v11 : (tensor<2x3xf32>) -> tensor<f32>

%v12:2 = "test.value"() : () -> (tensor<2x5xf32>, tensor<i32>)
// CHECK: nd.top_k %{{.*}}, %{{.*}} : (tensor<2x5xf32>, tensor<i32>) -> (tensor<2x?xf32>, tensor<2x?xi32>)
%r12:2 = nd.top_k %v12#0, %v12#1 : (tensor<2x5xf32>, tensor<i32>) -> (tensor<2x?xf32>, tensor<2x?xi32>)
