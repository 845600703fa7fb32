// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop in a loop, both of which carry what derivatives go through: in round i of the outer one the inner
// one runs i times, so once not at all.
//
//   s = x; for (i = 0; i < 4; ++i) { for (j = 0; j < i; ++j) s = tanh(s * w); s = s * s + w; }
flow.graph @main {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x0 = flow.feed {name = "x"} : () -> tensor<3xf64>
  %x = flow.independent %x0 {name = "x"} : (tensor<3xf64>) -> tensor<3xf64>
  %w0 = flow.feed {name = "w"} : () -> tensor<3xf64>
  %w = flow.independent %w0 {name = "w"} : (tensor<3xf64>) -> tensor<3xf64>
  %r:2 = flow.while (%zero, %x) (%w) {frame = "outer", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<3xf64>, tensor<3xf64>) -> (tensor<i32>, tensor<3xf64>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<3xf64>, %v: tensor<3xf64>):
    %four = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>
    %more = nd.less %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %more (%i, %s) : (tensor<i1>, tensor<i32>, tensor<3xf64>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<3xf64>, %v: tensor<3xf64>):
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %inner:2 = flow.while (%none, %s) (%i, %v) {frame = "inner", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<3xf64>, tensor<i32>, tensor<3xf64>) -> (tensor<i32>, tensor<3xf64>) before {
    ^bb0(%j: tensor<i32>, %t: tensor<3xf64>, %limit: tensor<i32>, %u: tensor<3xf64>):
      %goes_on = nd.less %j, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %goes_on (%j, %t) : (tensor<i1>, tensor<i32>, tensor<3xf64>) -> ()
    } body {
    ^bb0(%j: tensor<i32>, %t: tensor<3xf64>, %limit: tensor<i32>, %u: tensor<3xf64>):
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %j1 = nd.add %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %m = nd.mul %t, %u : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      %t1 = nd.tanh %m : (tensor<3xf64>) -> tensor<3xf64>
      flow.yield %j1, %t1 : (tensor<i32>, tensor<3xf64>) -> ()
    }
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %i1 = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %square = nd.mul %inner#1, %inner#1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %s1 = nd.add %square, %v : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    flow.yield %i1, %s1 : (tensor<i32>, tensor<3xf64>) -> ()
  }
  %dx, %dw = flow.gradient of %r#1 seeds wrt %x, %w stops {name = "gradients"} : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
}
