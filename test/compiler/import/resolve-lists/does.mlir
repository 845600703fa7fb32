// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What elements lists have is found from what is put there, taken from there and said elsewhere.
// RUN: sluice-opt %s --import-resolve-lists | FileCheck %s

// What goes round a loop is one list, and what is pushed on it tells of it.
// CHECK-LABEL: flow.graph @loop
// CHECK: list.make {{.*}} {element_shape = tensor<*xi32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xi32>>
// CHECK: flow.enter {{.*}} -> !list.of<tensor<*xi32>>
// CHECK: flow.merge {{.*}} : (!list.of<tensor<*xi32>>, !list.of<tensor<*xi32>>)
// CHECK: flow.next_iteration {{.*}} -> !list.of<tensor<*xi32>>
// CHECK: list.length %{{.*}} : (!list.of<tensor<*xi32>>)
flow.graph @loop {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %l = list.make %x {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %e = flow.enter %l {frame = "f", constant = false, parallel_iterations = 1 : i64} : (!list.unknown) -> !list.unknown
  %v = flow.enter %x {frame = "f", constant = true, parallel_iterations = 1 : i64} : (tensor<i32>) -> tensor<i32>
  %q = flow.enter %p {frame = "f", constant = true, parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1>
  %m, %i, %mt = flow.merge %e, %n : (!list.unknown, !list.unknown) -> (!list.unknown, tensor<i32>, !flow.token)
  %c = flow.loop_cond %q : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %m, %c : (!list.unknown, tensor<i1>) -> (!list.unknown, !list.unknown, !flow.token)
  %w = list.push %t, %v {limit = -1 : i64} : (!list.unknown, tensor<i32>) -> !list.unknown
  %n = flow.next_iteration %w : (!list.unknown) -> !list.unknown
  %o = flow.exit %f : (!list.unknown) -> !list.unknown
  %length = list.length %o : (!list.unknown) -> tensor<i32>
  flow.fetch %length {name = "n:0"} : (tensor<i32>) -> ()
}

// A list within a list, from both sides of a branch; nobody says anything of the last one.
// CHECK-LABEL: flow.graph @nested
// CHECK: list.make {{.*}} {element_shape = !list.of<tensor<*xf64>>, identical = false} : (tensor<i32>) -> !list.of<!list.of<tensor<*xf64>>>
// CHECK: list.make {{.*}} -> !list.of<tensor<*xf64>>
// CHECK: list.only {{.*}} {element_shape = !list.of<tensor<*xf64>>} : (!list.of<!list.of<tensor<*xf64>>>) -> !list.of<tensor<*xf64>>
// CHECK: list.make {{.*}} {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
flow.graph @nested {
  %n = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %none = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %l = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %one = list.push %none, %l {limit = -1 : i64} : (!list.unknown, !list.unknown) -> !list.unknown
  %in = list.only %one {element_shape = !list.unknown} : (!list.unknown) -> !list.unknown
  %v, %rest = list.pop %in {element_shape = tensor<*xf64>} : (!list.unknown) -> (tensor<*xf64>, !list.unknown)
  %open = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %length = list.length %open : (!list.unknown) -> tensor<i32>
  flow.fetch %v {name = "v:0"} : (tensor<*xf64>) -> ()
  flow.fetch %length {name = "n:0"} : (tensor<i32>) -> ()
}
