// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same of 16-bit floats, of which memory has the bits: the runtime's functions bear their names.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets %s | FileCheck %s

// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         llvm.call @sluice_keep_b_f16
// CHECK-NOT:     llvm.call @sluice_keep_b_f16
// CHECK:         scf.while
// CHECK:         } do {
// CHECK-COUNT-2:   llvm.call @sluice_gemm_packed_f16
// CHECK-NOT:     sluice_gemm
// CHECK:         return
%x, %weights = "test.inputs"() : () -> (tensor<16x32xf16>, tensor<32x32xf16>)
%r = flow.codelet (%x, %weights) : (tensor<16x32xf16>, tensor<32x32xf16>) -> tensor<16x32xf16> {
^bb0(%first: tensor<16x32xf16>, %matrix: tensor<32x32xf16>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last = flow.while (%zero, %first) (%matrix) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<16x32xf16>, tensor<32x32xf16>) -> (tensor<i32>, tensor<16x32xf16>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<16x32xf16>, %w: tensor<32x32xf16>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a) : (tensor<i1>, tensor<i32>, tensor<16x32xf16>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<16x32xf16>, %w: tensor<32x32xf16>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.matmul %a, %w {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<16x32xf16>, tensor<32x32xf16>) -> tensor<16x32xf16>
    %c = nd.matmul %b, %w {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<16x32xf16>, tensor<32x32xf16>) -> tensor<16x32xf16>
    flow.yield %next, %c : (tensor<i32>, tensor<16x32xf16>) -> ()
  }
  flow.yield %last : (tensor<16x32xf16>) -> ()
}
