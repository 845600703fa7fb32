// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices are calls of the runtime; batches are loops around them, in which an operand
// that repeats stays where it is.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets --split-input-file %s | FileCheck %s

// One product: (m, n, k, a, lda, transposed a, b, ldb, transposed b, c, ldc, accumulate).
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-NOT:     scf.for
// CHECK:         %[[M:.*]] = arith.index_cast %c20 : index to i64
// CHECK-NEXT:    %[[N:.*]] = arith.index_cast %c30 : index to i64
// CHECK-NEXT:    %[[K:.*]] = arith.index_cast %c10 : index to i64
// CHECK-NEXT:    %[[LDA:.*]] = arith.index_cast %c20{{.*}} : index to i64
// CHECK-NEXT:    %[[YES:.*]] = arith.constant 1 : i32
// CHECK-NEXT:    %[[LDB:.*]] = arith.index_cast %c30{{.*}} : index to i64
// CHECK-NEXT:    %[[NO:.*]] = arith.constant 0 : i32
// CHECK:         call @sluice_gemm_f32(%[[M]], %[[N]], %[[K]], %{{.*}}, %[[LDA]], %[[YES]], %{{.*}}, %[[LDB]], %[[NO]], %{{.*}}, %[[N]], %{{.*}})
%x, %y = "test.inputs"() : () -> (tensor<10x20xf32>, tensor<10x30xf32>)
%r = flow.codelet (%x, %y) : (tensor<10x20xf32>, tensor<10x30xf32>) -> tensor<20x30xf32> {
^bb0(%a: tensor<10x20xf32>, %b: tensor<10x30xf32>):
  %p = nd.matmul %a, %b {transpose_lhs = true, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<10x20xf32>, tensor<10x30xf32>) -> tensor<20x30xf32>
  flow.yield %p : (tensor<20x30xf32>) -> ()
}

// -----

// Batches side by side.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           %[[A:.*]] = arith.muli %[[I]]
// CHECK:           getelementptr
// CHECK:           %[[B:.*]] = arith.muli %[[I]]
// CHECK:           getelementptr
// CHECK:           %[[C:.*]] = arith.muli %[[I]]
// CHECK:           getelementptr
// CHECK-NOT:       scf.for
// CHECK:           call @sluice_gemm_f64
%x, %y = "test.inputs"() : () -> (tensor<4x5x8x9xf64>, tensor<4x5x9x7xf64>)
%r = flow.codelet (%x, %y) : (tensor<4x5x8x9xf64>, tensor<4x5x9x7xf64>) -> tensor<4x5x8x7xf64> {
^bb0(%a: tensor<4x5x8x9xf64>, %b: tensor<4x5x9x7xf64>):
  %p = nd.matmul %a, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x5x8x9xf64>, tensor<4x5x9x7xf64>) -> tensor<4x5x8x7xf64>
  flow.yield %p : (tensor<4x5x8x7xf64>) -> ()
}

// -----

// All rows meet one right matrix, whether it has a batch of 1 or none: they are one matrix of 32.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-DAG:     %[[ROWS:.*]] = arith.constant 32 : index
// CHECK-NOT:     scf.for
// CHECK:         %[[M:.*]] = arith.index_cast %[[ROWS]] : index to i64
// CHECK:         call @sluice_gemm_f32(%[[M]], {{.*}})
// CHECK-NOT:     scf.for
// CHECK:         %[[M2:.*]] = arith.index_cast %[[ROWS]] : index to i64
// CHECK:         call @sluice_gemm_f32(%[[M2]], {{.*}})
%x, %y, %z = "test.inputs"() : () -> (tensor<4x8x9xf32>, tensor<1x9x10xf32>, tensor<9x10xf32>)
%r:2 = flow.codelet (%x, %y, %z) : (tensor<4x8x9xf32>, tensor<1x9x10xf32>, tensor<9x10xf32>) -> (tensor<4x8x10xf32>, tensor<4x8x10xf32>) {
^bb0(%a: tensor<4x8x9xf32>, %b: tensor<1x9x10xf32>, %c: tensor<9x10xf32>):
  %p = nd.matmul %a, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x8x9xf32>, tensor<1x9x10xf32>) -> tensor<4x8x10xf32>
  %q = nd.matmul %a, %c {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x8x9xf32>, tensor<9x10xf32>) -> tensor<4x8x10xf32>
  flow.yield %p, %q : (tensor<4x8x10xf32>, tensor<4x8x10xf32>) -> ()
}

// -----

// The left operand repeats along the inner batch dim, the right one along the outer.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         scf.for %[[I:.*]] =
// CHECK-COUNT-2:   arith.muli %[[I]]
// CHECK-NOT:       arith.muli %[[I]]
// CHECK:           scf.for %[[J:.*]] =
// CHECK-COUNT-2:     arith.muli %[[J]]
// CHECK-NOT:         arith.muli %[[J]]
// CHECK:             call @sluice_gemm_f32
%x, %y = "test.inputs"() : () -> (tensor<5x1x8x9xf32>, tensor<4x9x10xf32>)
%r = flow.codelet (%x, %y) : (tensor<5x1x8x9xf32>, tensor<4x9x10xf32>) -> tensor<5x4x8x10xf32> {
^bb0(%a: tensor<5x1x8x9xf32>, %b: tensor<4x9x10xf32>):
  %p = nd.matmul %a, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<5x1x8x9xf32>, tensor<4x9x10xf32>) -> tensor<5x4x8x10xf32>
  flow.yield %p : (tensor<5x4x8x10xf32>) -> ()
}

// -----

// Transposed matrices cannot be joined by rows, so they are multiplied one by one.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         scf.for %[[I:.*]] =
// CHECK-COUNT-2:   arith.muli %[[I]]
// CHECK-NOT:       arith.muli %[[I]]
// CHECK:           call @sluice_gemm_f32
%x, %y = "test.inputs"() : () -> (tensor<4x9x8xf32>, tensor<9x10xf32>)
%r = flow.codelet (%x, %y) : (tensor<4x9x8xf32>, tensor<9x10xf32>) -> tensor<4x8x10xf32> {
^bb0(%a: tensor<4x9x8xf32>, %b: tensor<9x10xf32>):
  %p = nd.matmul %a, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = true, adjoint_rhs = false} : (tensor<4x9x8xf32>, tensor<9x10xf32>) -> tensor<4x8x10xf32>
  flow.yield %p : (tensor<4x8x10xf32>) -> ()
}

// -----

// Sizes that are not known are equal, or it is for the kernel: also if one of them turns out to be 1.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         scf.for
// CHECK:           call @sluice_gemm_f32
// CHECK-LABEL: func.func @{{.*}}_sizes
// CHECK:         %[[OTHER:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK:         arith.cmpi eq
// CHECK:         cf.cond_br
%x, %y = "test.inputs"() : () -> (tensor<?x8x9xf32>, tensor<?x9x10xf32>)
%r = flow.codelet (%x, %y) : (tensor<?x8x9xf32>, tensor<?x9x10xf32>) -> tensor<?x8x10xf32> {
^bb0(%a: tensor<?x8x9xf32>, %b: tensor<?x9x10xf32>):
  %p = nd.matmul %a, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<?x8x9xf32>, tensor<?x9x10xf32>) -> tensor<?x8x10xf32>
  flow.yield %p : (tensor<?x8x10xf32>) -> ()
}

// -----

// What cannot be multiplied has no code.
// CHECK-NOT: func.func
%x, %y = "test.inputs"() : () -> (tensor<4x8x9xf32>, tensor<3x9x10xf32>)
%r = flow.codelet (%x, %y) : (tensor<4x8x9xf32>, tensor<3x9x10xf32>) -> tensor<4x8x10xf32> {
^bb0(%a: tensor<4x8x9xf32>, %b: tensor<3x9x10xf32>):
  %p = nd.matmul %a, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<4x8x9xf32>, tensor<3x9x10xf32>) -> tensor<4x8x10xf32>
  flow.yield %p : (tensor<4x8x10xf32>) -> ()
}
