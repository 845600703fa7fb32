// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every nd matmul op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<4x3xf32>)
// CHECK: nd.matmul %{{.*}}, %{{.*}} {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
%r0 = nd.matmul %v0#0, %v0#1 {transpose_lhs = false, transpose_rhs = true, adjoint_lhs = false, adjoint_rhs = false} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>

%v1:3 = "test.value"() : () -> (tensor<3x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>)
// CHECK: nd.matmul_onto %{{.*}}, %{{.*}}, %{{.*}} {transpose_lhs = true, transpose_rhs = false} : (tensor<3x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
%r1 = nd.matmul_onto %v1#0, %v1#1, %v1#2 {transpose_lhs = true, transpose_rhs = false} : (tensor<3x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
