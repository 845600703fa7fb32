// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches that stay primitive, each for one reason.
// RUN: sluice-opt %s --raise-control-flow=explain -split-input-file -verify-diagnostics | FileCheck %s

// One predicate has two ways.
// CHECK-LABEL: flow.graph @three
// CHECK-NOT: flow.cond
flow.graph @three {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %g, %u, %v = flow.switch %t, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  // expected-remark @+1 {{merge stays primitive: it merges 3 values}}
  %y, %i, %m = flow.merge %f, %g, %u : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// A value by which derivatives are asked for is one: a copy in a region would be another one.
// CHECK-LABEL: flow.graph @independent
// CHECK-NOT: flow.cond
flow.graph @independent {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %e = nd.exp %t : (tensor<f32>) -> tensor<f32>
  %w = flow.independent %e {name = "w:0"} : (tensor<f32>) -> tensor<f32> loc("w")
  %n = nd.neg %w : (tensor<f32>) -> tensor<f32>
  // expected-remark @+1 {{branch stays primitive: 'w' is a value of its own for derivatives and is needed by 'dw', which is not part of the branch}}
  %y, %i, %m = flow.merge %f, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %dw = flow.gradient of %y seeds wrt %w stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("dw")
  flow.fetch %dw {name = "dw"} : (tensor<f32>) -> ()
}

// -----

// One that nobody asks for any more is no obstacle.
// CHECK-LABEL: flow.graph @inner_independent
// CHECK: flow.cond
// CHECK: flow.independent
flow.graph @inner_independent {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %w = flow.independent %t {name = "w:0"} : (tensor<f32>) -> tensor<f32>
  %n = nd.neg %w : (tensor<f32>) -> tensor<f32>
  %y, %i, %m = flow.merge %f, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}

// -----

// What contains a branch that stays primitive does, too.
state.variable @v {key = "v", type = tensor<f32>}
// CHECK-LABEL: flow.graph @around
// CHECK-NOT: flow.cond
flow.graph @around {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %qf, %qt, %qs = flow.switch %q, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %vf, %vt, %vs = flow.switch %v, %p : (!state.resource<tensor<f32>>, tensor<i1>) -> (!state.resource<tensor<f32>>, !state.resource<tensor<f32>>, !flow.token)
  %g, %u, %us = flow.switch %t, %qt : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %wf, %wt, %ws = flow.switch %vt, %qt : (!state.resource<tensor<f32>>, tensor<i1>) -> (!state.resource<tensor<f32>>, !state.resource<tensor<f32>>, !flow.token)
  %r, %rt = state.read %wt : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token) loc("read")
  // expected-remark @+1 {{branch stays primitive: 'read' has an effect and is needed by 'out', which is not part of the branch}}
  %inner, %ii, %im = flow.merge %g, %r : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  // expected-remark @+1 {{branch stays primitive: the branch at 'flow.merge' is in it}}
  %y, %i, %m = flow.merge %f, %inner : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %r {name = "r:0"} : (tensor<f32>) -> () loc("out")
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// A branch in it has an effect, and is live more seldom than the whole.
state.variable @v {key = "v", type = tensor<f32>}
// CHECK-LABEL: flow.graph @other_condition
// CHECK: flow.switch
flow.graph @other_condition {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %r = flow.feed {name = "r:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %qf, %qt, %qs = flow.switch %q, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %rf, %rt, %rs = flow.switch %t, %r : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %c:2 = flow.cond %qt (%t, %rt, %v) : (tensor<i1>, tensor<f32>, tensor<f32>, !state.resource<tensor<f32>>) -> (tensor<f32>, tensor<f32>) on_true {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %w: !state.resource<tensor<f32>>):
    %done = state.assign_add %w, %a : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
    %late = flow.gate %a, %done : (tensor<f32>, !flow.token) -> tensor<f32>
    flow.yield %late, %b : (tensor<f32>, tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %w: !state.resource<tensor<f32>>):
    flow.yield %a, %a : (tensor<f32>, tensor<f32>) -> ()
  } loc("effect")
  // expected-remark @+1 {{branch stays primitive: 'effect' has an effect under another condition}}
  %y, %i, %m = flow.merge %f, %c#0 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// Of two predicates that decide alike, one is there exactly as often as the branch, and is asked for
// that reason. But it waits for what the branch gives.
// CHECK-LABEL: flow.graph @circle
// CHECK-NOT: flow.cond
flow.graph @circle {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %a, %b, %c = flow.switch %t, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  // expected-remark @+1 {{branch stays primitive: its results lead back to its captures}}
  %y, %i, %m = flow.merge %a, %b : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %token = flow.after %y : (tensor<f32>) -> !flow.token
  %gated = flow.gate %p, %token : (tensor<i1>, !flow.token) -> tensor<i1>
  %d, %e, %g = flow.switch %t, %gated : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  flow.fetch %e {name = "e:0"} : (tensor<f32>) -> ()
}
