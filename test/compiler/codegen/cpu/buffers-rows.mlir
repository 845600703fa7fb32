// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that a loop carries and writes a row of stays where it is, which is the output's memory. It
// is copied there once, before the loop, unless the output took over the memory of the input.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-SAME:    codegen.arena_bytes = 0 : i64, codegen.in_place = array<i32: 1>
// CHECK:         %[[DIFFER:.*]] = llvm.icmp "ne" %{{.*}}, %{{.*}} : !llvm.ptr
// CHECK-NEXT:    scf.if %[[DIFFER]] {
// CHECK-NEXT:      memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK-NEXT:    }
// CHECK:         scf.while
// CHECK:         } do {
// CHECK-NOT:       memref<50x100xf32> to memref<50x100xf32>
// CHECK:           scf.if
// CHECK:             linalg.generic
// CHECK-SAME:          outs({{.*}} : memref<100xf32, strided<[1], offset: ?>>)
// CHECK-NOT:       memref<50x100xf32> to memref<50x100xf32>
// CHECK:           scf.yield
// CHECK-NOT:     memref.copy
// CHECK:         return
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

// The array as it was is also an output: no output may take its memory.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-NOT:     codegen.in_place
// CHECK:         scf.while
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r:2 = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> (tensor<50x100xf32>, tensor<50x100xf32>) {
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
  flow.yield %last, %array : (tensor<50x100xf32>, tensor<50x100xf32>) -> ()
}

// -----

// The inner loop's array is the outer loop's, which is the output: no copy but the first.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-SAME:    codegen.arena_bytes = 0 : i64
// CHECK-SAME:    codegen.in_place = array<i32: 1>
// CHECK:         memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK:         scf.while
// CHECK-NOT:     memref<50x100xf32> to memref<50x100xf32>
// CHECK:         return
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> tensor<50x100xf32> {
^bb0(%array: tensor<50x100xf32>, %row: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last = flow.while (%zero, %array) (%row) {frame = "outer", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<50x100xf32>, %v: tensor<100xf32>):
    %limit = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<50x100xf32>, %v: tensor<100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %m, %inner = flow.while (%i, %a) (%v) {frame = "inner", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>) before {
    ^bb0(%j: tensor<i32>, %b: tensor<50x100xf32>, %w: tensor<100xf32>):
      %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
      %p = nd.less %j, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%j, %b) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>) -> ()
    } body {
    ^bb0(%j: tensor<i32>, %b: tensor<50x100xf32>, %w: tensor<100xf32>):
      %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %k = nd.add %j, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %c = nd.set_row %b, %j, %w : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
      flow.yield %k, %c : (tensor<i32>, tensor<50x100xf32>) -> ()
    }
    flow.yield %next, %inner : (tensor<i32>, tensor<50x100xf32>) -> ()
  }
  flow.yield %last : (tensor<50x100xf32>) -> ()
}
