// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose products are not known ahead, or not worth it.
// RUN: sluice-opt %s --allow-unregistered-dialect -split-input-file --codegen-multiply-ahead | FileCheck %s

// It counts up, to a number that it does not know is far enough.
// CHECK-LABEL: flow.codelet
// CHECK: flow.while
// CHECK-NOT: flow.while
// CHECK: flow.yield
%n, %x, %w, %tape = "test.inputs"() : () -> (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>)
%r = flow.codelet (%n, %x, %w, %tape) : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>) -> tensor<3x40xf32> {
^bb0(%count: tensor<i32>, %start: tensor<3x40xf32>, %matrix: tensor<40x40xf32>, %list: !list.of<tensor<3x40xf32>>):
  list.cell_open %list {cell = 0 : i64, element = tensor<3x40xf32>} : (!list.of<tensor<3x40xf32>>) -> ()
  %last:2 = flow.while (%count, %start) (%matrix) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>) -> (tensor<i32>, tensor<3x40xf32>) before {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %k, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%k, %s) : (tensor<i1>, tensor<i32>, tensor<3x40xf32>) -> ()
  } body {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %less = nd.add %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<3x40xf32>
    %m = nd.matmul %v, %c {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x40xf32>, tensor<40x40xf32>) -> tensor<3x40xf32>
    %u = nd.mul %s, %m : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
    flow.yield %less, %u : (tensor<i32>, tensor<3x40xf32>) -> ()
  }
  flow.yield %last#1 : (tensor<3x40xf32>) -> ()
}

// -----

// Two at a time.
// CHECK-LABEL: flow.codelet
// CHECK: flow.while
// CHECK-NOT: flow.while
// CHECK: flow.yield
%n, %x, %w, %tape = "test.inputs"() : () -> (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>)
%r = flow.codelet (%n, %x, %w, %tape) : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>) -> tensor<3x40xf32> {
^bb0(%count: tensor<i32>, %start: tensor<3x40xf32>, %matrix: tensor<40x40xf32>, %list: !list.of<tensor<3x40xf32>>):
  list.cell_open %list {cell = 0 : i64, element = tensor<3x40xf32>} : (!list.of<tensor<3x40xf32>>) -> ()
  %last:2 = flow.while (%count, %start) (%matrix) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>) -> (tensor<i32>, tensor<3x40xf32>) before {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %k, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%k, %s) : (tensor<i1>, tensor<i32>, tensor<3x40xf32>) -> ()
  } body {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.add %one, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %less = nd.sub %k, %two : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<3x40xf32>
    %m = nd.matmul %v, %c {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x40xf32>, tensor<40x40xf32>) -> tensor<3x40xf32>
    %u = nd.mul %s, %m : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
    flow.yield %less, %u : (tensor<i32>, tensor<3x40xf32>) -> ()
  }
  flow.yield %last#1 : (tensor<3x40xf32>) -> ()
}

// -----

// The left operand is what the iteration before has made.
// CHECK-LABEL: flow.codelet
// CHECK: flow.while
// CHECK-NOT: flow.while
// CHECK: flow.yield
%n, %x, %w, %tape = "test.inputs"() : () -> (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>)
%r = flow.codelet (%n, %x, %w, %tape) : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>) -> tensor<3x40xf32> {
^bb0(%count: tensor<i32>, %start: tensor<3x40xf32>, %matrix: tensor<40x40xf32>, %list: !list.of<tensor<3x40xf32>>):
  list.cell_open %list {cell = 0 : i64, element = tensor<3x40xf32>} : (!list.of<tensor<3x40xf32>>) -> ()
  %last:2 = flow.while (%count, %start) (%matrix) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>) -> (tensor<i32>, tensor<3x40xf32>) before {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %k, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%k, %s) : (tensor<i1>, tensor<i32>, tensor<3x40xf32>) -> ()
  } body {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %less = nd.sub %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %u = nd.matmul %s, %c {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x40xf32>, tensor<40x40xf32>) -> tensor<3x40xf32>
    flow.yield %less, %u : (tensor<i32>, tensor<3x40xf32>) -> ()
  }
  flow.yield %last#1 : (tensor<3x40xf32>) -> ()
}

// -----

// An iteration pops two elements.
// CHECK-LABEL: flow.codelet
// CHECK: flow.while
// CHECK-NOT: flow.while
// CHECK: flow.yield
%n, %x, %w, %tape = "test.inputs"() : () -> (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>)
%r = flow.codelet (%n, %x, %w, %tape) : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>) -> tensor<3x40xf32> {
^bb0(%count: tensor<i32>, %start: tensor<3x40xf32>, %matrix: tensor<40x40xf32>, %list: !list.of<tensor<3x40xf32>>):
  list.cell_open %list {cell = 0 : i64, element = tensor<3x40xf32>} : (!list.of<tensor<3x40xf32>>) -> ()
  %last:2 = flow.while (%count, %start) (%matrix) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>) -> (tensor<i32>, tensor<3x40xf32>) before {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %k, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%k, %s) : (tensor<i1>, tensor<i32>, tensor<3x40xf32>) -> ()
  } body {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %less = nd.sub %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<3x40xf32>
    %a = list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<3x40xf32>
    %m = nd.matmul %v, %c {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x40xf32>, tensor<40x40xf32>) -> tensor<3x40xf32>
    %b = nd.mul %a, %m : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
    %u = nd.mul %s, %b : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
    flow.yield %less, %u : (tensor<i32>, tensor<3x40xf32>) -> ()
  }
  flow.yield %last#1 : (tensor<3x40xf32>) -> ()
}

// -----

// It pushes as well, so what later iterations pop is not there yet.
// CHECK-LABEL: flow.codelet
// CHECK: flow.while
// CHECK-NOT: flow.while
// CHECK: flow.yield
%n, %x, %w, %tape = "test.inputs"() : () -> (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>)
%r = flow.codelet (%n, %x, %w, %tape) : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>) -> tensor<3x40xf32> {
^bb0(%count: tensor<i32>, %start: tensor<3x40xf32>, %matrix: tensor<40x40xf32>, %list: !list.of<tensor<3x40xf32>>):
  list.cell_open %list {cell = 0 : i64, element = tensor<3x40xf32>} : (!list.of<tensor<3x40xf32>>) -> ()
  %last:2 = flow.while (%count, %start) (%matrix) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>) -> (tensor<i32>, tensor<3x40xf32>) before {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %k, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%k, %s) : (tensor<i1>, tensor<i32>, tensor<3x40xf32>) -> ()
  } body {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %less = nd.sub %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<3x40xf32>
    %m = nd.matmul %v, %c {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x40xf32>, tensor<40x40xf32>) -> tensor<3x40xf32>
    %u = nd.mul %s, %m : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
    list.cell_push %u {cell = 0 : i64, limit = -1 : i64} : (tensor<3x40xf32>) -> ()
    flow.yield %less, %u : (tensor<i32>, tensor<3x40xf32>) -> ()
  }
  flow.yield %last#1 : (tensor<3x40xf32>) -> ()
}

// -----

// One iteration has rows enough.
// CHECK-LABEL: flow.codelet
// CHECK: flow.while
// CHECK-NOT: flow.while
// CHECK: flow.yield
%n, %x, %w, %tape = "test.inputs"() : () -> (tensor<i32>, tensor<200x40xf32>, tensor<40x40xf32>, !list.of<tensor<200x40xf32>>)
%r = flow.codelet (%n, %x, %w, %tape) : (tensor<i32>, tensor<200x40xf32>, tensor<40x40xf32>, !list.of<tensor<200x40xf32>>) -> tensor<200x40xf32> {
^bb0(%count: tensor<i32>, %start: tensor<200x40xf32>, %matrix: tensor<40x40xf32>, %list: !list.of<tensor<200x40xf32>>):
  list.cell_open %list {cell = 0 : i64, element = tensor<200x40xf32>} : (!list.of<tensor<200x40xf32>>) -> ()
  %last:2 = flow.while (%count, %start) (%matrix) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<200x40xf32>, tensor<40x40xf32>) -> (tensor<i32>, tensor<200x40xf32>) before {
  ^bb0(%k: tensor<i32>, %s: tensor<200x40xf32>, %c: tensor<40x40xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %k, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%k, %s) : (tensor<i1>, tensor<i32>, tensor<200x40xf32>) -> ()
  } body {
  ^bb0(%k: tensor<i32>, %s: tensor<200x40xf32>, %c: tensor<40x40xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %less = nd.sub %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<200x40xf32>
    %m = nd.matmul %v, %c {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<200x40xf32>, tensor<40x40xf32>) -> tensor<200x40xf32>
    %u = nd.mul %s, %m : (tensor<200x40xf32>, tensor<200x40xf32>) -> tensor<200x40xf32>
    flow.yield %less, %u : (tensor<i32>, tensor<200x40xf32>) -> ()
  }
  flow.yield %last#1 : (tensor<200x40xf32>) -> ()
}

// -----

// The matrix is so small that it costs nothing to read it again.
// CHECK-LABEL: flow.codelet
// CHECK: flow.while
// CHECK-NOT: flow.while
// CHECK: flow.yield
%n, %x, %w, %tape = "test.inputs"() : () -> (tensor<i32>, tensor<3x16xf32>, tensor<16x16xf32>, !list.of<tensor<3x16xf32>>)
%r = flow.codelet (%n, %x, %w, %tape) : (tensor<i32>, tensor<3x16xf32>, tensor<16x16xf32>, !list.of<tensor<3x16xf32>>) -> tensor<3x16xf32> {
^bb0(%count: tensor<i32>, %start: tensor<3x16xf32>, %matrix: tensor<16x16xf32>, %list: !list.of<tensor<3x16xf32>>):
  list.cell_open %list {cell = 0 : i64, element = tensor<3x16xf32>} : (!list.of<tensor<3x16xf32>>) -> ()
  %last:2 = flow.while (%count, %start) (%matrix) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<3x16xf32>, tensor<16x16xf32>) -> (tensor<i32>, tensor<3x16xf32>) before {
  ^bb0(%k: tensor<i32>, %s: tensor<3x16xf32>, %c: tensor<16x16xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %k, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%k, %s) : (tensor<i1>, tensor<i32>, tensor<3x16xf32>) -> ()
  } body {
  ^bb0(%k: tensor<i32>, %s: tensor<3x16xf32>, %c: tensor<16x16xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %less = nd.sub %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<3x16xf32>
    %m = nd.matmul %v, %c {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x16xf32>, tensor<16x16xf32>) -> tensor<3x16xf32>
    %u = nd.mul %s, %m : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
    flow.yield %less, %u : (tensor<i32>, tensor<3x16xf32>) -> ()
  }
  flow.yield %last#1 : (tensor<3x16xf32>) -> ()
}

// -----

// It may end earlier.
// CHECK-LABEL: flow.codelet
// CHECK: flow.while
// CHECK-NOT: flow.while
// CHECK: flow.yield
%n, %x, %w, %tape = "test.inputs"() : () -> (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>)
%r = flow.codelet (%n, %x, %w, %tape) : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>, !list.of<tensor<3x40xf32>>) -> tensor<3x40xf32> {
^bb0(%count: tensor<i32>, %start: tensor<3x40xf32>, %matrix: tensor<40x40xf32>, %list: !list.of<tensor<3x40xf32>>):
  list.cell_open %list {cell = 0 : i64, element = tensor<3x40xf32>} : (!list.of<tensor<3x40xf32>>) -> ()
  %last:2 = flow.while (%count, %start) (%matrix) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<3x40xf32>, tensor<40x40xf32>) -> (tensor<i32>, tensor<3x40xf32>) before {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %sum = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %more = nd.greater %k, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %p = nd.logical_and %more, %sum : (tensor<i1>, tensor<i1>) -> tensor<i1>
    flow.condition %p (%k, %s) : (tensor<i1>, tensor<i32>, tensor<3x40xf32>) -> ()
  } body {
  ^bb0(%k: tensor<i32>, %s: tensor<3x40xf32>, %c: tensor<40x40xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %less = nd.sub %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<3x40xf32>
    %m = nd.matmul %v, %c {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x40xf32>, tensor<40x40xf32>) -> tensor<3x40xf32>
    %u = nd.mul %s, %m : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
    flow.yield %less, %u : (tensor<i32>, tensor<3x40xf32>) -> ()
  }
  flow.yield %last#1 : (tensor<3x40xf32>) -> ()
}
