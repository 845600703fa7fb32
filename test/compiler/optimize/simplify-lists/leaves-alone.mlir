// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is not known, what may be empty, and what would fail.
// RUN: sluice-opt %s > %t.before
// RUN: sluice-opt %s --optimize-simplify-lists | diff %t.before -

flow.graph @unknown {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %s = flow.feed {name = "s:0"} : () -> tensor<?xi32>
  %full = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %l = list.make %n {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %k = list.declare_shape %l, %s : (!list.of<tensor<*xf32>>, tensor<?xi32>) -> !list.of<tensor<*xf32>>
  %m = list.declare_limit %k, %full : (!list.of<tensor<*xf32>>, tensor<i32>) -> !list.of<tensor<*xf32>>
  %shape = list.element_shape %m : (!list.of<tensor<*xf32>>) -> tensor<*xi32>
  %v = list.peek %m, %n, %s {element_shape = tensor<2xf32>} : (!list.of<tensor<*xf32>>, tensor<i32>, tensor<?xi32>) -> tensor<*xf32>
  flow.fetch %shape {name = "s:0"} : (tensor<*xi32>) -> ()
  flow.fetch %v {name = "v:0"} : (tensor<*xf32>) -> ()
}

// None of these is a shape that goes with what is said.
flow.graph @wrong {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %below = nd.constant {value = dense<-2> : tensor<1xi32>} : () -> tensor<1xi32>
  %scalar = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %other = nd.constant {value = dense<3> : tensor<1xi32>} : () -> tensor<1xi32>
  %l = list.make %n {element_shape = tensor<2xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %k = list.declare_shape %l, %below : (!list.of<tensor<*xf32>>, tensor<1xi32>) -> !list.of<tensor<*xf32>>
  %a = list.peek %k, %n, %scalar {element_shape = tensor<*xf32>} : (!list.of<tensor<*xf32>>, tensor<i32>, tensor<i32>) -> tensor<*xf32>
  %b = list.peek %k, %n, %other {element_shape = tensor<2xf32>} : (!list.of<tensor<*xf32>>, tensor<i32>, tensor<1xi32>) -> tensor<*xf32>
  flow.fetch %a {name = "a:0"} : (tensor<*xf32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<*xf32>) -> ()
}

// A list that says something of its elements that its sum with another one would say, too.
flow.graph @says_more {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<?xf32>
  %sum = list.make %n {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %l = list.make %n {element_shape = tensor<2xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %k = list.set %l, %n, %x {grow = false, once = false} : (!list.of<tensor<*xf32>>, tensor<i32>, tensor<?xf32>) -> !list.of<tensor<*xf32>>
  %m = list.add %sum, %k : (!list.of<tensor<*xf32>>, !list.of<tensor<*xf32>>) -> !list.of<tensor<*xf32>>
  %v = list.stack %m {element_shape = tensor<*xf32>, num_elements = -1 : i64} : (!list.of<tensor<*xf32>>) -> tensor<*xf32>
  flow.fetch %v {name = "v:0"} : (tensor<*xf32>) -> ()
}
