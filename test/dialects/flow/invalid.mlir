// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the flow ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// flow.graph C1
flow.graph @g {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  // expected-error@below {{expected feeds of different names but got 'x' twice}}
  %y = flow.feed {name = "x"} : () -> tensor<f32>
}

// -----
// flow.graph C2
flow.graph @g {
  // expected-error@below {{expected every cycle to pass through flow.next_iteration}}
  %x = nd.neg %y : (tensor<f32>) -> tensor<f32>
  %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
}

// -----
// flow.graph C3
flow.graph @g {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  // expected-note@below {{this operand comes from frame 'a'}}
  %a = flow.enter %x {frame = "a", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %b = flow.enter %x {frame = "b", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  // expected-error@below {{has inputs from different frames: frame 'b' and frame 'a'}}
  %c = nd.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
}

// -----
// flow.graph C5
flow.graph @g attributes {initializes} {
  // expected-error@below {{expected no feeds and fetches in a graph that initializes}}
  %x = flow.feed {name = "x"} : () -> tensor<f32>
}

// -----
// flow.graph C5
flow.graph @g attributes {initializes} {
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  // expected-error@below {{expected no feeds and fetches in a graph that initializes}}
  flow.fetch %c {name = "c"} : (tensor<f32>) -> ()
}

// -----
// flow.feed C1
flow.graph @g {
  // expected-error@below {{requires attribute 'name'}}
  %x = "flow.feed"() : () -> tensor<f32>
}

// -----
// flow.feed C1
// expected-error@below {{expected a name but got an empty one}}
%x = flow.feed {name = ""} : () -> tensor<f32>

// -----
// flow.fetch C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected a name but got an empty one}}
flow.fetch %v {name = ""} : (tensor<f32>) -> ()

// -----
// flow.fetch C2
flow.graph @g {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %a = flow.enter %x {frame = "a", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  // expected-error@below {{expected to belong to the root frame but got frame 'a'}}
  flow.fetch %a {name = "a"} : (tensor<f32>) -> ()
}

// -----
// flow.target C1
%v = "test.value"() : () -> !flow.token
// expected-error@below {{expected a name but got an empty one}}
flow.target %v {name = ""} : (!flow.token) -> ()

// -----
// flow.join C1
// expected-error@below {{expected at least one token}}
%r = flow.join : () -> !flow.token

// -----
// flow.trigger C1
// expected-error@below {{expected at least one token}}
%r = flow.trigger : () -> !flow.token

// -----
// flow.gate C1
%v:2 = "test.value"() : () -> (tensor<f32>, !flow.token)
// expected-error@below {{failed to verify that all of {value, result} have same type}}
%r = flow.gate %v#0, %v#1 : (tensor<f32>, !flow.token) -> tensor<i32>

// -----
// flow.gate C2
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected at least one token}}
%r = flow.gate %v : (tensor<f32>) -> tensor<f32>

// -----
// flow.after C1
%v = "test.value"() : () -> !flow.token
// expected-error@below {{operand #0 must be value}}
%r = flow.after %v : (!flow.token) -> !flow.token

// -----
// flow.switch C1
%v:2 = "test.value"() : () -> (tensor<f32>, tensor<i1>)
// expected-error@below {{failed to verify that all of {data, on_false, on_true} have same type}}
%r:3 = flow.switch %v#0, %v#1 : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<i32>, !flow.token)

// -----
// flow.switch C2
%v:2 = "test.value"() : () -> (tensor<f32>, tensor<2xi8>)
// expected-error@below {{expected a predicate of i1 but got 'tensor<2xi8>'}}
%r:3 = flow.switch %v#0, %v#1 : (tensor<f32>, tensor<2xi8>) -> (tensor<f32>, tensor<f32>, !flow.token)

// -----
// flow.merge C1
%v = "test.value"() : () -> !flow.token
// expected-error@below {{expected at least one value}}
%r:3 = flow.merge %v : (!flow.token) -> (tensor<f32>, tensor<i32>, !flow.token)

// -----
// flow.merge C1
%v:3 = "test.value"() : () -> (tensor<f32>, !flow.token, tensor<f32>)
// expected-error@below {{expected control tokens after the values but got 'tensor<f32>'}}
%r:3 = flow.merge %v#0, %v#1, %v#2 : (tensor<f32>, !flow.token, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)

// -----
// flow.merge C2
%v:2 = "test.value"() : () -> (tensor<f32>, tensor<i32>)
// expected-error@below {{expected values that can be 'tensor<f32>' but got 'tensor<i32>'}}
%r:3 = flow.merge %v#0, %v#1 : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>, !flow.token)

// -----
// flow.merge C2
%v:2 = "test.value"() : () -> (tensor<2xf32>, tensor<2000xf32>)
// expected-error@below {{expected values that can be 'tensor<2xf32>' but got 'tensor<2000xf32>'}}
%r:3 = flow.merge %v#0, %v#1 : (tensor<2xf32>, tensor<2000xf32>) -> (tensor<2xf32>, tensor<i32>, !flow.token)

// -----
// flow.merge C3
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected an index of tensor<i32> but got 'tensor<i64>'}}
%r:3 = flow.merge %v : (tensor<f32>) -> (tensor<f32>, tensor<i64>, !flow.token)

// -----
// flow.enter C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{failed to verify that all of {data, result} have same type}}
%r = flow.enter %v {frame = "a", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<?xf32>

// -----
// flow.enter C2
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected a frame name but got an empty one}}
%r = flow.enter %v {frame = "", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>

// -----
// flow.enter C3
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected parallel_iterations of at least 1 but got 0}}
%r = flow.enter %v {frame = "a", constant = false, parallel_iterations = 0 : i64} : (tensor<f32>) -> tensor<f32>

// -----
// flow.exit C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{failed to verify that all of {data, result} have same type}}
%r = flow.exit %v : (tensor<f32>) -> tensor<i32>

// -----
// flow.exit C2
flow.graph @g {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  // expected-error@below {{expected to belong to the frame of a flow.enter but got the root frame}}
  %y = flow.exit %x : (tensor<f32>) -> tensor<f32>
}

// -----
// flow.next_iteration C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{failed to verify that all of {data, result} have same type}}
%r = flow.next_iteration %v : (tensor<f32>) -> tensor<i32>

// -----
// flow.next_iteration C2
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected only flow.merge to use the result but got nd.neg}}
%n = flow.next_iteration %v : (tensor<f32>) -> tensor<f32>
%r = nd.neg %n : (tensor<f32>) -> tensor<f32>

// -----
// flow.loop_cond C1
%v = "test.value"() : () -> tensor<i1>
// expected-error@below {{failed to verify that all of {predicate, result} have same type}}
%r = flow.loop_cond %v : (tensor<i1>) -> tensor<i32>

// -----
// flow.loop_cond C2
flow.graph @g {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %a = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  // expected-error@below {{expected one flow.loop_cond in the root frame but got two}}
  %b = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
}

// -----
// flow.switch C2
// What is not known may be a scalar.
%v:2 = "test.value"() : () -> (tensor<f32>, tensor<*xi1>)
%r:3 = flow.switch %v#0, %v#1 : (tensor<f32>, tensor<*xi1>) -> (tensor<f32>, tensor<f32>, !flow.token)
%w = "test.value"() : () -> tensor<*xi32>
// expected-error@below {{expected a predicate of i1 but got 'tensor<*xi32>'}}
%s:3 = flow.switch %v#0, %w : (tensor<f32>, tensor<*xi32>) -> (tensor<f32>, tensor<f32>, !flow.token)

// -----
// flow.merge C3
%v = "test.value"() : () -> tensor<f32>
%a:3 = flow.merge %v : (tensor<f32>) -> (tensor<f32>, tensor<*xi32>, !flow.token)
// expected-error@below {{expected an index of tensor<i32> but got 'tensor<1xi32>'}}
%b:3 = flow.merge %v : (tensor<f32>) -> (tensor<f32>, tensor<1xi32>, !flow.token)

// -----
// flow.merge C2
// Shapes may say more or less, where they do not contradict each other; what is no tensor is equal.
%v:3 = "test.value"() : () -> (tensor<2x?xf32>, tensor<*xf32>, !state.ref<tensor<f32>>)
%a:3 = flow.merge %v#0, %v#1 : (tensor<2x?xf32>, tensor<*xf32>) -> (tensor<?x3xf32>, tensor<i32>, !flow.token)
%b:3 = flow.merge %v#2 : (!state.ref<tensor<f32>>) -> (!state.ref<tensor<f32>>, tensor<i32>, !flow.token)
// expected-error@below {{expected values that can be '!state.ref<tensor<*xf32>>' but got '!state.ref<tensor<f32>>'}}
%c:3 = flow.merge %v#2 : (!state.ref<tensor<f32>>) -> (!state.ref<tensor<*xf32>>, tensor<i32>, !flow.token)

// -----
// flow.enter C3
%v = "test.value"() : () -> tensor<f32>
%a = flow.enter %v {frame = "a", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
// expected-error@below {{expected parallel_iterations of at least 1 but got -1}}
%b = flow.enter %v {frame = "a", constant = false, parallel_iterations = -1 : i64} : (tensor<f32>) -> tensor<f32>

// -----
// flow.graph C3
flow.graph @g {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %r = nd.neg %x : (tensor<f32>) -> tensor<f32>
  %a = flow.enter %x {frame = "a", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %b = flow.enter %a {frame = "b", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %c = flow.exit %b : (tensor<f32>) -> tensor<f32>
  // expected-note@below {{this operand comes from frame 'a'}}
  %d = nd.add %c, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // The frame of one name within another one is not that of the root.
  %e = flow.enter %x {frame = "b", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %f = flow.exit %e : (tensor<f32>) -> tensor<f32>
  %g = nd.add %f, %r : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // expected-error@below {{has inputs from different frames: the root frame and frame 'a'}}
  %h = nd.add %d, %r : (tensor<f32>, tensor<f32>) -> tensor<f32>
}
