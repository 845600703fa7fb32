// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list to which counted loops push gets room for all elements when it is made.
// RUN: sluice-opt --split-input-file --allow-unregistered-dialect --codegen-emit-codelets %s | FileCheck %s

// 6 iterations, from 4 to 10, in each of 5.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         arith.constant 30 : i64
// CHECK:         llvm.call @sluice_list_reserve(%{{.*}}, %c30_i64
// CHECK:         scf.while
// CHECK:         llvm.call @sluice_list_extend
%x = "test.inputs"() : () -> tensor<8xf32>
%r = flow.codelet (%x) : (tensor<8xf32>) -> !list.of<tensor<8xf32>> {
^bb0(%row: tensor<8xf32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  list.cell_open {cell = 0 : i64, element = tensor<8xf32>} : () -> ()
  list.cell_make %zero {cell = 0 : i64, zeros = true} : (tensor<i32>) -> ()
  %n = flow.while (%zero) (%row) {frame = "outer", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<8xf32>) -> tensor<i32> before {
  ^bb0(%i: tensor<i32>, %v: tensor<8xf32>):
    %limit = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<8xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %ten = nd.constant {value = dense<10> : tensor<i32>} : () -> tensor<i32>
    %four = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>
    %m = flow.while (%four) (%v, %ten) {frame = "inner", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<8xf32>, tensor<i32>) -> tensor<i32> before {
    ^bb0(%j: tensor<i32>, %w: tensor<8xf32>, %limit: tensor<i32>):
      %p = nd.less %j, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%j) : (tensor<i1>, tensor<i32>) -> ()
    } body {
    ^bb0(%j: tensor<i32>, %w: tensor<8xf32>, %limit: tensor<i32>):
      %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %next = nd.add %j, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
      list.cell_push %w {cell = 0 : i64, limit = -1 : i64} : (tensor<8xf32>) -> ()
      flow.yield %next : (tensor<i32>) -> ()
    }
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next : (tensor<i32>) -> ()
  }
  %l = list.cell_close {cell = 0 : i64} : () -> !list.of<tensor<8xf32>>
  flow.yield %l : (!list.of<tensor<8xf32>>) -> ()
}

// -----

// How often is not known.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-NOT:     sluice_list_reserve
// CHECK:         llvm.call @sluice_list_extend
// CHECK-NOT:     sluice_list_reserve
// CHECK:         return
%x, %y = "test.inputs"() : () -> (tensor<8xf32>, tensor<i32>)
%r = flow.codelet (%x, %y) : (tensor<8xf32>, tensor<i32>) -> !list.of<tensor<8xf32>> {
^bb0(%row: tensor<8xf32>, %count: tensor<i32>):
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  list.cell_open {cell = 0 : i64, element = tensor<8xf32>} : () -> ()
  list.cell_make %zero {cell = 0 : i64, zeros = true} : (tensor<i32>) -> ()
  %n = flow.while (%zero) (%row, %count) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<8xf32>, tensor<i32>) -> tensor<i32> before {
  ^bb0(%i: tensor<i32>, %v: tensor<8xf32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<8xf32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    list.cell_push %v {cell = 0 : i64, limit = -1 : i64} : (tensor<8xf32>) -> ()
    flow.yield %next : (tensor<i32>) -> ()
  }
  %l = list.cell_close {cell = 0 : i64} : () -> !list.of<tensor<8xf32>>
  flow.yield %l : (!list.of<tensor<8xf32>>) -> ()
}
