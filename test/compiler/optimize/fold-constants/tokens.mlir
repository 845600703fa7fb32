// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens that are always there disappear, except where it matters that something arrives.
// RUN: sluice-opt --optimize-fold-constants --optimize-prune-graph %s | FileCheck %s

state.variable @w {key = "w", type = tensor<f32>}

// CHECK-LABEL: flow.graph @start
// CHECK-NOT: flow.start
// CHECK-NOT: flow.gate
// CHECK-NOT: flow.join
// CHECK: state.reference {variable = @w} : ()
// CHECK: state.read %{{[^,]*}} :
// CHECK: flow.trigger %{{[^,]*}} :
flow.graph @start {
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %s = flow.start : () -> !flow.token
  %ac = flow.after %c : (tensor<f32>) -> !flow.token
  %ax = flow.after %x : (tensor<f32>) -> !flow.token
  %j = flow.join %s, %ac, %ax : (!flow.token, !flow.token, !flow.token) -> !flow.token
  %g = flow.gate %x, %j : (tensor<f32>, !flow.token) -> tensor<f32>
  %v, %tv = state.reference %s {variable = @w} : (!flow.token) -> (!state.ref<tensor<f32>>, !flow.token)
  %r, %tr = state.read %v, %s : (!state.ref<tensor<f32>>, !flow.token) -> (tensor<f32>, !flow.token)
  %o = flow.trigger %tr, %s : (!flow.token, !flow.token) -> !flow.token
  %y = nd.add %g, %r : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
  flow.target %o {name = "o"} : (!flow.token) -> ()
}

// A token that may be dead stays when another goes.
// CHECK-LABEL: flow.graph @other_token
// CHECK: %[[A:.*]] = flow.after
// CHECK: flow.gate %{{.*}}, %[[A]] :
flow.graph @other_token {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %s = flow.start : () -> !flow.token
  %f, %t, %k = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %a = flow.after %t : (tensor<f32>) -> !flow.token
  %g = flow.gate %x, %s, %a : (tensor<f32>, !flow.token, !flow.token) -> tensor<f32>
  flow.fetch %g {name = "g:0"} : (tensor<f32>) -> ()
}

// A merge takes what arrives; a constant never does. Nor does a folded sum, without a gate.
// CHECK-LABEL: flow.graph @merge
// CHECK: %[[S:.*]] = flow.start
// CHECK: %[[A:.*]] = flow.gate %{{.*}}, %[[S]]
// CHECK: %[[B:.*]] = flow.gate %{{.*}}, %[[S]]
// CHECK: flow.merge %[[A]] :
// CHECK: flow.merge %[[B]] :
flow.graph @merge {
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %s = flow.start : () -> !flow.token
  %g = flow.gate %c, %s : (tensor<f32>, !flow.token) -> tensor<f32>
  %n = nd.neg %c : (tensor<f32>) -> tensor<f32>
  %m0, %i0, %t0 = flow.merge %g : (tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %m1, %i1, %t1 = flow.merge %n : (tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %m0 {name = "m0:0"} : (tensor<f32>) -> ()
  flow.fetch %m1 {name = "m1:0"} : (tensor<f32>) -> ()
}

// One op may use a constant and the same one gated: both go with it, once.
// CHECK-LABEL: flow.graph @gated_and_not
// CHECK: %[[C:.*]] = nd.constant {value = dense<2.0
// CHECK: flow.gate %[[C]]
// CHECK-NOT: nd.add
flow.graph @gated_and_not {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %f, %t, %k = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %a = flow.after %t : (tensor<f32>) -> !flow.token
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %g = flow.gate %c, %a : (tensor<f32>, !flow.token) -> tensor<f32>
  %y = nd.add %g, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
