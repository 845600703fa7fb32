// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and calls that do not verify.
// RUN: sluice-opt %s --split-input-file --verify-diagnostics

// flow.func C1
flow.func @f : (tensor<f32>) -> tensor<f32> {
  // expected-error@below {{expected arguments numbered from 0, each once, but got index 1 where 0 is missing}}
  %x = flow.argument {index = 1 : i64} : () -> tensor<f32>
  flow.return %x : (tensor<f32>) -> ()
}

// -----
// flow.func C1
// expected-error@below {{expected arguments that can be ('tensor<i32>') but got ('tensor<f32>')}}
flow.func @f : (tensor<i32>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  flow.return %x : (tensor<f32>) -> ()
}

// -----
// flow.func C2
// expected-error@below {{expected one flow.return but got 0}}
flow.func @f : () -> () {
}

// -----
// flow.func C2
flow.func @f : (tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  // expected-error@below {{expected values that can be ('tensor<f32>', 'tensor<f32>') but got ('tensor<f32>')}}
  flow.return %x : (tensor<f32>) -> ()
}

// -----
// flow.func C2
flow.func @f : (tensor<f32>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %e = flow.enter %x {frame = "l", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  // expected-error@below {{expected to belong to the root frame but got frame 'l'}}
  flow.return %e : (tensor<f32>) -> ()
}

// -----
// flow.func C3
flow.func @f : (tensor<f32>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  // expected-error@below {{expected every cycle to pass through flow.next_iteration}}
  %y = nd.add %x, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.return %y : (tensor<f32>) -> ()
}

// -----
// flow.argument C1
flow.func @f : () -> () {
  // expected-error@below {{expected an index of at least 0 but got -1}}
  %x = flow.argument {index = -1 : i64} : () -> tensor<f32>
  flow.return : () -> ()
}

// -----
// flow.argument C2
flow.graph @main {
  // expected-error@below {{expects parent op 'flow.func'}}
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
}

// -----
// flow.return C1
flow.func @f : (tensor<f32>) -> (!flow.token, tensor<f32>) {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %t = flow.start : () -> !flow.token
  // expected-error@below {{expected a token as last operand only}}
  flow.return %t, %x : (!flow.token, tensor<f32>) -> ()
}

// -----
// flow.return C2
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // expected-error@below {{expects parent op 'flow.func'}}
  flow.return %x : (tensor<f32>) -> ()
}

// -----
// flow.call C1
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // expected-error@below {{expected the name of a flow.func but got @main}}
  %y, %t = flow.call @main (%x) : (tensor<f32>) -> (tensor<f32>, !flow.token)
}

// -----
// flow.call C2
flow.func @f : (tensor<f32>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  flow.return %x : (tensor<f32>) -> ()
}
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  // expected-error@below {{expected arguments that can be ('tensor<f32>') but got ('tensor<i32>')}}
  %y, %t = flow.call @f (%x) : (tensor<i32>) -> (tensor<f32>, !flow.token)
}

// -----
// flow.call C3
flow.func @f : (tensor<f32>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  flow.return %x : (tensor<f32>) -> ()
}
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // expected-error@below {{expected tokens behind all values, and one as last result}}
  %y = flow.call @f (%x) : (tensor<f32>) -> tensor<f32>
}
