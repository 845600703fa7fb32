// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the nd matmul ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// nd.matmul C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<4x3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.matmul %v#0, %v#1 {transpose_lhs = false, transpose_rhs = true, adjoint_lhs = false, adjoint_rhs = false} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf64>

// -----
// nd.matmul C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<4x3xf32>)
// expected-error@below {{expected an operand to be transposed or adjoint but got both}}
%r = nd.matmul %v#0, %v#1 {transpose_lhs = false, transpose_rhs = true, adjoint_lhs = false, adjoint_rhs = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>

// -----

// nd.matmul C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<4x3xf32>)
// Of different operands each may be something else.
%a = nd.matmul %v#0, %v#1 {transpose_lhs = true, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<*xf32>
%b = nd.matmul %v#0, %v#1 {transpose_lhs = false, transpose_rhs = true, adjoint_lhs = true, adjoint_rhs = false} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<*xf32>
// expected-error@below {{expected an operand to be transposed or adjoint but got both}}
%c = nd.matmul %v#0, %v#1 {transpose_lhs = true, transpose_rhs = false, adjoint_lhs = true, adjoint_rhs = false} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<*xf32>

// -----

// nd.matmul C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<4x3xf32>)
// expected-error@below {{expected an operand to be transposed or adjoint but got both}}
%c = nd.matmul %v#0, %v#1 {transpose_lhs = false, transpose_rhs = true, adjoint_lhs = false, adjoint_rhs = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<*xf32>

// -----

// nd.matmul_onto C1
%v:3 = "test.value"() : () -> (tensor<3x4xf64>, tensor<2x3xf32>, tensor<2x4xf32>)
// expected-error@below {{failed to verify that all of {sum, lhs, rhs, result} have same element type}}
%r = nd.matmul_onto %v#0, %v#1, %v#2 {transpose_lhs = true, transpose_rhs = false} : (tensor<3x4xf64>, tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<3x4xf64>

// -----

// nd.matmul_onto C1
%v:3 = "test.value"() : () -> (tensor<3x4xf16>, tensor<2x3xf16>, tensor<2x4xf16>)
// expected-error@below {{operand #0 must be tensor of f32 or f64}}
%r = nd.matmul_onto %v#0, %v#1, %v#2 {transpose_lhs = true, transpose_rhs = false} : (tensor<3x4xf16>, tensor<2x3xf16>, tensor<2x4xf16>) -> tensor<3x4xf16>
