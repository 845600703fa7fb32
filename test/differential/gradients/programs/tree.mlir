// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that calls itself twice, over a binary tree: node i has the children left[i] and right[i], a
// leaf has -1 and the row of x with its number.
//
//   f(i) = left[i] < 0 ? tanh(x[i]) : tanh(f(left[i]) * w + f(right[i]))
flow.func @f : (tensor<i32>, tensor<5x2xf64>, tensor<2xf64>) -> tensor<2xf64> {
  %i = flow.argument {index = 0 : i64} : () -> tensor<i32>
  %x = flow.argument {index = 1 : i64} : () -> tensor<5x2xf64>
  %w = flow.argument {index = 2 : i64} : () -> tensor<2xf64>
  %lefts = nd.constant {value = dense<[1, 3, -1, -1, -1]> : tensor<5xi32>} : () -> tensor<5xi32>
  %rights = nd.constant {value = dense<[2, 4, -1, -1, -1]> : tensor<5xi32>} : () -> tensor<5xi32>
  %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %left = nd.row %lefts, %i : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
  %right = nd.row %rights, %i : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
  %is_leaf = nd.less %left, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = flow.cond %is_leaf (%i, %left, %right, %x, %w) : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<5x2xf64>, tensor<2xf64>) -> tensor<2xf64> on_true {
  ^bb0(%n: tensor<i32>, %a: tensor<i32>, %b: tensor<i32>, %rows: tensor<5x2xf64>, %v: tensor<2xf64>):
    %row = nd.row %rows, %n : (tensor<5x2xf64>, tensor<i32>) -> tensor<2xf64>
    %y = nd.tanh %row : (tensor<2xf64>) -> tensor<2xf64>
    flow.yield %y : (tensor<2xf64>) -> ()
  } on_false {
  ^bb0(%n: tensor<i32>, %a: tensor<i32>, %b: tensor<i32>, %rows: tensor<5x2xf64>, %v: tensor<2xf64>):
    %one, %t0 = flow.call @f (%a, %rows, %v) {recursion = 1 : i64} : (tensor<i32>, tensor<5x2xf64>, tensor<2xf64>) -> (tensor<2xf64>, !flow.token)
    %other, %t1 = flow.call @f (%b, %rows, %v) {recursion = 2 : i64} : (tensor<i32>, tensor<5x2xf64>, tensor<2xf64>) -> (tensor<2xf64>, !flow.token)
    %m = nd.mul %one, %v : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %sum = nd.add %m, %other : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %y = nd.tanh %sum : (tensor<2xf64>) -> tensor<2xf64>
    flow.yield %y : (tensor<2xf64>) -> ()
  }
  flow.return %r : (tensor<2xf64>) -> ()
}
flow.graph @main {
  %root = flow.feed {name = "root"} : () -> tensor<i32>
  %x0 = flow.feed {name = "x"} : () -> tensor<5x2xf64>
  %x = flow.independent %x0 {name = "x"} : (tensor<5x2xf64>) -> tensor<5x2xf64>
  %w0 = flow.feed {name = "w"} : () -> tensor<2xf64>
  %w = flow.independent %w0 {name = "w"} : (tensor<2xf64>) -> tensor<2xf64>
  %y, %t = flow.call @f (%root, %x, %w) : (tensor<i32>, tensor<5x2xf64>, tensor<2xf64>) -> (tensor<2xf64>, !flow.token)
  %dx, %dw = flow.gradient of %y seeds wrt %x, %w stops {name = "gradients"} : (tensor<2xf64>, tensor<5x2xf64>, tensor<2xf64>) -> (tensor<5x2xf64>, tensor<2xf64>)
}
