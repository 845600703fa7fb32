// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays primitive, and the reason that --explain gives.
// RUN: sluice-opt %s --raise-control-flow=explain -split-input-file -verify-diagnostics | FileCheck %s

// A graph without control flow, and one that has regions already, are left alone.
// CHECK-LABEL: flow.graph @plain
// CHECK-NEXT: flow.feed
// CHECK-NEXT: nd.neg
// CHECK-NEXT: flow.fetch
flow.graph @plain {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// Two predicates decide, each about one value.
// CHECK-LABEL: flow.graph @unrelated
// CHECK: flow.merge
flow.graph @unrelated {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %g, %u, %v = flow.switch %x, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  // expected-remark @+1 {{merge stays primitive: its values are not those of the two ways of one predicate}}
  %y, %i, %m = flow.merge %f, %u : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// Dead-able outside: only the merge's own part becomes a region. Pure ops can be in both places.
// CHECK-LABEL: flow.graph @leaves_pure
// CHECK: flow.switch
// CHECK: nd.neg
// CHECK: flow.cond
// CHECK: nd.neg
flow.graph @leaves_pure {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %y, %i, %m = flow.merge %f, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %n {name = "n:0"} : (tensor<f32>) -> ()
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// An effect cannot.
state.variable @v {key = "v", type = tensor<f32>}
// CHECK-LABEL: flow.graph @leaves_effect
// CHECK-NOT: flow.cond
flow.graph @leaves_effect {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %vf, %vt, %vs = flow.switch %v, %p : (!state.resource<tensor<f32>>, tensor<i1>) -> (!state.resource<tensor<f32>>, !state.resource<tensor<f32>>, !flow.token)
  %r, %rt = state.read %vt : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token) loc("read")
  // expected-remark @+1 {{branch stays primitive: 'read' has an effect and is needed by 'out', which is not part of the branch}}
  %y, %i, %m = flow.merge %f, %r : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %r {name = "r:0"} : (tensor<f32>) -> () loc("out")
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// Nor can what needs one: here only a value that has waited for it leaves.
state.variable @v {key = "v", type = tensor<f32>}
// CHECK-LABEL: flow.graph @leaves_after_effect
// CHECK-NOT: flow.cond
flow.graph @leaves_after_effect {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %vf, %vt, %vs = flow.switch %v, %p : (!state.resource<tensor<f32>>, tensor<i1>) -> (!state.resource<tensor<f32>>, !state.resource<tensor<f32>>, !flow.token)
  %w = state.assign_add %vt, %t : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token loc("add")
  %r = flow.gate %t, %w : (tensor<f32>, !flow.token) -> tensor<f32>
  // expected-remark @+1 {{branch stays primitive: 'add' has an effect and is needed by 'out', which is not part of the branch}}
  %y, %i, %m = flow.merge %f, %r : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %r {name = "r:0"} : (tensor<f32>) -> () loc("out")
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// A switch that is reached only if its predicate goes the other way.
// CHECK-LABEL: flow.graph @never_live
// CHECK-NOT: flow.cond
flow.graph @never_live {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %g, %u, %v = flow.switch %f, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token) loc("again")
  %sum = nd.add %t, %u : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %done = flow.after %sum : (tensor<f32>) -> !flow.token
  // expected-remark @+1 {{branch stays primitive: 'again' never gives a live value}}
  %either = flow.trigger %done : (!flow.token) -> !flow.token
  %y = flow.gate %x, %either : (tensor<f32>, !flow.token) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// What goes round is live although the loop does not go on.
// CHECK-LABEL: flow.graph @goes_round
// CHECK-NOT: flow.while
flow.graph @goes_round {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'loop' stays primitive: its values do not go round under one condition}}
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %x1 = flow.next_iteration %i : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// The inner loop has no condition that would say when it ends, so neither loop has regions.
// CHECK-LABEL: flow.graph @around_irregular
// CHECK-NOT: flow.while
flow.graph @around_irregular {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'outer' stays primitive: there is a loop in it}}
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  // expected-remark @+1 {{loop 'inner' stays primitive: it has no loop condition}}
  %in = flow.enter %t {frame = "inner", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %n = nd.neg %in : (tensor<f32>) -> tensor<f32>
  %out = flow.exit %n : (tensor<f32>) -> tensor<f32>
  %s0, %s1, %s2 = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %next = nd.neg %s1 : (tensor<f32>) -> tensor<f32>
  %x1 = flow.next_iteration %next : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// One value enters on a branch, the other one always, so the loop may begin with a dead value.
// CHECK-LABEL: flow.graph @unlike_enters
// CHECK-NOT: flow.while
flow.graph @unlike_enters {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %t0 = flow.enter %t {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %j, %ji, %jm = flow.merge %t0, %t1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %less = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'loop' stays primitive: its values do not go round under one condition}}
  %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %if, %it, %is = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %jf, %jt, %js = flow.switch %j, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %x1 = flow.next_iteration %it : (tensor<f32>) -> tensor<f32>
  %t1 = flow.next_iteration %jt : (tensor<f32>) -> tensor<f32>
  %left = flow.exit %jf : (tensor<f32>) -> tensor<f32>
  flow.fetch %left {name = "y:0"} : (tensor<f32>) -> ()
}
