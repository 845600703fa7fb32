// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop variable whose dims are not known starts with a value of one element, which is a register:
// the variable is memory all the same, and its slots have the variable's type.
// RUN: sluice-opt --codegen-emit-codelets %s | FileCheck %s

// CHECK: scf.while ({{.*}}) : (i32, memref<?xf32>, memref<?xf32>, memref<?xf32>)
// CHECK: scf.condition(%{{.*}}) {{.*}} memref<?xf32>
flow.graph @main {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<1xf32>
  %r = flow.codelet (%n, %x) : (tensor<i32>, tensor<1xf32>) -> tensor<?xf32> {
  ^bb0(%n0: tensor<i32>, %x0: tensor<1xf32>):
    %last:2 = flow.while (%n0, %x0) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<1xf32>) -> (tensor<i32>, tensor<?xf32>) before {
    ^bb0(%i: tensor<i32>, %x1: tensor<?xf32>):
      %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %p = nd.less %zero, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%i, %x1) : (tensor<i1>, tensor<i32>, tensor<?xf32>) -> ()
    } body {
    ^bb0(%i: tensor<i32>, %x2: tensor<?xf32>):
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %square = nd.mul %x2, %x2 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      flow.yield %next, %square : (tensor<i32>, tensor<?xf32>) -> ()
    }
    flow.yield %last#1 : (tensor<?xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?xf32>) -> ()
}
