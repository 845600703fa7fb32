// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of composites, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// flow.composite C1
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected the name of an op but got an empty one}}
%y = flow.composite "" (%x) : (tensor<f32>) -> tensor<f32> {
^bb0(%a: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
// flow.composite C2
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected block arguments of the types ('tensor<f32>') in 'body' but got ('tensor<f64>')}}
%y = flow.composite "tf.Relu" (%x) : (tensor<f32>) -> tensor<f64> {
^bb0(%a: tensor<f64>):
  flow.yield %a : (tensor<f64>) -> ()
}

// -----
// flow.composite C3
%x = "test.value"() : () -> tensor<f32>
%y = flow.composite "tf.Relu" (%x) : (tensor<f32>) -> tensor<f64> {
^bb0(%a: tensor<f32>):
  // expected-error@below {{expected values of the types ('tensor<f64>') but got ('tensor<f32>')}}
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
// flow.composite C4
%x = "test.value"() : () -> tensor<f32>
%y = flow.composite "tf.CheckNumerics" (%x) : (tensor<f32>) -> tensor<f32> {
^bb0(%a: tensor<f32>):
  // expected-error@below {{expected only ops that compute in a composite}}
  %t = flow.after %a : (tensor<f32>) -> !flow.token
  %b = flow.gate %a, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  flow.yield %b : (tensor<f32>) -> ()
}

// -----
// flow.composite C5
%x:2 = "test.value"() : () -> (tensor<f32>, tensor<f32>)
// expected-error@below {{expected result #1 to follow from every input but it does not from input #0}}
%y:2 = flow.composite "tf.Pair" (%x#0, %x#1) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %sum = nd.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.yield %sum, %b : (tensor<f32>, tensor<f32>) -> ()
}
