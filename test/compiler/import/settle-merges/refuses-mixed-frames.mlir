// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: sluice-opt %s --import-settle-merges --verify-diagnostics

flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // expected-note @below {{this operand comes from frame 'f'}}
  %y = flow.enter %x {frame = "f", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  // expected-error @below {{has inputs from different frames}}
  %v, %i, %m = flow.merge %x, %y : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %v {name = "v:0"} : (tensor<f32>) -> ()
}
