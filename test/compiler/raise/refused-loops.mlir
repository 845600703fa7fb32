// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that stay primitive, each for one reason.
// RUN: sluice-opt %s --raise-control-flow=explain -split-input-file -verify-diagnostics | FileCheck %s

// What an enter brings without a loop's merge is there once.
// CHECK-LABEL: flow.graph @first_iteration
// CHECK-NOT: flow.while
flow.graph @first_iteration {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token) loc("i")
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'loop' stays primitive: 'once' brings a value into the first iteration only}}
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %once = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32> loc("once")
  %n = nd.neg %once : (tensor<f32>) -> tensor<f32>
  %x1 = flow.next_iteration %t : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// Two predicates decide in it, each about one value.
// CHECK-LABEL: flow.graph @branch_inside
// CHECK-NOT: flow.while
flow.graph @branch_inside {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token) loc("i")
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'loop' stays primitive: there is the branch at 'flow.merge' in it}}
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  // expected-remark @+5 {{merge stays primitive: its values are not those of the two ways of one predicate}}
  %q = nd.greater %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %a, %b, %c = flow.switch %i, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %r = nd.equal %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %d, %e, %g = flow.switch %i, %r : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %m, %mi, %mm = flow.merge %a, %e : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %x1 = flow.next_iteration %t : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// Whether it is the first iteration no region knows.
// CHECK-LABEL: flow.graph @index_used
// CHECK-NOT: flow.while
flow.graph @index_used {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token) loc("i")
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'loop' stays primitive: 'i' waits for control tokens, or its index is used}}
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %if, %it, %is = flow.switch %ii, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %index = flow.exit %if : (tensor<i32>) -> tensor<i32>
  flow.fetch %index {name = "index:0"} : (tensor<i32>) -> ()
  %x1 = flow.next_iteration %t : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// The other way of a switch in the body is never taken.
// CHECK-LABEL: flow.graph @asks_again
// CHECK-NOT: flow.while
flow.graph @asks_again {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token) loc("i")
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'loop' stays primitive: 'again' asks again whether the loop goes on}}
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %a, %b, %c = flow.switch %t, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token) loc("again")
  %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
  %x1 = flow.next_iteration %t : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// What the switch waits for would be lost.
// CHECK-LABEL: flow.graph @waits_for_more
// CHECK-NOT: flow.while
flow.graph @waits_for_more {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token) loc("i")
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'loop' stays primitive: 'late' waits for more than the condition}}
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %token = flow.after %i : (tensor<f32>) -> !flow.token
  %gated = flow.gate %go, %token : (tensor<i1>, !flow.token) -> tensor<i1>
  %a, %b, %c = flow.switch %i, %gated : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token) loc("late")
  %n = nd.neg %b : (tensor<f32>) -> tensor<f32>
  %x1 = flow.next_iteration %t : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// Every iteration would leave; a loop with regions leaves once.
// CHECK-LABEL: flow.graph @leaves_early
// CHECK-NOT: flow.while
flow.graph @leaves_early {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token) loc("i")
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'loop' stays primitive: 'early' does not take what the condition lets go}}
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %early = flow.exit %i : (tensor<f32>) -> tensor<f32> loc("early")
  flow.fetch %early {name = "early:0"} : (tensor<f32>) -> ()
  %x1 = flow.next_iteration %t : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// It belongs to neither region.
// CHECK-LABEL: flow.graph @at_the_end
// CHECK-NOT: flow.while
flow.graph @at_the_end {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token) loc("i")
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'loop' stays primitive: 'last' runs only when the loop ends}}
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = nd.neg %f : (tensor<f32>) -> tensor<f32> loc("last")
  %x1 = flow.next_iteration %t : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// The body comes after what runs in every iteration.
// CHECK-LABEL: flow.graph @needs_the_body
// CHECK-NOT: flow.while
flow.graph @needs_the_body {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token) loc("i")
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'loop' stays primitive: 'either' runs in every iteration but needs what is behind the condition}}
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %token = flow.after %t : (tensor<f32>) -> !flow.token
  %either = flow.trigger %token : (!flow.token) -> !flow.token loc("either")
  %g = flow.gate %i, %either : (tensor<f32>, !flow.token) -> tensor<f32>
  %n = nd.neg %g : (tensor<f32>) -> tensor<f32>
  %x1 = flow.next_iteration %t : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

// The counter may end before the sum has begun, and says what is added up.
// CHECK-LABEL: flow.graph @needs_own_result
// CHECK-NOT: flow.while
flow.graph @needs_own_result {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %s0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %k = flow.enter %step {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %m, %mi, %mm = flow.merge %s0, %s1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-remark @+1 {{loop 'loop' stays primitive: it needs a result of its own}}
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %mf, %mt, %ms = flow.switch %m, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %sum = nd.add %mt, %k : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %x1 = flow.next_iteration %t : (tensor<f32>) -> tensor<f32>
  %s1 = flow.next_iteration %sum : (tensor<f32>) -> tensor<f32>
  %last = flow.exit %f : (tensor<f32>) -> tensor<f32>
  %step = nd.neg %last : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %mf : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
