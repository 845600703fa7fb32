// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An LSTM over four steps, and the mean squared error of its last output. The second request, which the test
// adds, is a product of the Hessian of this loss and a vector.
//
//   g = [x[t], h] * w + b; c = c * σ(g2 + 1) + σ(g0) * tanh(g1); h = tanh(c) * σ(g3)
flow.graph @main {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %begin = nd.constant {value = dense<0.0> : tensor<3x2xf64>} : () -> tensor<3x2xf64>
  %x = flow.feed {name = "x"} : () -> tensor<4x3x2xf64>
  %target = flow.feed {name = "target"} : () -> tensor<3x2xf64>
  %w0 = flow.feed {name = "w"} : () -> tensor<4x8xf64>
  %w = flow.independent %w0 {name = "w"} : (tensor<4x8xf64>) -> tensor<4x8xf64>
  %b0 = flow.feed {name = "b"} : () -> tensor<8xf64>
  %b = flow.independent %b0 {name = "b"} : (tensor<8xf64>) -> tensor<8xf64>
  %r:3 = flow.while (%zero, %begin, %begin) (%x, %w, %b) {frame = "lstm", parallel_iterations = 32 : i64} : (tensor<i32>, tensor<3x2xf64>, tensor<3x2xf64>, tensor<4x3x2xf64>, tensor<4x8xf64>, tensor<8xf64>) -> (tensor<i32>, tensor<3x2xf64>, tensor<3x2xf64>) before {
  ^bb0(%t: tensor<i32>, %c: tensor<3x2xf64>, %h: tensor<3x2xf64>, %in: tensor<4x3x2xf64>, %kernel: tensor<4x8xf64>, %bias: tensor<8xf64>):
    %most = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>
    %more = nd.less %t, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %more (%t, %c, %h) : (tensor<i1>, tensor<i32>, tensor<3x2xf64>, tensor<3x2xf64>) -> ()
  } body {
  ^bb0(%t: tensor<i32>, %c: tensor<3x2xf64>, %h: tensor<3x2xf64>, %in: tensor<4x3x2xf64>, %kernel: tensor<4x8xf64>, %bias: tensor<8xf64>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %forget_bias = nd.constant {value = dense<1.0> : tensor<f64>} : () -> tensor<f64>
    %next = nd.add %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = nd.row %in, %t : (tensor<4x3x2xf64>, tensor<i32>) -> tensor<3x2xf64>
    %both = nd.concat %row, %h, %one : (tensor<3x2xf64>, tensor<3x2xf64>, tensor<i32>) -> tensor<3x4xf64>
    %product = nd.matmul %both, %kernel {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x4xf64>, tensor<4x8xf64>) -> tensor<3x8xf64>
    %gates = nd.add %product, %bias : (tensor<3x8xf64>, tensor<8xf64>) -> tensor<3x8xf64>
    %g:4 = nd.split %gates, %one : (tensor<3x8xf64>, tensor<i32>) -> (tensor<3x2xf64>, tensor<3x2xf64>, tensor<3x2xf64>, tensor<3x2xf64>)
    %input = nd.sigmoid %g#0 : (tensor<3x2xf64>) -> tensor<3x2xf64>
    %new = nd.tanh %g#1 : (tensor<3x2xf64>) -> tensor<3x2xf64>
    %shifted = nd.add %g#2, %forget_bias : (tensor<3x2xf64>, tensor<f64>) -> tensor<3x2xf64>
    %forget = nd.sigmoid %shifted : (tensor<3x2xf64>) -> tensor<3x2xf64>
    %output = nd.sigmoid %g#3 : (tensor<3x2xf64>) -> tensor<3x2xf64>
    %kept = nd.mul %c, %forget : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %added = nd.mul %input, %new : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %cell = nd.add %kept, %added : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %bounded = nd.tanh %cell : (tensor<3x2xf64>) -> tensor<3x2xf64>
    %hidden = nd.mul %bounded, %output : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    flow.yield %next, %cell, %hidden : (tensor<i32>, tensor<3x2xf64>, tensor<3x2xf64>) -> ()
  }
  %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %error = nd.sub %r#2, %target : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %square = nd.mul %error, %error : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %loss = nd.reduce_mean %square, %axes {keep_dims = false} : (tensor<3x2xf64>, tensor<2xi32>) -> tensor<f64>
  %dw, %db = flow.gradient of %loss seeds wrt %w, %b stops {name = "gradients"} : (tensor<f64>, tensor<4x8xf64>, tensor<8xf64>) -> (tensor<4x8xf64>, tensor<8xf64>)
}
