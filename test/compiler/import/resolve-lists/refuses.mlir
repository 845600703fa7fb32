// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One list cannot have elements of two types, nor be an element of itself.
// RUN: sluice-opt %s --import-resolve-lists --split-input-file --verify-diagnostics

flow.graph @types {
  %n = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  // expected-note @below {{the other ones}}
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // expected-error @below {{expected one list to have elements of one type but got elements of f32 as of}}
  %y = flow.feed {name = "y:0"} : () -> tensor<f64>
  %l = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %a = list.push %l, %x {limit = -1 : i64} : (!list.unknown, tensor<f32>) -> !list.unknown
  %b = list.push %a, %y {limit = -1 : i64} : (!list.unknown, tensor<f64>) -> !list.unknown
  %m = list.length %b : (!list.unknown) -> tensor<i32>
  flow.fetch %m {name = "n:0"} : (tensor<i32>) -> ()
}

// -----

flow.graph @list_and_tensor {
  %n = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  // expected-note @below {{the other ones}}
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %l = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  // expected-error @below {{lists as of}}
  %k = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %a = list.push %l, %x {limit = -1 : i64} : (!list.unknown, tensor<f32>) -> !list.unknown
  %b = list.push %a, %k {limit = -1 : i64} : (!list.unknown, !list.unknown) -> !list.unknown
  %m = list.length %b : (!list.unknown) -> tensor<i32>
  flow.fetch %m {name = "n:0"} : (tensor<i32>) -> ()
}

// -----

flow.graph @within_itself {
  %n = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  // expected-note @below {{the other ones}}
  // expected-error @below {{expected one list to have elements of one type}}
  %l = list.make %n {element_shape = !list.unknown, identical = false} : (tensor<i32>) -> !list.unknown
  %b = list.push %l, %l {limit = -1 : i64} : (!list.unknown, !list.unknown) -> !list.unknown
  %m = list.length %b : (!list.unknown) -> tensor<i32>
  flow.fetch %m {name = "n:0"} : (tensor<i32>) -> ()
}
