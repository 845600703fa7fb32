// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of a carried array that is read after a write of it, in the order of the text, is read before: then the
// write needs no copy of the array.
// RUN: sluice-opt --split-input-file --allow-unregistered-dialect --codegen-emit-codelets %s | FileCheck %s

// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         scf.while
// CHECK:         } do {
// CHECK-NOT:       memref.copy {{.*}}memref<50x100xf32>
// CHECK:           scf.yield
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r:2 = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> (tensor<50x100xf32>, tensor<100xf32>) {
^bb0(%array: tensor<50x100xf32>, %none: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %last:3 = flow.while (%zero, %array, %none) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<50x100xf32>, %s: tensor<100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a, %s) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<50x100xf32>, %s: tensor<100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.set_row %a, %i, %s : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
    %row = nd.row %a, %i : (tensor<50x100xf32>, tensor<i32>) -> tensor<100xf32>
    %t = nd.add %s, %row : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
    flow.yield %next, %b, %t : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> ()
  }
  flow.yield %last#1, %last#2 : (tensor<50x100xf32>, tensor<100xf32>) -> ()
}

// -----

// What is written depends on what is read of the array before, and that on the array after a write: a copy.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         scf.while
// CHECK:         } do {
// CHECK:           memref.copy {{.*}}memref<50x100xf32>
// CHECK:           scf.yield
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r:2 = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> (tensor<50x100xf32>, tensor<100xf32>) {
^bb0(%array: tensor<50x100xf32>, %none: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %last:3 = flow.while (%zero, %array, %none) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<50x100xf32>, %s: tensor<100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a, %s) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<50x100xf32>, %s: tensor<100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.set_row %a, %i, %s : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
    %zero_row = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %changed = nd.row %b, %zero_row : (tensor<50x100xf32>, tensor<i32>) -> tensor<100xf32>
    %whole = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %sum = nd.reduce_sum %changed, %whole {keep_dims = false} : (tensor<100xf32>, tensor<1xi32>) -> tensor<f32>
    %at = nd.cast %sum : (tensor<f32>) -> tensor<i32>
    %row = nd.row %a, %at : (tensor<50x100xf32>, tensor<i32>) -> tensor<100xf32>
    %t = nd.add %s, %row : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
    flow.yield %next, %b, %t : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> ()
  }
  flow.yield %last#1, %last#2 : (tensor<50x100xf32>, tensor<100xf32>) -> ()
}
