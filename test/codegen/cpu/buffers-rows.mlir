// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that a loop carries and writes a row of stays where it is; it is copied once, before the
// loop, because its first value belongs to somebody else.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK:         scf.while
// CHECK:         } do {
// CHECK-NOT:       memref<50x100xf32> to memref<50x100xf32>
// CHECK:           scf.if
// CHECK:             linalg.generic
// CHECK-SAME:          outs({{.*}} : memref<100xf32, strided<[1], offset: ?>>)
// CHECK-NOT:       memref<50x100xf32> to memref<50x100xf32>
// CHECK:           scf.yield
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> tensor<50x100xf32> {
^bb0(%array: tensor<50x100xf32>, %row: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last = flow.while (%zero, %array) (%row) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<50x100xf32>, %v: tensor<100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<50x100xf32>, %v: tensor<100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = nd.set_row %a, %i, %v : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
    flow.yield %next, %w : (tensor<i32>, tensor<50x100xf32>) -> ()
  }
  flow.yield %last : (tensor<50x100xf32>) -> ()
}

// -----

// The array as it was is asked for after the write: so the write makes a new one.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         } do {
// CHECK:           memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK:           scf.yield
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> tensor<100xf32> {
^bb0(%array: tensor<50x100xf32>, %row: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last, %v0 = flow.while (%zero, %array, %row) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<50x100xf32>, %v: tensor<100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a, %v) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<50x100xf32>, %v: tensor<100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = nd.set_row %a, %i, %v : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
    %old = nd.row %a, %i : (tensor<50x100xf32>, tensor<i32>) -> tensor<100xf32>
    flow.yield %next, %w, %old : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> ()
  }
  flow.yield %v0 : (tensor<100xf32>) -> ()
}
