// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the sci parts ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// sci.complex C1
%v:2 = "test.value"() : () -> (tensor<3xf16>, tensor<3xf16>)
// expected-error@below {{operand #0 must be tensor of f32 or f64}}
%r = sci.complex %v#0, %v#1 : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xcomplex<f32>>

// -----
// sci.complex C2
%v:2 = "test.value"() : () -> (tensor<3xf32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {real, imaginary} have same element type}}
%r = sci.complex %v#0, %v#1 : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xcomplex<f32>>

// -----
// sci.complex C3
%v:2 = "test.value"() : () -> (tensor<3xf64>, tensor<3xf64>)
// expected-error@below {{expected parts of type 'f32' but got 'f64'}}
%r = sci.complex %v#0, %v#1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xcomplex<f32>>

// -----
// sci.imaginary C1
%v = "test.value"() : () -> tensor<3xf32>
// expected-error@below {{operand #0 must be tensor of complex numbers}}
%r = sci.imaginary %v : (tensor<3xf32>) -> tensor<3xf32>

// -----
// sci.imaginary C2
%v = "test.value"() : () -> tensor<3xcomplex<f32>>
// expected-error@below {{expected parts of type 'f32' but got 'f64'}}
%r = sci.imaginary %v : (tensor<3xcomplex<f32>>) -> tensor<3xf64>

// -----
// sci.magnitude C1
%v = "test.value"() : () -> tensor<3xf32>
// expected-error@below {{operand #0 must be tensor of complex numbers}}
%r = sci.magnitude %v : (tensor<3xf32>) -> tensor<3xf32>

// -----
// sci.magnitude C2
%v = "test.value"() : () -> tensor<3xcomplex<f32>>
// expected-error@below {{expected parts of type 'f32' but got 'f64'}}
%r = sci.magnitude %v : (tensor<3xcomplex<f32>>) -> tensor<3xf64>

// -----
// sci.cumulative_logsumexp C1
%v:2 = "test.value"() : () -> (tensor<4xi32>, tensor<i32>)
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.cumulative_logsumexp %v#0, %v#1 {exclusive = false, reverse = true} : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>

// -----
// sci.cumulative_logsumexp C2
%v:2 = "test.value"() : () -> (tensor<4xf32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.cumulative_logsumexp %v#0, %v#1 {exclusive = false, reverse = true} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf64>

// -----
// sci.cumulative_logsumexp C3
%v:2 = "test.value"() : () -> (tensor<4xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = sci.cumulative_logsumexp %v#0, %v#1 {exclusive = false, reverse = true} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>

// -----
// sci.search_sorted C1
%v:2 = "test.value"() : () -> (tensor<5xi1>, tensor<3xi1>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = sci.search_sorted %v#0, %v#1 {after_equals = true} : (tensor<5xi1>, tensor<3xi1>) -> tensor<3xi32>

// -----
// sci.search_sorted C2
%v:2 = "test.value"() : () -> (tensor<5xf32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {sorted, values} have same element type}}
%r = sci.search_sorted %v#0, %v#1 {after_equals = true} : (tensor<5xf32>, tensor<3xf64>) -> tensor<3xi32>

// -----
// sci.search_sorted C3
%v:2 = "test.value"() : () -> (tensor<5xf32>, tensor<3xf32>)
// expected-error@below {{result #0 must be tensor of i32 or i64}}
%r = sci.search_sorted %v#0, %v#1 {after_equals = true} : (tensor<5xf32>, tensor<3xf32>) -> tensor<3xi16>

// -----
// sci.diagonals C1
%v:3 = "test.value"() : () -> (tensor<3x4xf32>, tensor<2xi32>, tensor<f64>)
// expected-error@below {{failed to verify that all of {input, padding, result} have same element type}}
%r = sci.diagonals %v#0, %v#1, %v#2 {right_above = true, right_below = false} : (tensor<3x4xf32>, tensor<2xi32>, tensor<f64>) -> tensor<?x?xf32>

// -----
// sci.diagonals C2
%v:3 = "test.value"() : () -> (tensor<3x4xf32>, tensor<2xi64>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of i32}}
%r = sci.diagonals %v#0, %v#1, %v#2 {right_above = true, right_below = false} : (tensor<3x4xf32>, tensor<2xi64>, tensor<f32>) -> tensor<?x?xf32>

// -----
// sci.set_diagonals C1
%v:3 = "test.value"() : () -> (tensor<3x4xf32>, tensor<2x3xf64>, tensor<2xi32>)
// expected-error@below {{failed to verify that all of {input, diagonals, result} have same element type}}
%r = sci.set_diagonals %v#0, %v#1, %v#2 {right_above = true, right_below = false} : (tensor<3x4xf32>, tensor<2x3xf64>, tensor<2xi32>) -> tensor<3x4xf32>

// -----
// sci.set_diagonals C2
%v:3 = "test.value"() : () -> (tensor<3x4xf32>, tensor<2x3xf32>, tensor<2xi64>)
// expected-error@below {{operand #2 must be tensor of i32}}
%r = sci.set_diagonals %v#0, %v#1, %v#2 {right_above = true, right_below = false} : (tensor<3x4xf32>, tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x4xf32>
