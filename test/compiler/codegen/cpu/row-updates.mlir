// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that a straight line writes into an array on its way to an output: the output may take over
// the memory of the input, and then nothing is copied. Writes come when no guard can fail any more.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets --split-input-file %s | FileCheck %s

// All that computes comes first, then the checks of both indices, then both writes.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-SAME:    codegen.arena_bytes = 448 : i64, codegen.in_place = array<i32: 1, 2>
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// CHECK:         cf.cond_br
// CHECK:         cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         %[[DIFFER:.*]] = llvm.icmp "ne" %{{.*}}, %{{.*}} : !llvm.ptr
// CHECK-NEXT:    scf.if %[[DIFFER]] {
// CHECK-NEXT:      memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK-NEXT:    }
// CHECK:         linalg.generic
// CHECK-SAME:        outs({{.*}} : memref<100xf32, strided<[1], offset: ?>>)
// CHECK:         %[[DIFFER_2:.*]] = llvm.icmp "ne" %{{.*}}, %{{.*}} : !llvm.ptr
// CHECK-NEXT:    scf.if %[[DIFFER_2]] {
// CHECK-NEXT:      memref.copy {{.*}} : memref<60x100xf32> to memref<60x100xf32>
// CHECK-NEXT:    }
// CHECK:         linalg.generic
// CHECK-NOT:     memref.copy
// CHECK:         return
%x, %y, %z, %j = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<60x100xf32>, tensor<100xf32>, tensor<i32>)
%r:2 = flow.codelet (%x, %y, %z, %j) : (tensor<50x100xf32>, tensor<60x100xf32>, tensor<100xf32>, tensor<i32>) -> (tensor<50x100xf32>, tensor<60x100xf32>) {
^bb0(%a: tensor<50x100xf32>, %b: tensor<60x100xf32>, %row: tensor<100xf32>, %i: tensor<i32>):
  %v = nd.set_row %a, %i, %row : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
  %p = nd.mul %row, %row : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
  %w = nd.set_row %b, %i, %p : (tensor<60x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<60x100xf32>
  flow.yield %v, %w : (tensor<50x100xf32>, tensor<60x100xf32>) -> ()
}

// -----

// One write after the other into an array that is made here: it is made where the output lies.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-SAME:    codegen.arena_bytes = 0 : i64
// CHECK-NOT:     memref.copy
// CHECK:         return
%x, %j, %k = "test.inputs"() : () -> (tensor<100xf32>, tensor<i32>, tensor<i32>)
%r = flow.codelet (%x, %j, %k) : (tensor<100xf32>, tensor<i32>, tensor<i32>) -> tensor<50x100xf32> {
^bb0(%row: tensor<100xf32>, %i: tensor<i32>, %next: tensor<i32>):
  %dims = nd.constant {value = dense<[50, 100]> : tensor<2xi32>} : () -> tensor<2xi32>
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %none = nd.fill %dims, %zero : (tensor<2xi32>, tensor<f32>) -> tensor<50x100xf32>
  %one = nd.set_row %none, %i, %row : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
  %two = nd.set_row %one, %next, %row : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
  flow.yield %two : (tensor<50x100xf32>) -> ()
}

// -----

// A row that is read before is copied, since the array changes.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-SAME:    codegen.in_place = array<i32: 1, 0>
// CHECK:         cf.cond_br
// CHECK:         linalg.generic
// CHECK-SAME:        outs(%[[OLD:.*]] : memref<100xf32>)
// CHECK:         cf.cond_br
// CHECK:         scf.if
// CHECK:         linalg.generic
// CHECK-SAME:        ins(%[[ROW:.*]] : memref<100xf32>) outs({{.*}} : memref<100xf32, strided<[1], offset: ?>>)
// CHECK-NOT:     memref.copy
// CHECK:         return
%x, %y, %j = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>, tensor<i32>)
%r:2 = flow.codelet (%x, %y, %j) : (tensor<50x100xf32>, tensor<100xf32>, tensor<i32>) -> (tensor<50x100xf32>, tensor<100xf32>) {
^bb0(%a: tensor<50x100xf32>, %row: tensor<100xf32>, %i: tensor<i32>):
  %old = nd.row %a, %i : (tensor<50x100xf32>, tensor<i32>) -> tensor<100xf32>
  %v = nd.set_row %a, %i, %row : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
  flow.yield %v, %old : (tensor<50x100xf32>, tensor<100xf32>) -> ()
}

// -----

// The array as it was is looked at afterwards, here by way of another look at its memory: no output
// may take it.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-NOT:     codegen.in_place
// CHECK:         scf.if
// CHECK-NEXT:      memref.copy
%x, %y, %j = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>, tensor<i32>)
%r:2 = flow.codelet (%x, %y, %j) : (tensor<50x100xf32>, tensor<100xf32>, tensor<i32>) -> (tensor<50x100xf32>, tensor<100x50xf32>) {
^bb0(%a: tensor<50x100xf32>, %row: tensor<100xf32>, %i: tensor<i32>):
  %order = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %v = nd.set_row %a, %i, %row : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
  %t = nd.transpose %a, %order {conjugate = false} : (tensor<50x100xf32>, tensor<2xi32>) -> tensor<100x50xf32>
  flow.yield %v, %t : (tensor<50x100xf32>, tensor<100x50xf32>) -> ()
}

// -----

// What is written is also needed in between: a copy, as for every op.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-NOT:     codegen.in_place
// CHECK:         memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK:         linalg.generic
// CHECK:           arith.negf
%x, %y, %j = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>, tensor<i32>)
%r:2 = flow.codelet (%x, %y, %j) : (tensor<50x100xf32>, tensor<100xf32>, tensor<i32>) -> (tensor<50x100xf32>, tensor<50x100xf32>) {
^bb0(%a: tensor<50x100xf32>, %row: tensor<100xf32>, %i: tensor<i32>):
  %v = nd.set_row %a, %i, %row : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
  %n = nd.neg %v : (tensor<50x100xf32>) -> tensor<50x100xf32>
  flow.yield %v, %n : (tensor<50x100xf32>, tensor<50x100xf32>) -> ()
}

// -----

// A loop looks at the array and hands it on as it was: no output may take its memory.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-NOT:     codegen.in_place
// CHECK:         scf.while
// CHECK:         scf.if
// CHECK-NEXT:      memref.copy
%x, %y, %j = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>, tensor<i32>)
%r:2 = flow.codelet (%x, %y, %j) : (tensor<50x100xf32>, tensor<100xf32>, tensor<i32>) -> (tensor<50x100xf32>, tensor<50x100xf32>) {
^bb0(%a: tensor<50x100xf32>, %row: tensor<100xf32>, %i: tensor<i32>):
  %n, %same = flow.while (%i, %a) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>) -> (tensor<i32>, tensor<50x100xf32>) before {
  ^bb0(%k: tensor<i32>, %b: tensor<50x100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %k, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%k, %b) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>) -> ()
  } body {
  ^bb0(%k: tensor<i32>, %b: tensor<50x100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next, %b : (tensor<i32>, tensor<50x100xf32>) -> ()
  }
  %v = nd.set_row %a, %i, %row : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
  flow.yield %v, %same : (tensor<50x100xf32>, tensor<50x100xf32>) -> ()
}
