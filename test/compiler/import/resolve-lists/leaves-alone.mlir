// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of which everything is known, and graphs without any.
// RUN: sluice-opt %s > %t.before
// RUN: sluice-opt %s --import-resolve-lists | diff %t.before -

flow.graph @known {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %v = list.peek %l, %n {element_shape = tensor<*xf32>} : (!list.of<tensor<*xf32>>, tensor<i32>) -> tensor<*xf32>
  flow.fetch %v {name = "v:0"} : (tensor<*xf32>) -> ()
}
flow.graph @none {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  flow.fetch %x {name = "y:0"} : (tensor<i32>) -> ()
}
