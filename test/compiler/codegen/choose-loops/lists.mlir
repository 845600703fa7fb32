// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that carry lists and become code as a whole: rows of one shape, which is known or follows from
// how the list was made.
// RUN: sluice-opt --codegen-choose-loops %s | FileCheck %s

// CHECK-LABEL: @known_rows
// CHECK: flow.while
// CHECK-SAME: codegen.collapse
flow.graph @known_rows {
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<4xf32>>
  %r:2 = flow.while (%i, %l) (%n, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, !list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> (tensor<i32>, !list.of<tensor<4xf32>>) before {
  ^bb0(%j: tensor<i32>, %a: !list.of<tensor<4xf32>>, %m: tensor<i32>, %v: tensor<4xf32>):
    %p = nd.less %j, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%j, %a) : (tensor<i1>, tensor<i32>, !list.of<tensor<4xf32>>) -> ()
  } body {
  ^bb0(%j: tensor<i32>, %a: !list.of<tensor<4xf32>>, %m: tensor<i32>, %v: tensor<4xf32>):
    %b = list.push %a, %v {limit = -1 : i64} : (!list.of<tensor<4xf32>>, tensor<4xf32>) -> !list.of<tensor<4xf32>>
    %k = nd.add %j, %m : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %k, %b : (tensor<i32>, !list.of<tensor<4xf32>>) -> ()
  }
  %y = list.stack %r#1 {element_shape = tensor<4xf32>, num_elements = -1 : i64} : (!list.of<tensor<4xf32>>) -> tensor<?x4xf32>
  flow.fetch %y {name = "y"} : (tensor<?x4xf32>) -> ()
}

// CHECK-LABEL: @rows_of_a_tensor
// CHECK: flow.while
// CHECK-SAME: codegen.collapse
flow.graph @rows_of_a_tensor {
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<?x?xf32>
  %l = list.unstack %x {element_shape = tensor<*xf32>} : (tensor<?x?xf32>) -> !list.of<tensor<?xf32>>
  %r:2 = flow.while (%i, %l) () {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, !list.of<tensor<?xf32>>) -> (tensor<i32>, !list.of<tensor<?xf32>>) before {
  ^bb0(%j: tensor<i32>, %a: !list.of<tensor<?xf32>>):
    %length = list.length %a : (!list.of<tensor<?xf32>>) -> tensor<i32>
    %p = nd.less %j, %length : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%j, %a) : (tensor<i1>, tensor<i32>, !list.of<tensor<?xf32>>) -> ()
  } body {
  ^bb0(%j: tensor<i32>, %a: !list.of<tensor<?xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %v, %b = list.get %a, %j {beyond = false, clear = false} : (!list.of<tensor<?xf32>>, tensor<i32>) -> (tensor<?xf32>, !list.of<tensor<?xf32>>)
    %w = nd.neg %v : (tensor<?xf32>) -> tensor<?xf32>
    %c = list.set %b, %j, %w {grow = false, once = false} : (!list.of<tensor<?xf32>>, tensor<i32>, tensor<?xf32>) -> !list.of<tensor<?xf32>>
    %k = nd.add %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %k, %c : (tensor<i32>, !list.of<tensor<?xf32>>) -> ()
  }
  %y = list.stack %r#1 {element_shape = tensor<?xf32>, num_elements = -1 : i64} : (!list.of<tensor<?xf32>>) -> tensor<?x?xf32>
  flow.fetch %y {name = "y"} : (tensor<?x?xf32>) -> ()
}
