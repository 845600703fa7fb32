// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every nd shape op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

// CHECK: nd.constant  {value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
%r0 = nd.constant {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>

%v1 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.shape %{{.*}} : (tensor<2x?xf32>) -> tensor<2xi32>
%r1 = nd.shape %v1 : (tensor<2x?xf32>) -> tensor<2xi32>

%v2 = "test.value"() : () -> tensor<*xf32>
// CHECK: nd.rank %{{.*}} : (tensor<*xf32>) -> tensor<i32>
%r2 = nd.rank %v2 : (tensor<*xf32>) -> tensor<i32>

%v3 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.size %{{.*}} : (tensor<2x?xf32>) -> tensor<i32>
%r3 = nd.size %v3 : (tensor<2x?xf32>) -> tensor<i32>

%v4:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// CHECK: nd.reshape %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<6xf32>
%r4 = nd.reshape %v4#0, %v4#1 : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<6xf32>

%v5:2 = "test.value"() : () -> (tensor<3xf32>, tensor<i32>)
// CHECK: nd.expand_dims %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<i32>) -> tensor<1x3xf32>
%r5 = nd.expand_dims %v5#0, %v5#1 : (tensor<3xf32>, tensor<i32>) -> tensor<1x3xf32>

%v6 = "test.value"() : () -> tensor<1x3xf32>
// CHECK: nd.squeeze %{{.*}} {axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<3xf32>
%r6 = nd.squeeze %v6 {axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<3xf32>

%v7 = "test.value"() : () -> tensor<3xf32>
// CHECK: nd.stop_gradient %{{.*}} : (tensor<3xf32>) -> tensor<3xf32>
%r7 = nd.stop_gradient %v7 : (tensor<3xf32>) -> tensor<3xf32>

%v7a = "test.value"() : () -> tensor<?xf32>
// CHECK: nd.assume_shape %{{.*}} : (tensor<?xf32>) -> tensor<3xf32>
%r7a = nd.assume_shape %v7a : (tensor<?xf32>) -> tensor<3xf32>

%v8:2 = "test.value"() : () -> (tensor<3xf32>, tensor<2xi32>)
// CHECK: nd.broadcast_to %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
%r8 = nd.broadcast_to %v8#0, %v8#1 : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>

%v9:2 = "test.value"() : () -> (tensor<2xi32>, tensor<1xi32>)
// CHECK: nd.broadcast_args %{{.*}}, %{{.*}} : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
%r9 = nd.broadcast_args %v9#0, %v9#1 : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>

%v10:2 = "test.value"() : () -> (tensor<2xi32>, tensor<1xi32>)
// CHECK: nd.broadcast_gradient_args %{{.*}}, %{{.*}} : (tensor<2xi32>, tensor<1xi32>) -> (tensor<?xi32>, tensor<?xi32>)
%r10:2 = nd.broadcast_gradient_args %v10#0, %v10#1 : (tensor<2xi32>, tensor<1xi32>) -> (tensor<?xi32>, tensor<?xi32>)

%v11:3 = "test.value"() : () -> (tensor<i32>, tensor<2xi32>, tensor<2xi32>)
// CHECK: nd.concat_offset %{{.*}}, %{{.*}}, %{{.*}} : (tensor<i32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
%r11:2 = nd.concat_offset %v11#0, %v11#1, %v11#2 : (tensor<i32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)

%v12 = "test.value"() : () -> tensor<3xi32>
// CHECK: nd.invert_permutation %{{.*}} : (tensor<3xi32>) -> tensor<3xi32>
%r12 = nd.invert_permutation %v12 : (tensor<3xi32>) -> tensor<3xi32>

%w119:2 = "test.value"() : () -> (tensor<?xf32>, tensor<3xi32>)
// CHECK: nd.match_shape %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<3xi32>) -> tensor<3xf32>
%q119 = nd.match_shape %w119#0, %w119#1 : (tensor<?xf32>, tensor<3xi32>) -> tensor<3xf32>
