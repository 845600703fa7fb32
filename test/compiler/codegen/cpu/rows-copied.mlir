// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of loops whose rows cannot be written where they lie: each write makes a copy in the body. Looks
// at single rows and at the size before the write are no reason.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets --split-input-file %s | FileCheck %s

// Two variables go on with the array.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         } do {
// CHECK:           memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK:           scf.yield
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r:2 = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> (tensor<50x100xf32>, tensor<50x100xf32>) {
^bb0(%array: tensor<50x100xf32>, %row: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last0, %last1 = flow.while (%zero, %array, %array) (%row)
      {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) before {
  ^bb0(%i: tensor<i32>, %a0: tensor<50x100xf32>, %a1: tensor<50x100xf32>, %v: tensor<100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a0, %a1) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %b0: tensor<50x100xf32>, %b1: tensor<50x100xf32>, %v: tensor<100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = nd.set_row %b0, %i, %v : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
    flow.yield %next, %w, %w : (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) -> ()
  }
  flow.yield %last0, %last1 : (tensor<50x100xf32>, tensor<50x100xf32>) -> ()
}

// -----

// The body gets the array twice.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         } do {
// CHECK:           memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK:           scf.yield
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r:2 = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> (tensor<50x100xf32>, tensor<50x100xf32>) {
^bb0(%array: tensor<50x100xf32>, %row: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last0, %last1 = flow.while (%zero, %array, %array) (%row)
      {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) before {
  ^bb0(%i: tensor<i32>, %a0: tensor<50x100xf32>, %a1: tensor<50x100xf32>, %v: tensor<100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a0, %a0) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %b0: tensor<50x100xf32>, %b1: tensor<50x100xf32>, %v: tensor<100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = nd.set_row %b0, %i, %v : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
    %s = nd.add %b1, %w : (tensor<50x100xf32>, tensor<50x100xf32>) -> tensor<50x100xf32>
    flow.yield %next, %w, %s : (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) -> ()
  }
  flow.yield %last0, %last1 : (tensor<50x100xf32>, tensor<50x100xf32>) -> ()
}

// -----

// The array goes on as another variable.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         } do {
// CHECK:           memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK:           scf.yield
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r:2 = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> (tensor<50x100xf32>, tensor<50x100xf32>) {
^bb0(%array: tensor<50x100xf32>, %row: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last0, %last1 = flow.while (%zero, %array, %array) (%row)
      {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) before {
  ^bb0(%i: tensor<i32>, %a0: tensor<50x100xf32>, %a1: tensor<50x100xf32>, %v: tensor<100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a0, %a1) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %b0: tensor<50x100xf32>, %b1: tensor<50x100xf32>, %v: tensor<100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = nd.set_row %b0, %i, %v : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
    flow.yield %next, %b1, %w : (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) -> ()
  }
  flow.yield %last0, %last1 : (tensor<50x100xf32>, tensor<50x100xf32>) -> ()
}

// -----

// The array is one from outside.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         } do {
// CHECK:           memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK:           scf.yield
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> tensor<50x100xf32> {
^bb0(%array: tensor<50x100xf32>, %row: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last0 = flow.while (%zero, %array) (%row, %array)
      {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>, tensor<50x100xf32>) -> (tensor<i32>, tensor<50x100xf32>) before {
  ^bb0(%i: tensor<i32>, %a0: tensor<50x100xf32>, %v: tensor<100xf32>, %z: tensor<50x100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a0) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %b0: tensor<50x100xf32>, %v: tensor<100xf32>, %z: tensor<50x100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = nd.set_row %z, %i, %v : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
    %s = nd.add %b0, %w : (tensor<50x100xf32>, tensor<50x100xf32>) -> tensor<50x100xf32>
    flow.yield %next, %s : (tensor<i32>, tensor<50x100xf32>) -> ()
  }
  flow.yield %last0 : (tensor<50x100xf32>) -> ()
}

// -----

// What is written is not what goes on.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         } do {
// CHECK:           memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK:           scf.yield
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> tensor<50x100xf32> {
^bb0(%array: tensor<50x100xf32>, %row: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last0 = flow.while (%zero, %array) (%row)
      {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>) before {
  ^bb0(%i: tensor<i32>, %a0: tensor<50x100xf32>, %v: tensor<100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a0) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %b0: tensor<50x100xf32>, %v: tensor<100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = nd.set_row %b0, %i, %v : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
    %s = nd.neg %w : (tensor<50x100xf32>) -> tensor<50x100xf32>
    flow.yield %next, %s : (tensor<i32>, tensor<50x100xf32>) -> ()
  }
  flow.yield %last0 : (tensor<50x100xf32>) -> ()
}

// -----

// All of the array is looked at.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         } do {
// CHECK:           memref.copy {{.*}} : memref<50x100xf32> to memref<50x100xf32>
// CHECK:           scf.yield
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r:2 = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> (tensor<50x100xf32>, tensor<50x100xf32>) {
^bb0(%array: tensor<50x100xf32>, %row: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last0, %last1 = flow.while (%zero, %array, %array) (%row)
      {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) before {
  ^bb0(%i: tensor<i32>, %a0: tensor<50x100xf32>, %a1: tensor<50x100xf32>, %v: tensor<100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a0, %a1) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %b0: tensor<50x100xf32>, %b1: tensor<50x100xf32>, %v: tensor<100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %o = nd.neg %b0 : (tensor<50x100xf32>) -> tensor<50x100xf32>
    %w = nd.set_row %b0, %i, %v : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
    %s = nd.add %b1, %o : (tensor<50x100xf32>, tensor<50x100xf32>) -> tensor<50x100xf32>
    flow.yield %next, %w, %s : (tensor<i32>, tensor<50x100xf32>, tensor<50x100xf32>) -> ()
  }
  flow.yield %last0, %last1 : (tensor<50x100xf32>, tensor<50x100xf32>) -> ()
}

// -----

// A row is looked at, and the size.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         } do {
// CHECK-NOT:       memref.copy
// CHECK:           scf.yield
%x, %y = "test.inputs"() : () -> (tensor<50x100xf32>, tensor<100xf32>)
%r = flow.codelet (%x, %y) : (tensor<50x100xf32>, tensor<100xf32>) -> tensor<50x100xf32> {
^bb0(%array: tensor<50x100xf32>, %row: tensor<100xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n, %last0 = flow.while (%zero, %array) (%row)
      {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<50x100xf32>, tensor<100xf32>) -> (tensor<i32>, tensor<50x100xf32>) before {
  ^bb0(%i: tensor<i32>, %a0: tensor<50x100xf32>, %v: tensor<100xf32>):
    %limit = nd.constant {value = dense<50> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a0) : (tensor<i1>, tensor<i32>, tensor<50x100xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %b0: tensor<50x100xf32>, %v: tensor<100xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %o = nd.row %b0, %i : (tensor<50x100xf32>, tensor<i32>) -> tensor<100xf32>
    %d = nd.size %b0 : (tensor<50x100xf32>) -> tensor<i32>
    %k = nd.minimum %i, %d : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = nd.set_row %b0, %k, %o : (tensor<50x100xf32>, tensor<i32>, tensor<100xf32>) -> tensor<50x100xf32>
    flow.yield %next, %w : (tensor<i32>, tensor<50x100xf32>) -> ()
  }
  flow.yield %last0 : (tensor<50x100xf32>) -> ()
}
