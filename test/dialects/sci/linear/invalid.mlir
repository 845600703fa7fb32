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

// -----
// sci.lu C1
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{failed to verify that all of {input, lu} have same element type}}
%r:2 = sci.lu %v : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf64>, tensor<5x3xi32>)

// -----
// sci.lu C1
%v = "test.value"() : () -> tensor<5x3x3xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r:2 = sci.lu %v : (tensor<5x3x3xi32>) -> (tensor<5x3x3xi32>, tensor<5x3xi32>)

// -----
// sci.lu C2
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{result #1 must be tensor of i32 or i64}}
%r:2 = sci.lu %v : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5x3xf32>)

// -----
// sci.matrix_function C1
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.matrix_function %v {function = "sqrt"} : (tensor<5x3x3xf32>) -> tensor<5x3x3xf64>

// -----
// sci.matrix_function C1
%v = "test.value"() : () -> tensor<5x3x3xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = sci.matrix_function %v {function = "sqrt"} : (tensor<5x3x3xi32>) -> tensor<5x3x3xi32>

// -----
// sci.matrix_function C2
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{expected 'sqrt', 'exp' or 'log' but got 'sin'}}
%r = sci.matrix_function %v {function = "sin"} : (tensor<5x3x3xf32>) -> tensor<5x3x3xf32>

// -----
// sci.matrix_function C3
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{expected complex numbers for 'log' but got 'f32'}}
%r = sci.matrix_function %v {function = "log"} : (tensor<5x3x3xf32>) -> tensor<5x3x3xf32>

// -----
// sci.eig C1
%v = "test.value"() : () -> tensor<5x3x3xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r:2 = sci.eig %v {compute_v = true} : (tensor<5x3x3xi32>) -> (tensor<5x3xcomplex<f32>>, tensor<5x3x3xcomplex<f32>>)

// -----
// sci.eig C2
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{expected eigenvalues of 'complex<f32>' but got 'complex<f64>'}}
%r:2 = sci.eig %v {compute_v = true} : (tensor<5x3x3xf32>) -> (tensor<5x3xcomplex<f64>>, tensor<5x3x3xcomplex<f64>>)

// -----
// sci.eig C3
%v = "test.value"() : () -> tensor<5x3x3xf32>
// expected-error@below {{failed to verify that all of {e, v} have same element type}}
%r:2 = sci.eig %v {compute_v = true} : (tensor<5x3x3xf32>) -> (tensor<5x3xcomplex<f32>>, tensor<5x3x3xcomplex<f64>>)

// -----
// sci.tridiagonal_solve C1
%v:2 = "test.value"() : () -> (tensor<5x3x4xf32>, tensor<5x4x2xf64>)
// expected-error@below {{failed to verify that all of {diagonals, rhs, result} have same element type}}
%r = sci.tridiagonal_solve %v#0, %v#1 {pivoting = true} : (tensor<5x3x4xf32>, tensor<5x4x2xf64>) -> tensor<5x4x2xf32>

// -----
// sci.tridiagonal_solve C1
%v:2 = "test.value"() : () -> (tensor<5x3x4xi32>, tensor<5x4x2xi32>)
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = sci.tridiagonal_solve %v#0, %v#1 {pivoting = true} : (tensor<5x3x4xi32>, tensor<5x4x2xi32>) -> tensor<5x4x2xi32>

// -----
// sci.least_squares C1
%v:3 = "test.value"() : () -> (tensor<5x4x3xf32>, tensor<5x4x2xf64>, tensor<f64>)
// expected-error@below {{failed to verify that all of {matrix, rhs, result} have same element type}}
%r = sci.least_squares %v#0, %v#1, %v#2 {fast = true} : (tensor<5x4x3xf32>, tensor<5x4x2xf64>, tensor<f64>) -> tensor<5x3x2xf32>

// -----
// sci.least_squares C1
%v:3 = "test.value"() : () -> (tensor<5x4x3xi32>, tensor<5x4x2xi32>, tensor<f64>)
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = sci.least_squares %v#0, %v#1, %v#2 {fast = true} : (tensor<5x4x3xi32>, tensor<5x4x2xi32>, tensor<f64>) -> tensor<5x3x2xi32>

// -----
// sci.least_squares C2
%v:3 = "test.value"() : () -> (tensor<5x4x3xf32>, tensor<5x4x2xf32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of f64}}
%r = sci.least_squares %v#0, %v#1, %v#2 {fast = true} : (tensor<5x4x3xf32>, tensor<5x4x2xf32>, tensor<f32>) -> tensor<5x3x2xf32>
