// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products onto a matrix that a loop carries are added in its memory, some of them at a time.
// RUN: sluice-opt --split-input-file --allow-unregistered-dialect --codegen-emit-codelets %s | FileCheck %s

// Two in an iteration are one chain.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         llvm.store %c0_i64{{.*}}, %[[KEPT:.*]] : i64, !llvm.ptr
// CHECK:         scf.while
// CHECK:         } do {
// CHECK:           llvm.call @sluice_gemm_keep_f32({{.*}}, %[[KEPT]])
// CHECK:           llvm.call @sluice_gemm_keep_f32({{.*}}, %[[KEPT]])
// CHECK-NOT:     memref.copy
// CHECK:         llvm.call @sluice_gemm_kept_f32({{.*}}, %[[KEPT]])
// CHECK:         return
%x, %y, %start0 = "test.inputs"() : () -> (tensor<4x32xf32>, tensor<4x48xf32>, tensor<32x48xf32>)
%r = flow.codelet (%x, %y, %start0) : (tensor<4x32xf32>, tensor<4x48xf32>, tensor<32x48xf32>) -> tensor<32x48xf32> {
^bb0(%a: tensor<4x32xf32>, %b: tensor<4x48xf32>, %start: tensor<32x48xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last = flow.while (%zero, %start) (%a, %b) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<32x48xf32>, tensor<4x32xf32>, tensor<4x48xf32>) -> (tensor<i32>, tensor<32x48xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<32x48xf32>, %u0: tensor<4x32xf32>, %v0: tensor<4x48xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<32x48xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<32x48xf32>, %u0: tensor<4x32xf32>, %v0: tensor<4x48xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.matmul_onto %s, %u0, %v0 {transpose_lhs = true, transpose_rhs = false} : (tensor<32x48xf32>, tensor<4x32xf32>, tensor<4x48xf32>) -> tensor<32x48xf32>
    %u = nd.matmul_onto %t, %u0, %v0 {transpose_lhs = true, transpose_rhs = false} : (tensor<32x48xf32>, tensor<4x32xf32>, tensor<4x48xf32>) -> tensor<32x48xf32>
    flow.yield %next, %u : (tensor<i32>, tensor<32x48xf32>) -> ()
  }
  flow.yield %last : (tensor<32x48xf32>) -> ()
}

// -----

// Somebody looks at the sum in the loop, so it is there in each iteration.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-NOT:     sluice_gemm_keep
// CHECK:         llvm.call @sluice_gemm_f32
// CHECK-NOT:     sluice_gemm_kept
%x, %y, %start0 = "test.inputs"() : () -> (tensor<4x32xf32>, tensor<4x48xf32>, tensor<32x48xf32>)
%r = flow.codelet (%x, %y, %start0) : (tensor<4x32xf32>, tensor<4x48xf32>, tensor<32x48xf32>) -> tensor<32x48xf32> {
^bb0(%a: tensor<4x32xf32>, %b: tensor<4x48xf32>, %start: tensor<32x48xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last = flow.while (%zero, %start) (%a, %b) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<32x48xf32>, tensor<4x32xf32>, tensor<4x48xf32>) -> (tensor<i32>, tensor<32x48xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<32x48xf32>, %u0: tensor<4x32xf32>, %v0: tensor<4x48xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<32x48xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<32x48xf32>, %u0: tensor<4x32xf32>, %v0: tensor<4x48xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.matmul_onto %s, %u0, %v0 {transpose_lhs = true, transpose_rhs = false} : (tensor<32x48xf32>, tensor<4x32xf32>, tensor<4x48xf32>) -> tensor<32x48xf32>
    %u = nd.tanh %t : (tensor<32x48xf32>) -> tensor<32x48xf32>
    flow.yield %next, %u : (tensor<i32>, tensor<32x48xf32>) -> ()
  }
  flow.yield %last : (tensor<32x48xf32>) -> ()
}

// -----

// Out of loops it is a copy and a product onto it.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         memref.copy
// CHECK:         llvm.call @sluice_gemm_f32
%x, %y, %start0 = "test.inputs"() : () -> (tensor<4x32xf32>, tensor<4x48xf32>, tensor<32x48xf32>)
%r = flow.codelet (%x, %y, %start0) : (tensor<4x32xf32>, tensor<4x48xf32>, tensor<32x48xf32>) -> tensor<32x48xf32> {
^bb0(%a: tensor<4x32xf32>, %b: tensor<4x48xf32>, %start: tensor<32x48xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %t = nd.matmul_onto %start, %a, %b {transpose_lhs = true, transpose_rhs = false} : (tensor<32x48xf32>, tensor<4x32xf32>, tensor<4x48xf32>) -> tensor<32x48xf32>
  flow.yield %t : (tensor<32x48xf32>) -> ()
}
