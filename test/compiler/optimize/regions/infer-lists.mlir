// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is put into a list tells what is taken from it.
// RUN: sluice-opt %s --optimize-infer-regions --split-input-file | FileCheck %s

// Also when it depends on what is taken, and as many rows are stacked as there are elements.
// CHECK-LABEL: @recurrence
// CHECK: list.make {{.*}} -> !list.of<tensor<2xf32>>
// CHECK: flow.while
// CHECK: list.peek {{.*}} -> tensor<2xf32>
// CHECK: list.stack {{.*}} -> tensor<5x2xf32>
flow.graph @recurrence {
  %x = flow.feed {name = "x"} : () -> tensor<2xf32>
  %n = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %k = list.set %l, %zero, %x {grow = false, once = false} : (!list.of<tensor<*xf32>>, tensor<i32>, tensor<2xf32>) -> !list.of<tensor<*xf32>>
  %r:2 = flow.while (%zero, %k) (%n) {frame = "f", parallel_iterations = 1 : i64} : (tensor<i32>, !list.of<tensor<*xf32>>, tensor<i32>) -> (tensor<i32>, !list.of<tensor<*xf32>>) before {
  ^bb0(%i: tensor<i32>, %m: !list.of<tensor<*xf32>>, %end: tensor<i32>):
    %c = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %c (%i, %m) : (tensor<i1>, tensor<i32>, !list.of<tensor<*xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %m: !list.of<tensor<*xf32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v = list.peek %m, %i {element_shape = tensor<*xf32>} : (!list.of<tensor<*xf32>>, tensor<i32>) -> tensor<*xf32>
    %w = nd.neg %v : (tensor<*xf32>) -> tensor<*xf32>
    %o = list.set %m, %next, %w {grow = false, once = false} : (!list.of<tensor<*xf32>>, tensor<i32>, tensor<*xf32>) -> !list.of<tensor<*xf32>>
    flow.yield %next, %o : (tensor<i32>, !list.of<tensor<*xf32>>) -> ()
  }
  %y = list.stack %r#1 {element_shape = tensor<*xf32>, num_elements = -1 : i64} : (!list.of<tensor<*xf32>>) -> tensor<*xf32>
  flow.fetch %y {name = "y"} : (tensor<*xf32>) -> ()
}

// -----

// What an empty element would be counts, too; where a shape is asked for that is not known, nothing is.
// CHECK-LABEL: @empty
// CHECK: list.make {{.*}} -> !list.of<tensor<?xf32>>
// CHECK: list.peek {{.*}} -> tensor<?xf32>
// CHECK: list.peek {{.*}} -> tensor<*xf32>
flow.graph @empty {
  %x = flow.feed {name = "x"} : () -> tensor<2xf32>
  %s = flow.feed {name = "s"} : () -> tensor<?xi32>
  %n = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = tensor<3xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %k = list.set %l, %zero, %x {grow = false, once = false} : (!list.of<tensor<*xf32>>, tensor<i32>, tensor<2xf32>) -> !list.of<tensor<*xf32>>
  %v = list.peek %k, %zero {element_shape = tensor<*xf32>} : (!list.of<tensor<*xf32>>, tensor<i32>) -> tensor<*xf32>
  %w = list.peek %k, %zero, %s {element_shape = tensor<*xf32>} : (!list.of<tensor<*xf32>>, tensor<i32>, tensor<?xi32>) -> tensor<*xf32>
  flow.fetch %v {name = "v"} : (tensor<*xf32>) -> ()
  flow.fetch %w {name = "w"} : (tensor<*xf32>) -> ()
}
