// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with TensorLists, which grow: x is unstacked, states are pushed, and each round also looks at
// the state of two rounds before.
//
//   l = [w, w]; for (i = 0; i < 4; ++i) l.push(sin(l[i] * w + x[i]));
flow.graph @main {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x0 = flow.feed {name = "x"} : () -> tensor<4x2xf64>
  %x = flow.independent %x0 {name = "x"} : (tensor<4x2xf64>) -> tensor<4x2xf64>
  %w0 = flow.feed {name = "w"} : () -> tensor<2xf64>
  %w = flow.independent %w0 {name = "w"} : (tensor<2xf64>) -> tensor<2xf64>
  %rows = list.unstack %x {element_shape = tensor<2xf64>} : (tensor<4x2xf64>) -> !list.of<tensor<2xf64>>
  %empty = list.make %zero {element_shape = tensor<2xf64>, identical = false} : (tensor<i32>) -> !list.of<tensor<2xf64>>
  %first = list.push %empty, %w {limit = -1 : i64} : (!list.of<tensor<2xf64>>, tensor<2xf64>) -> !list.of<tensor<2xf64>>
  %second = list.push %first, %w {limit = -1 : i64} : (!list.of<tensor<2xf64>>, tensor<2xf64>) -> !list.of<tensor<2xf64>>
  %r:2 = flow.while (%zero, %second) (%w, %rows) {frame = "scan", parallel_iterations = 10 : i64} : (tensor<i32>, !list.of<tensor<2xf64>>, tensor<2xf64>, !list.of<tensor<2xf64>>) -> (tensor<i32>, !list.of<tensor<2xf64>>) before {
  ^bb0(%i: tensor<i32>, %l: !list.of<tensor<2xf64>>, %v: tensor<2xf64>, %in: !list.of<tensor<2xf64>>):
    %most = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>
    %more = nd.less %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %more (%i, %l) : (tensor<i1>, tensor<i32>, !list.of<tensor<2xf64>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %l: !list.of<tensor<2xf64>>, %v: tensor<2xf64>, %in: !list.of<tensor<2xf64>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %before = list.peek %l, %i {element_shape = tensor<2xf64>} : (!list.of<tensor<2xf64>>, tensor<i32>) -> tensor<2xf64>
    %row = list.peek %in, %i {element_shape = tensor<2xf64>} : (!list.of<tensor<2xf64>>, tensor<i32>) -> tensor<2xf64>
    %m = nd.mul %before, %v : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %sum = nd.add %m, %row : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %next = nd.sin %sum : (tensor<2xf64>) -> tensor<2xf64>
    %longer = list.push %l, %next {limit = -1 : i64} : (!list.of<tensor<2xf64>>, tensor<2xf64>) -> !list.of<tensor<2xf64>>
    flow.yield %j, %longer : (tensor<i32>, !list.of<tensor<2xf64>>) -> ()
  }
  %y = list.stack %r#1 {element_shape = tensor<2xf64>, num_elements = -1 : i64} : (!list.of<tensor<2xf64>>) -> tensor<6x2xf64>
  %dx, %dw = flow.gradient of %y seeds wrt %x, %w stops {name = "gradients"} : (tensor<6x2xf64>, tensor<4x2xf64>, tensor<2xf64>) -> (tensor<4x2xf64>, tensor<2xf64>)
}
