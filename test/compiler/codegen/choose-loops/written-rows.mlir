// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list to which a loop writes has rows of the dims of what is written, also where it comes in without a row:
// the table says of which input they are (the first dim of input 3: -2 - 3 * 256), so nothing is in a box.
// RUN: sluice-opt %s -pass-pipeline='builtin.module(codegen-choose-loops)' | FileCheck %s
// RUN: sluice-opt %s -pass-pipeline='builtin.module(codegen-choose-loops,codegen-form-codelets,codegen-place-lists,codegen-emit-codelets)' \
// RUN:   | FileCheck %s --check-prefix=TABLE

// CHECK: flow.while
// CHECK-NOT: codegen.boxed_operands
// CHECK-SAME: codegen.collapse
// TABLE: codegen.cells = {{.*}}array<i32: 1, 0, 2, 0, 1, 0, 2>, array<i64: -770, 4>
flow.graph @g {
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<?x4xf32>
  %l = list.make %i {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<?x4xf32>>
  %r:2 = flow.while (%i, %l) (%n, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, !list.of<tensor<?x4xf32>>, tensor<i32>, tensor<?x4xf32>) -> (tensor<i32>, !list.of<tensor<?x4xf32>>) before {
  ^bb0(%j: tensor<i32>, %a: !list.of<tensor<?x4xf32>>, %m: tensor<i32>, %v: tensor<?x4xf32>):
    %p = nd.less %j, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%j, %a) : (tensor<i1>, tensor<i32>, !list.of<tensor<?x4xf32>>) -> ()
  } body {
  ^bb0(%j: tensor<i32>, %a: !list.of<tensor<?x4xf32>>, %m: tensor<i32>, %v: tensor<?x4xf32>):
    %b = list.push %a, %v {limit = -1 : i64} : (!list.of<tensor<?x4xf32>>, tensor<?x4xf32>) -> !list.of<tensor<?x4xf32>>
    %k = nd.add %j, %m : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %k, %b : (tensor<i32>, !list.of<tensor<?x4xf32>>) -> ()
  }
  %y = list.stack %r#1 {element_shape = tensor<?x4xf32>, num_elements = -1 : i64} : (!list.of<tensor<?x4xf32>>) -> tensor<?x?x4xf32>
  flow.fetch %y {name = "y"} : (tensor<?x?x4xf32>) -> ()
}
