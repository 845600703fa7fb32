// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of ops decides races, so it must be one in which they could run.
// RUN: sluice-opt %s --import-order-effects --split-input-file --verify-diagnostics

state.variable @v {key = "v", type = tensor<f32>}

flow.graph @backwards {
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  // expected-error@below {{expected ops in topological order}}
  %w = state.assign %v, %n {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  // expected-note@below {{the operand comes from here}}
  %n = nd.neg %x : (tensor<f32>) -> tensor<f32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  flow.target %w {name = "w"} : (!flow.token) -> ()
}

// -----

// Without accesses nothing is to be ordered, and back edges of loops come from behind.
state.variable @v {key = "v", type = tensor<f32>}

flow.graph @pure {
  flow.fetch %n {name = "n:0"} : (tensor<f32>) -> ()
  %n = nd.neg %x : (tensor<f32>) -> tensor<f32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
}

flow.graph @loop {
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %e = flow.enter %v {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (!state.ref<tensor<f32>>) -> !state.ref<tensor<f32>>
  %q = flow.enter %p {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %m, %i, %mt = flow.merge %e, %b : (!state.ref<tensor<f32>>, !state.ref<tensor<f32>>) -> (!state.ref<tensor<f32>>, tensor<i32>, !flow.token)
  %no, %yes, %st = flow.switch %m, %q : (!state.ref<tensor<f32>>, tensor<i1>) -> (!state.ref<tensor<f32>>, !state.ref<tensor<f32>>, !flow.token)
  %b = flow.next_iteration %yes : (!state.ref<tensor<f32>>) -> !state.ref<tensor<f32>>
  %out = flow.exit %no : (!state.ref<tensor<f32>>) -> !state.ref<tensor<f32>>
  %r, %rt = state.read %out : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  flow.fetch %r {name = "r:0"} : (tensor<f32>) -> ()
}
