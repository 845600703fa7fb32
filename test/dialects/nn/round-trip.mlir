// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every nn op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0:2 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
// CHECK: nn.convolve %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>, strides = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>
%r0 = nn.convolve %v0#0, %v0#1 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>

%v1:3 = "test.value"() : () -> (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// CHECK: nn.convolve_input %{{.*}}, %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>, strides = array<i64: 2, 2>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>
%r1 = nn.convolve_input %v1#0, %v1#1, %v1#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

%v2:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>)
// CHECK: nn.convolve_filter %{{.*}}, %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>, strides = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>
%r2 = nn.convolve_filter %v2#0, %v2#1, %v2#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

%v3 = "test.value"() : () -> tensor<1x8x8x3xf32>
// CHECK: nn.average_pool %{{.*}} {padding = "valid", pads = array<i64>, strides = array<i64: 2, 2>, windows = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>
%r3 = nn.average_pool %v3 {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

%v4:2 = "test.value"() : () -> (tensor<4xi64>, tensor<1x4x4x3xf32>)
// CHECK: nn.average_pool_input %{{.*}}, %{{.*}} {padding = "valid", pads = array<i64>, strides = array<i64: 2, 2>, windows = array<i64: 2, 2>} : (tensor<4xi64>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf32>
%r4 = nn.average_pool_input %v4#0, %v4#1 {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<4xi64>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf32>

%v5 = "test.value"() : () -> tensor<1x8x8x3xf32>
// CHECK: nn.max_pool %{{.*}} {padding = "valid", pads = array<i64>, strides = array<i64: 2, 2>, windows = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>
%r5 = nn.max_pool %v5 {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

%v6 = "test.value"() : () -> tensor<1x8x8x3xf32>
// CHECK: nn.max_pool_index %{{.*}} {padding = "valid", pads = array<i64>, strides = array<i64: 2, 2>, windows = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xi64>
%r6 = nn.max_pool_index %v6 {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xi64>

%v7:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<2x2xi32>)
// CHECK: nn.mirror_pad %{{.*}}, %{{.*}} {edge = true} : (tensor<2x3xf32>, tensor<2x2xi32>) -> tensor<?x?xf32>
%r7 = nn.mirror_pad %v7#0, %v7#1 {edge = true} : (tensor<2x3xf32>, tensor<2x2xi32>) -> tensor<?x?xf32>

%v8:2 = "test.value"() : () -> (tensor<4x5xf32>, tensor<2x2xi32>)
// CHECK: nn.mirror_pad_input %{{.*}}, %{{.*}} {edge = true} : (tensor<4x5xf32>, tensor<2x2xi32>) -> tensor<?x?xf32>
%r8 = nn.mirror_pad_input %v8#0, %v8#1 {edge = true} : (tensor<4x5xf32>, tensor<2x2xi32>) -> tensor<?x?xf32>
