// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What leads to no fetch and no target goes, loops and effects as well.
// RUN: sluice-opt --optimize-prune-graph %s | FileCheck %s

state.variable @w {key = "w", type = tensor<f32>}

// CHECK-LABEL: flow.graph @unused
// CHECK-NEXT: %[[X:.*]] = flow.feed
// CHECK-NEXT: flow.fetch %[[X]]
// CHECK-NEXT: {{^ *}$}}
flow.graph @unused {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
  %z = nd.neg %y : (tensor<f32>) -> tensor<f32>
  flow.fetch %x {name = "x:0"} : (tensor<f32>) -> ()
}

// CHECK-LABEL: flow.graph @effect
// CHECK-NOT: state.
// CHECK: flow.fetch
flow.graph @effect {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %d = state.assign %v, %x {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.fetch %x {name = "x:0"} : (tensor<f32>) -> ()
}

// CHECK-LABEL: flow.graph @loop
// CHECK-NOT: flow.merge
// CHECK-NOT: flow.next_iteration
// CHECK: flow.fetch
flow.graph @loop {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %e = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %q = flow.enter %p {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %m, %i, %mt = flow.merge %e, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %no, %yes, %st = flow.switch %m, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = flow.next_iteration %yes : (tensor<f32>) -> tensor<f32>
  flow.fetch %x {name = "x:0"} : (tensor<f32>) -> ()
}
