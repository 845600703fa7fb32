// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the sci fourier ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// sci.fft C1
%v = "test.value"() : () -> tensor<2x8xcomplex<f32>>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.fft %v {dims = 1 : i64, inverse = false} : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f64>>

// -----
// sci.fft C1
%v = "test.value"() : () -> tensor<2x8xf32>
// expected-error@below {{operand #0 must be tensor of complex numbers}}
%r = sci.fft %v {dims = 1 : i64, inverse = false} : (tensor<2x8xf32>) -> tensor<2x8xf32>

// -----
// sci.fft C2
%v = "test.value"() : () -> tensor<2x8xcomplex<f32>>
// expected-error@below {{expected 1, 2 or 3 dims to transform but got 4}}
%r = sci.fft %v {dims = 4 : i64, inverse = false} : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>

// -----
// sci.fft C2
%v = "test.value"() : () -> tensor<2x8xcomplex<f32>>
// expected-error@below {{expected 1, 2 or 3 dims to transform but got 0}}
%r = sci.fft %v {dims = 0 : i64, inverse = false} : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>

// -----
// sci.rfft C1
%v:2 = "test.value"() : () -> (tensor<2x8xf32>, tensor<1xi32>)
// expected-error@below {{expected complex numbers of the real ones but got}}
%r = sci.rfft %v#0, %v#1 {dims = 1 : i64} : (tensor<2x8xf32>, tensor<1xi32>) -> tensor<2x?xcomplex<f64>>

// -----
// sci.rfft C1
%v:2 = "test.value"() : () -> (tensor<2x8xf16>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of f32 or f64}}
%r = sci.rfft %v#0, %v#1 {dims = 1 : i64} : (tensor<2x8xf16>, tensor<1xi32>) -> tensor<2x?xcomplex<f32>>

// -----
// sci.rfft C2
%v:2 = "test.value"() : () -> (tensor<2x8xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = sci.rfft %v#0, %v#1 {dims = 1 : i64} : (tensor<2x8xf32>, tensor<1xf32>) -> tensor<2x?xcomplex<f32>>

// -----
// sci.rfft C3
%v:2 = "test.value"() : () -> (tensor<2x8xf32>, tensor<4xi32>)
// expected-error@below {{expected 1, 2 or 3 dims to transform but got 4}}
%r = sci.rfft %v#0, %v#1 {dims = 4 : i64} : (tensor<2x8xf32>, tensor<4xi32>) -> tensor<*xcomplex<f32>>

// -----
// sci.irfft C1
%v:2 = "test.value"() : () -> (tensor<2x5xcomplex<f32>>, tensor<1xi32>)
// expected-error@below {{expected complex numbers of the real ones but got}}
%r = sci.irfft %v#0, %v#1 {dims = 1 : i64} : (tensor<2x5xcomplex<f32>>, tensor<1xi32>) -> tensor<2x?xf64>

// -----
// sci.irfft C1
%v:2 = "test.value"() : () -> (tensor<2x5xcomplex<f32>>, tensor<1xi32>)
// expected-error@below {{result #0 must be tensor of f32 or f64}}
%r = sci.irfft %v#0, %v#1 {dims = 1 : i64} : (tensor<2x5xcomplex<f32>>, tensor<1xi32>) -> tensor<2x?xf16>

// -----
// sci.irfft C2
%v:2 = "test.value"() : () -> (tensor<2x5xcomplex<f32>>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = sci.irfft %v#0, %v#1 {dims = 1 : i64} : (tensor<2x5xcomplex<f32>>, tensor<1xf32>) -> tensor<2x?xf32>

// -----
// sci.irfft C3
%v:2 = "test.value"() : () -> (tensor<2x5xcomplex<f32>>, tensor<4xi32>)
// expected-error@below {{expected 1, 2 or 3 dims to transform but got 4}}
%r = sci.irfft %v#0, %v#1 {dims = 4 : i64} : (tensor<2x5xcomplex<f32>>, tensor<4xi32>) -> tensor<*xf32>
