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

%v9:6 = "test.value"() : () -> (tensor<6x4xf32>, tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>)
// CHECK: nn.suppress %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {given = false, padded = false} : (tensor<6x4xf32>, tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<?xi32>, tensor<?xf32>, tensor<i32>)
%r9:3 = nn.suppress %v9#0, %v9#1, %v9#2, %v9#3, %v9#4, %v9#5 {given = false, padded = false} : (tensor<6x4xf32>, tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<?xi32>, tensor<?xf32>, tensor<i32>)

%v10:6 = "test.value"() : () -> (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>)
// CHECK: nn.suppress_classes %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<2x?x4xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2xi32>)
%r10:4 = nn.suppress_classes %v10#0, %v10#1, %v10#2, %v10#3, %v10#4, %v10#5 {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<2x?x4xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2xi32>)

%v11:3 = "test.value"() : () -> (tensor<2x8x8x3xf32>, tensor<2x3x4xf32>, tensor<0x4xf32>)
// CHECK: nn.draw_boxes %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x8x8x3xf32>, tensor<2x3x4xf32>, tensor<0x4xf32>) -> tensor<2x8x8x3xf32>
%r11 = nn.draw_boxes %v11#0, %v11#1, %v11#2 : (tensor<2x8x8x3xf32>, tensor<2x3x4xf32>, tensor<0x4xf32>) -> tensor<2x8x8x3xf32>

%v12:4 = "test.value"() : () -> (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi32>)
// CHECK: nn.ctc_loss %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {collapse_repeated = false, ignore_longer = false, merge_repeated = true} : (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<5x2x4xf32>)
%r12:2 = nn.ctc_loss %v12#0, %v12#1, %v12#2, %v12#3 {collapse_repeated = false, ignore_longer = false, merge_repeated = true} : (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<5x2x4xf32>)

%v13:2 = "test.value"() : () -> (tensor<5x2x4xf32>, tensor<2xi32>)
// CHECK: nn.ctc_beam_search %{{.*}}, %{{.*}} {merge_repeated = false, paths = 1 : i64, width = 10 : i64} : (tensor<5x2x4xf32>, tensor<2xi32>) -> (tensor<2x?xi64>, tensor<2x1xf32>)
%r13:2 = nn.ctc_beam_search %v13#0, %v13#1 {merge_repeated = false, paths = 1 : i64, width = 10 : i64} : (tensor<5x2x4xf32>, tensor<2xi32>) -> (tensor<2x?xi64>, tensor<2x1xf32>)

%v14:5 = "test.value"() : () -> (tensor<5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<4xi64>, tensor<i64>)
// CHECK: nn.edit_distance %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {normalized = true} : (tensor<5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<4xi64>, tensor<i64>) -> tensor<?xf32>
%r14 = nn.edit_distance %v14#0, %v14#1, %v14#2, %v14#3, %v14#4 {normalized = true} : (tensor<5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<4xi64>, tensor<i64>) -> tensor<?xf32>
