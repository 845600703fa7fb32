// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every sci parts op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0:2 = "test.value"() : () -> (tensor<3xf32>, tensor<3xf32>)
// CHECK: sci.complex %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xcomplex<f32>>
%r0 = sci.complex %v0#0, %v0#1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xcomplex<f32>>

%v1 = "test.value"() : () -> tensor<3xcomplex<f32>>
// CHECK: sci.imaginary %{{.*}} : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
%r1 = sci.imaginary %v1 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>

%v2 = "test.value"() : () -> tensor<3xcomplex<f32>>
// CHECK: sci.magnitude %{{.*}} : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
%r2 = sci.magnitude %v2 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>

%v3:2 = "test.value"() : () -> (tensor<4xf32>, tensor<i32>)
// CHECK: sci.cumulative_logsumexp %{{.*}}, %{{.*}} {exclusive = false, reverse = true} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
%r3 = sci.cumulative_logsumexp %v3#0, %v3#1 {exclusive = false, reverse = true} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>

%v4:2 = "test.value"() : () -> (tensor<2x5xf32>, tensor<2x3xf32>)
// CHECK: sci.search_sorted %{{.*}}, %{{.*}} {after_equals = true} : (tensor<2x5xf32>, tensor<2x3xf32>) -> tensor<2x3xi32>
%r4 = sci.search_sorted %v4#0, %v4#1 {after_equals = true} : (tensor<2x5xf32>, tensor<2x3xf32>) -> tensor<2x3xi32>

%v5:3 = "test.value"() : () -> (tensor<3x4xf32>, tensor<i32>, tensor<f32>)
// CHECK: sci.diagonals %{{.*}}, %{{.*}}, %{{.*}} {right_above = true, right_below = false} : (tensor<3x4xf32>, tensor<i32>, tensor<f32>) -> tensor<?xf32>
%r5 = sci.diagonals %v5#0, %v5#1, %v5#2 {right_above = true, right_below = false} : (tensor<3x4xf32>, tensor<i32>, tensor<f32>) -> tensor<?xf32>

%v6:3 = "test.value"() : () -> (tensor<3x4xf32>, tensor<2x3xf32>, tensor<2xi32>)
// CHECK: sci.set_diagonals %{{.*}}, %{{.*}}, %{{.*}} {right_above = true, right_below = false} : (tensor<3x4xf32>, tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x4xf32>
%r6 = sci.set_diagonals %v6#0, %v6#1, %v6#2 {right_above = true, right_below = false} : (tensor<3x4xf32>, tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x4xf32>
