// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of elements of several types holds any, and what is read of it says nothing of the others.
// RUN: sluice-opt %s --import-resolve-lists --split-input-file | FileCheck %s

// CHECK-LABEL: flow.graph @types
// CHECK: list.make {{.*}} {element_shape = !list.any, identical = false} : (tensor<i32>) -> !list.of<!list.any>
// CHECK: list.push {{.*}} : (!list.of<!list.any>, tensor<f32>) -> !list.of<!list.any>
// CHECK: list.push {{.*}} : (!list.of<!list.any>, tensor<f64>) -> !list.of<!list.any>
// CHECK: list.pop {{.*}} : (!list.of<!list.any>) -> (tensor<*xf64>, !list.of<!list.any>)
flow.graph @types {
  %n = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = flow.feed {name = "y:0"} : () -> tensor<f64>
  %l = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %a = list.push %l, %x {limit = -1 : i64} : (!list.unknown, tensor<f32>) -> !list.unknown
  %b = list.push %a, %y {limit = -1 : i64} : (!list.unknown, tensor<f64>) -> !list.unknown
  %v, %c = list.pop %b {element_shape = tensor<*xf64>} : (!list.unknown) -> (tensor<*xf64>, !list.unknown)
  flow.fetch %v {name = "v:0"} : (tensor<*xf64>) -> ()
}

// -----

// A list and a tensor in one list: of the list that is put there and the one that is read nothing
// follows for each other.
// CHECK-LABEL: flow.graph @list_and_tensor
// CHECK: %[[OUT:.*]] = list.make {{.*}} -> !list.of<!list.any>
// CHECK: %[[IN:.*]] = list.make {{.*}} {element_shape = tensor<*xf64>, identical = false} {{.*}} -> !list.of<tensor<*xf64>>
// CHECK: list.push {{.*}} : (!list.of<!list.any>, !list.of<tensor<*xf64>>) -> !list.of<!list.any>
// CHECK: list.only {{.*}} {element_shape = !list.any} : (!list.of<!list.any>) -> !list.of<tensor<*xi32>>
flow.graph @list_and_tensor {
  %n = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %l = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %k = list.make %n {element_shape = tensor<*xf64>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf64>>
  %a = list.push %l, %x {limit = -1 : i64} : (!list.unknown, tensor<f32>) -> !list.unknown
  %b = list.push %a, %k {limit = -1 : i64} : (!list.unknown, !list.of<tensor<*xf64>>) -> !list.unknown
  %in = list.only %b {element_shape = !list.unknown} : (!list.unknown) -> !list.unknown
  %v, %rest = list.pop %in {element_shape = tensor<*xi32>} : (!list.unknown) -> (tensor<*xi32>, !list.unknown)
  flow.fetch %v {name = "v:0"} : (tensor<*xi32>) -> ()
}

// -----

// So is a list that would be within itself.
// CHECK-LABEL: flow.graph @within_itself
// CHECK: list.push {{.*}} : (!list.of<!list.any>, !list.of<!list.any>) -> !list.of<!list.any>
flow.graph @within_itself {
  %n = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %b = list.push %l, %l {limit = -1 : i64} : (!list.unknown, !list.unknown) -> !list.unknown
  %m = list.length %b : (!list.unknown) -> tensor<i32>
  flow.fetch %m {name = "n:0"} : (tensor<i32>) -> ()
}

// -----

// What is in such a list has elements of one type.
// CHECK-LABEL: flow.graph @inner
// CHECK: list.push {{.*}} : (!list.of<!list.any>, !list.of<tensor<*xf32>>) -> !list.of<!list.any>
// CHECK: list.push {{.*}} : (!list.of<!list.any>, !list.of<tensor<*xf64>>) -> !list.of<!list.any>
// CHECK: list.push {{.*}} : (!list.of<!list.any>, !list.of<!list.of<tensor<*xf32>>>) -> !list.of<!list.any>
flow.graph @inner {
  %n = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %f = list.make %n {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %g = list.make %n {element_shape = tensor<*xf64>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf64>>
  %l = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %a = list.push %l, %f {limit = -1 : i64} : (!list.unknown, !list.of<tensor<*xf32>>) -> !list.unknown
  %b = list.push %a, %g {limit = -1 : i64} : (!list.unknown, !list.of<tensor<*xf64>>) -> !list.unknown
  %ff = list.make %n {element_shape = !list.of<tensor<*xf32>>, identical = false} : (tensor<i32>) -> !list.of<!list.of<tensor<*xf32>>>
  %gg = list.make %n {element_shape = !list.of<tensor<*xf64>>, identical = false} : (tensor<i32>) -> !list.of<!list.of<tensor<*xf64>>>
  %k = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %c = list.push %k, %ff {limit = -1 : i64} : (!list.unknown, !list.of<!list.of<tensor<*xf32>>>) -> !list.unknown
  %d = list.push %c, %gg {limit = -1 : i64} : (!list.unknown, !list.of<!list.of<tensor<*xf64>>>) -> !list.unknown
  %m = list.length %b : (!list.unknown) -> tensor<i32>
  %o = list.length %d : (!list.unknown) -> tensor<i32>
  flow.fetch %m {name = "m:0"} : (tensor<i32>) -> ()
  flow.fetch %o {name = "o:0"} : (tensor<i32>) -> ()
}
