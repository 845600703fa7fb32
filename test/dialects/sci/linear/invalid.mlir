// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the sci linear ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// sci.cholesky C1
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.cholesky %v : (tensor<5x3x3xf32>) -> tensor<5x3x3xf64>

// -----
// sci.cholesky C1
%v = "test.value"() : () -> tensor<5x3x3xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = sci.cholesky %v : (tensor<5x3x3xi32>) -> tensor<5x3x3xi32>

// -----
// sci.matrix_inverse C1
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.matrix_inverse %v {adjoint = false} : (tensor<5x3x3xf32>) -> tensor<5x3x3xf64>

// -----
// sci.matrix_inverse C1
%v = "test.value"() : () -> tensor<5x3x3xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = sci.matrix_inverse %v {adjoint = false} : (tensor<5x3x3xi32>) -> tensor<5x3x3xi32>

// -----
// sci.determinant C1
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.determinant %v : (tensor<5x3x3xf32>) -> tensor<5xf64>

// -----
// sci.determinant C1
%v = "test.value"() : () -> tensor<5x3x3xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = sci.determinant %v : (tensor<5x3x3xi32>) -> tensor<5xi32>

// -----
// sci.log_determinant C1
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{failed to verify that all of {input, sign, log} have same element type}}
%r:2 = sci.log_determinant %v : (tensor<5x3x3xf32>) -> (tensor<5xf32>, tensor<5xf64>)

// -----
// sci.log_determinant C1
%v = "test.value"() : () -> tensor<5x3x3xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r:2 = sci.log_determinant %v : (tensor<5x3x3xi32>) -> (tensor<5xi32>, tensor<5xi32>)

// -----
// sci.matrix_solve C1
%v:2 = "test.value"() : () -> (tensor<5x3x3xf32>, tensor<5x3x2xf32>)
// expected-error@below {{failed to verify that all of {matrix, rhs, result} have same element type}}
%r = sci.matrix_solve %v#0, %v#1 {adjoint = false} : (tensor<5x3x3xf32>, tensor<5x3x2xf32>) -> tensor<5x3x2xf64>

// -----
// sci.matrix_solve C1
%v:2 = "test.value"() : () -> (tensor<5x3x3xi32>, tensor<5x3x2xi32>)
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = sci.matrix_solve %v#0, %v#1 {adjoint = false} : (tensor<5x3x3xi32>, tensor<5x3x2xi32>) -> tensor<5x3x2xi32>

// -----
// sci.triangular_solve C1
%v:2 = "test.value"() : () -> (tensor<5x3x3xf32>, tensor<3x2xf32>)
// expected-error@below {{failed to verify that all of {matrix, rhs, result} have same element type}}
%r = sci.triangular_solve %v#0, %v#1 {adjoint = false, lower = true} : (tensor<5x3x3xf32>, tensor<3x2xf32>) -> tensor<5x3x2xf64>

// -----
// sci.triangular_solve C1
%v:2 = "test.value"() : () -> (tensor<5x3x3xi32>, tensor<3x2xi32>)
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = sci.triangular_solve %v#0, %v#1 {adjoint = false, lower = true} : (tensor<5x3x3xi32>, tensor<3x2xi32>) -> tensor<5x3x2xi32>

// -----
// sci.qr C1
%v = "test.value"() : () -> tensor<5x4x3xf32>
// expected-error@below {{failed to verify that all of {input, q, r} have same element type}}
%r:2 = sci.qr %v {full_matrices = false} : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3x3xf64>)

// -----
// sci.qr C1
%v = "test.value"() : () -> tensor<5x4x3xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r:2 = sci.qr %v {full_matrices = false} : (tensor<5x4x3xi32>) -> (tensor<5x4x3xi32>, tensor<5x3x3xi32>)

// -----
// sci.svd C1
%v = "test.value"() : () -> tensor<5x4x3xf32>
// expected-error@below {{failed to verify that all of {input, s, u, v} have same element type}}
%r:3 = sci.svd %v {compute_uv = true, full_matrices = false} : (tensor<5x4x3xf32>) -> (tensor<5x3xf32>, tensor<5x4x3xf32>, tensor<5x3x3xf64>)

// -----
// sci.svd C1
%v = "test.value"() : () -> tensor<5x4x3xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r:3 = sci.svd %v {compute_uv = true, full_matrices = false} : (tensor<5x4x3xi32>) -> (tensor<5x3xi32>, tensor<5x4x3xi32>, tensor<5x3x3xi32>)

// -----
// sci.self_adjoint_eig C1
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{failed to verify that all of {input, e, v} have same element type}}
%r:2 = sci.self_adjoint_eig %v {compute_v = true} : (tensor<5x3x3xf32>) -> (tensor<5x3xf32>, tensor<5x3x3xf64>)

// -----
// sci.self_adjoint_eig C1
%v = "test.value"() : () -> tensor<5x3x3xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r:2 = sci.self_adjoint_eig %v {compute_v = true} : (tensor<5x3x3xi32>) -> (tensor<5x3xi32>, tensor<5x3x3xi32>)
