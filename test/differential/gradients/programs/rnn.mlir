// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What dynamic_rnn makes of sequences of several lengths: rows that have ended keep their state, and their
// outputs are zeros.
//
//   for (t = 0; t < 4; ++t) { new = tanh([x[t], s] * w + b); out[t] = ended(t) ? 0 : new; s = ended(t) ? s : new; }
flow.graph @main {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %lengths = nd.constant {value = dense<[4, 0, 2]> : tensor<3xi32>} : () -> tensor<3xi32>
  %begin = nd.constant {value = dense<0.0> : tensor<3x2xf64>} : () -> tensor<3x2xf64>
  %outputs = nd.constant {value = dense<0.0> : tensor<4x3x2xf64>} : () -> tensor<4x3x2xf64>
  %x0 = flow.feed {name = "x"} : () -> tensor<4x3x2xf64>
  %x = flow.independent %x0 {name = "x"} : (tensor<4x3x2xf64>) -> tensor<4x3x2xf64>
  %w0 = flow.feed {name = "w"} : () -> tensor<4x2xf64>
  %w = flow.independent %w0 {name = "w"} : (tensor<4x2xf64>) -> tensor<4x2xf64>
  %b0 = flow.feed {name = "b"} : () -> tensor<2xf64>
  %b = flow.independent %b0 {name = "b"} : (tensor<2xf64>) -> tensor<2xf64>
  %r:3 = flow.while (%zero, %begin, %outputs) (%x, %w, %b, %lengths) {frame = "rnn", parallel_iterations = 32 : i64} : (tensor<i32>, tensor<3x2xf64>, tensor<4x3x2xf64>, tensor<4x3x2xf64>, tensor<4x2xf64>, tensor<2xf64>, tensor<3xi32>) -> (tensor<i32>, tensor<3x2xf64>, tensor<4x3x2xf64>) before {
  ^bb0(%t: tensor<i32>, %s: tensor<3x2xf64>, %out: tensor<4x3x2xf64>, %in: tensor<4x3x2xf64>, %kernel: tensor<4x2xf64>, %bias: tensor<2xf64>, %ends: tensor<3xi32>):
    %most = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>
    %more = nd.less %t, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %more (%t, %s, %out) : (tensor<i1>, tensor<i32>, tensor<3x2xf64>, tensor<4x3x2xf64>) -> ()
  } body {
  ^bb0(%t: tensor<i32>, %s: tensor<3x2xf64>, %out: tensor<4x3x2xf64>, %in: tensor<4x3x2xf64>, %kernel: tensor<4x2xf64>, %bias: tensor<2xf64>, %ends: tensor<3xi32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %zeros = nd.constant {value = dense<0.0> : tensor<3x2xf64>} : () -> tensor<3x2xf64>
    %next = nd.add %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = nd.row %in, %t : (tensor<4x3x2xf64>, tensor<i32>) -> tensor<3x2xf64>
    %both = nd.concat %row, %s, %one : (tensor<3x2xf64>, tensor<3x2xf64>, tensor<i32>) -> tensor<3x4xf64>
    %product = nd.matmul %both, %kernel {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<3x4xf64>, tensor<4x2xf64>) -> tensor<3x2xf64>
    %sum = nd.add %product, %bias : (tensor<3x2xf64>, tensor<2xf64>) -> tensor<3x2xf64>
    %new = nd.tanh %sum : (tensor<3x2xf64>) -> tensor<3x2xf64>
    %ended = nd.greater_equal %t, %ends : (tensor<i32>, tensor<3xi32>) -> tensor<3xi1>
    %output = nd.select %ended, %zeros, %new {leading = true} : (tensor<3xi1>, tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %state = nd.select %ended, %s, %new {leading = true} : (tensor<3xi1>, tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %outs = nd.set_row %out, %t, %output : (tensor<4x3x2xf64>, tensor<i32>, tensor<3x2xf64>) -> tensor<4x3x2xf64>
    flow.yield %next, %state, %outs : (tensor<i32>, tensor<3x2xf64>, tensor<4x3x2xf64>) -> ()
  }
  %dx, %dw, %db = flow.gradient of %r#1, %r#2 seeds wrt %x, %w, %b stops {name = "gradients"} : (tensor<3x2xf64>, tensor<4x3x2xf64>, tensor<4x3x2xf64>, tensor<4x2xf64>, tensor<2xf64>) -> (tensor<4x3x2xf64>, tensor<4x2xf64>, tensor<2xf64>)
}
