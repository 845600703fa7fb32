// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on boxes of codelets that do not verify.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// flow.box_put C1
%t = "test.value"() : () -> !flow.token
// expected-error@below {{operand #0 must be value, but got '!flow.token'}}
flow.box_put %t {box = 0 : i64, last = false} : (!flow.token) -> ()

// -----
// flow.box_get C1
// expected-error@below {{result #0 must be value, but got '!flow.token'}}
%t = flow.box_get {box = 0 : i64} : () -> !flow.token

// -----
// flow.box_drop C1
// expected-error@below {{attribute 'boxes' failed to satisfy constraint: i64 dense array attribute}}
"flow.box_drop"() {boxes = array<i32: 0>} : () -> ()

// -----
// flow.box_move C1
// expected-error@below {{attribute 'from' failed to satisfy constraint: 64-bit signless integer attribute}}
"flow.box_move"() {from = "a", to = 1 : i64, last = false} : () -> ()

// -----
// flow.box_run C1
// An argument too few.
// expected-error@below {{expected constants, one op and a yield of its results in the region, with an argument for each of 2 boxes}}
flow.box_run {inputs = array<i64: 0, 1>, last = array<i64>, results = array<i64: 2>} : () -> () {
^bb0(%a: tensor<f32>):
  %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
  flow.yield %n : (tensor<f32>) -> ()
}

// -----
// flow.box_run C1
// Two ops.
// expected-error@below {{expected constants, one op and a yield of its results in the region}}
flow.box_run {inputs = array<i64: 0>, last = array<i64>, results = array<i64: 2>} : () -> () {
^bb0(%a: tensor<f32>):
  %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
  %m = nd.neg %n : (tensor<f32>) -> tensor<f32>
  flow.yield %m : (tensor<f32>) -> ()
}

// -----
// flow.box_run C1
// What is yielded is not what the op gives.
// expected-error@below {{expected constants, one op and a yield of its results in the region}}
flow.box_run {inputs = array<i64: 0>, last = array<i64>, results = array<i64: 2>} : () -> () {
^bb0(%a: tensor<f32>):
  %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
  flow.yield %a : (tensor<f32>) -> ()
}

// -----
// flow.box_run C2
// expected-error@below {{expected 1 boxes for results but got 2}}
flow.box_run {inputs = array<i64: 0>, last = array<i64>, results = array<i64: 2, 3>} : () -> () {
^bb0(%a: tensor<f32>):
  %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
  flow.yield %n : (tensor<f32>) -> ()
}
