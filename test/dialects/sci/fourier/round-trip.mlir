// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every sci fourier op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0 = "test.value"() : () -> tensor<2x8xcomplex<f32>>
// CHECK: sci.fft %{{.*}} {dims = 1 : i64, inverse = false} : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
%r0 = sci.fft %v0 {dims = 1 : i64, inverse = false} : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>

%v1:2 = "test.value"() : () -> (tensor<2x8xf32>, tensor<1xi32>)
// CHECK: sci.rfft %{{.*}}, %{{.*}} {dims = 1 : i64} : (tensor<2x8xf32>, tensor<1xi32>) -> tensor<2x?xcomplex<f32>>
%r1 = sci.rfft %v1#0, %v1#1 {dims = 1 : i64} : (tensor<2x8xf32>, tensor<1xi32>) -> tensor<2x?xcomplex<f32>>

%v2:2 = "test.value"() : () -> (tensor<2x5xcomplex<f32>>, tensor<1xi32>)
// CHECK: sci.irfft %{{.*}}, %{{.*}} {dims = 1 : i64} : (tensor<2x5xcomplex<f32>>, tensor<1xi32>) -> tensor<2x?xf32>
%r2 = sci.irfft %v2#0, %v2#1 {dims = 1 : i64} : (tensor<2x5xcomplex<f32>>, tensor<1xi32>) -> tensor<2x?xf32>
