// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is reached stays: through tokens, through back edges; and feeds in any case.
// RUN: sluice-opt --optimize-prune-graph %s | FileCheck %s

state.variable @w {key = "w", type = tensor<f32>}

// CHECK-LABEL: flow.graph @tokens
// CHECK: flow.feed
// CHECK: state.reference
// CHECK: state.assign
// CHECK: flow.join
// CHECK: flow.target
flow.graph @tokens {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %d = state.assign %v, %x {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  %j = flow.join %d, %t : (!flow.token, !flow.token) -> !flow.token
  flow.target %j {name = "train"} : (!flow.token) -> ()
}

// CHECK-LABEL: flow.graph @loop
// CHECK: flow.enter
// CHECK: flow.enter
// CHECK: flow.merge
// CHECK: flow.switch
// CHECK: nd.neg
// CHECK: flow.next_iteration
// CHECK: flow.exit
flow.graph @loop {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %q = flow.enter %p {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %m, %i, %mt = flow.merge %e, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %no, %yes, %st = flow.switch %m, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %neg = nd.neg %yes : (tensor<f32>) -> tensor<f32>
  %n = flow.next_iteration %neg : (tensor<f32>) -> tensor<f32>
  %out = flow.exit %no : (tensor<f32>) -> tensor<f32>
  flow.fetch %out {name = "out:0"} : (tensor<f32>) -> ()
}

// CHECK-LABEL: flow.graph @feeds
// CHECK: flow.feed {{.*}}name = "unused:0"
flow.graph @feeds {
  %x = flow.feed {name = "unused:0"} : () -> tensor<f32>
}
