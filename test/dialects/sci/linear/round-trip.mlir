// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every sci linear op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0 = "test.value"() : () -> tensor<5x3x3xf32>
// CHECK: sci.cholesky %{{.*}} : (tensor<5x3x3xf32>) -> tensor<5x3x3xf32>
%r0 = sci.cholesky %v0 : (tensor<5x3x3xf32>) -> tensor<5x3x3xf32>

%v1 = "test.value"() : () -> tensor<5x3x3xf32>
// CHECK: sci.matrix_inverse %{{.*}} {adjoint = false} : (tensor<5x3x3xf32>) -> tensor<5x3x3xf32>
%r1 = sci.matrix_inverse %v1 {adjoint = false} : (tensor<5x3x3xf32>) -> tensor<5x3x3xf32>

%v2 = "test.value"() : () -> tensor<5x3x3xf32>
// CHECK: sci.determinant %{{.*}} : (tensor<5x3x3xf32>) -> tensor<5xf32>
%r2 = sci.determinant %v2 : (tensor<5x3x3xf32>) -> tensor<5xf32>

%v3 = "test.value"() : () -> tensor<5x3x3xf32>
// CHECK: sci.log_determinant %{{.*}} : (tensor<5x3x3xf32>) -> (tensor<5xf32>, tensor<5xf32>)
%r3:2 = sci.log_determinant %v3 : (tensor<5x3x3xf32>) -> (tensor<5xf32>, tensor<5xf32>)

%v4:2 = "test.value"() : () -> (tensor<5x3x3xf32>, tensor<5x3x2xf32>)
// CHECK: sci.matrix_solve %{{.*}}, %{{.*}} {adjoint = false} : (tensor<5x3x3xf32>, tensor<5x3x2xf32>) -> tensor<5x3x2xf32>
%r4 = sci.matrix_solve %v4#0, %v4#1 {adjoint = false} : (tensor<5x3x3xf32>, tensor<5x3x2xf32>) -> tensor<5x3x2xf32>

%v5:2 = "test.value"() : () -> (tensor<5x3x3xf32>, tensor<3x2xf32>)
// CHECK: sci.triangular_solve %{{.*}}, %{{.*}} {adjoint = false, lower = true} : (tensor<5x3x3xf32>, tensor<3x2xf32>) -> tensor<5x3x2xf32>
%r5 = sci.triangular_solve %v5#0, %v5#1 {adjoint = false, lower = true} : (tensor<5x3x3xf32>, tensor<3x2xf32>) -> tensor<5x3x2xf32>

%v6 = "test.value"() : () -> tensor<5x4x3xf32>
// CHECK: sci.qr %{{.*}} {full_matrices = false} : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3x3xf32>)
%r6:2 = sci.qr %v6 {full_matrices = false} : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3x3xf32>)

%v7 = "test.value"() : () -> tensor<5x4x3xf32>
// CHECK: sci.svd %{{.*}} {compute_uv = true, full_matrices = false} : (tensor<5x4x3xf32>) -> (tensor<5x3xf32>, tensor<5x4x3xf32>, tensor<5x3x3xf32>)
%r7:3 = sci.svd %v7 {compute_uv = true, full_matrices = false} : (tensor<5x4x3xf32>) -> (tensor<5x3xf32>, tensor<5x4x3xf32>, tensor<5x3x3xf32>)

%v8 = "test.value"() : () -> tensor<5x3x3xf32>
// CHECK: sci.self_adjoint_eig %{{.*}} {compute_v = true} : (tensor<5x3x3xf32>) -> (tensor<5x3xf32>, tensor<5x3x3xf32>)
%r8:2 = sci.self_adjoint_eig %v8 {compute_v = true} : (tensor<5x3x3xf32>) -> (tensor<5x3xf32>, tensor<5x3x3xf32>)

%v9 = "test.value"() : () -> tensor<5x3x3xf32>
// CHECK: sci.lu %{{.*}} : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5x3xi32>)
%r9:2 = sci.lu %v9 : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5x3xi32>)

%v10 = "test.value"() : () -> tensor<5x3x3xf32>
// CHECK: sci.matrix_function %{{.*}} {function = "sqrt"} : (tensor<5x3x3xf32>) -> tensor<5x3x3xf32>
%r10 = sci.matrix_function %v10 {function = "sqrt"} : (tensor<5x3x3xf32>) -> tensor<5x3x3xf32>

%v11 = "test.value"() : () -> tensor<5x3x3xf32>
// CHECK: sci.eig %{{.*}} {compute_v = true} : (tensor<5x3x3xf32>) -> (tensor<5x3xcomplex<f32>>, tensor<5x3x3xcomplex<f32>>)
%r11:2 = sci.eig %v11 {compute_v = true} : (tensor<5x3x3xf32>) -> (tensor<5x3xcomplex<f32>>, tensor<5x3x3xcomplex<f32>>)

%v12:2 = "test.value"() : () -> (tensor<5x3x4xf32>, tensor<5x4x2xf32>)
// CHECK: sci.tridiagonal_solve %{{.*}}, %{{.*}} {pivoting = true} : (tensor<5x3x4xf32>, tensor<5x4x2xf32>) -> tensor<5x4x2xf32>
%r12 = sci.tridiagonal_solve %v12#0, %v12#1 {pivoting = true} : (tensor<5x3x4xf32>, tensor<5x4x2xf32>) -> tensor<5x4x2xf32>

%v13:3 = "test.value"() : () -> (tensor<5x4x3xf32>, tensor<5x4x2xf32>, tensor<f64>)
// CHECK: sci.least_squares %{{.*}}, %{{.*}}, %{{.*}} {fast = true} : (tensor<5x4x3xf32>, tensor<5x4x2xf32>, tensor<f64>) -> tensor<5x3x2xf32>
%r13 = sci.least_squares %v13#0, %v13#1, %v13#2 {fast = true} : (tensor<5x4x3xf32>, tensor<5x4x2xf32>, tensor<f64>) -> tensor<5x3x2xf32>
