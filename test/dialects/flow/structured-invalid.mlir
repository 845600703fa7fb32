// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of branches, loops and codelets; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// flow.cond C1
%p = "test.value"() : () -> tensor<2xi8>
// expected-error@below {{expected a predicate of i1 but got 'tensor<2xi8>'}}
flow.cond %p () : (tensor<2xi8>) -> () on_true {
  flow.yield : () -> ()
} on_false {
  flow.yield : () -> ()
}

// -----
// flow.cond C2
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-error@below {{expected block arguments of the types ('tensor<f32>') in 'on_false' but got ('tensor<i32>')}}
flow.cond %v#0 (%v#1) : (tensor<i1>, tensor<f32>) -> () on_true {
^bb0(%a: tensor<f32>):
  flow.yield : () -> ()
} on_false {
^bb0(%a: tensor<i32>):
  flow.yield : () -> ()
}

// -----
// flow.cond C2
// Its regions see only what is captured.
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// expected-note@below {{required by region isolation constraints}}
%r = flow.cond %v#0 () : (tensor<i1>) -> tensor<f32> on_true {
  // expected-error@below {{using value defined outside the region}}
  flow.yield %v#1 : (tensor<f32>) -> ()
} on_false {
  %c = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  flow.yield %c : (tensor<f32>) -> ()
}

// -----
// flow.cond C3
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
%r = flow.cond %v#0 (%v#1) : (tensor<i1>, tensor<f32>) -> tensor<i32> on_true {
^bb0(%a: tensor<f32>):
  // expected-error@below {{expected values of the types ('tensor<i32>') but got ('tensor<f32>')}}
  flow.yield %a : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>):
  %c = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  flow.yield %c : (tensor<i32>) -> ()
}

// -----
// flow.cond C4
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
flow.cond %v#0 (%v#1) : (tensor<i1>, tensor<f32>) -> () on_true {
^bb0(%a: tensor<f32>):
  // expected-error@below {{expected no primitive, feed, fetch or target in a region of flow.cond}}
  flow.fetch %a {name = "a"} : (tensor<f32>) -> ()
  flow.yield : () -> ()
} on_false {
^bb0(%a: tensor<f32>):
  flow.yield : () -> ()
}

// -----
// flow.while C1
// expected-error@below {{expected a frame name and parallel_iterations of at least 1}}
flow.while () () {frame = "", parallel_iterations = 1 : i64} : () -> () before {
  %c = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  flow.condition %c () : (tensor<i1>) -> ()
} body {
  flow.yield : () -> ()
}

// -----
// flow.while C1
// expected-error@below {{expected a frame name and parallel_iterations of at least 1}}
flow.while () () {frame = "loop", parallel_iterations = 0 : i64} : () -> () before {
  %c = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  flow.condition %c () : (tensor<i1>) -> ()
} body {
  flow.yield : () -> ()
}

// -----
// flow.while C2
%p = "test.value"() : () -> tensor<i1>
// expected-error@below {{expected block arguments of the types ('tensor<i1>', 'tensor<i1>') in 'before' but got ('tensor<i1>')}}
flow.while (%p) (%p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>, tensor<i1>) -> () before {
^bb0(%a: tensor<i1>):
  flow.condition %a () : (tensor<i1>) -> ()
} body {
^bb0(%a: tensor<i1>):
  flow.yield %a : (tensor<i1>) -> ()
}

// -----
// flow.while C2
%p = "test.value"() : () -> tensor<i1>
// expected-error@below {{expected a region that ends in flow.condition}}
flow.while (%p) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>) -> () before {
^bb0(%a: tensor<i1>):
  flow.yield %a : (tensor<i1>) -> ()
} body {
  flow.yield : () -> ()
}

// -----
// flow.while C3
%p = "test.value"() : () -> tensor<i1>
// expected-error@below {{expected block arguments of the types ('tensor<i1>') in 'body' but got ()}}
%r = flow.while (%p) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1> before {
^bb0(%a: tensor<i1>):
  flow.condition %a (%a) : (tensor<i1>, tensor<i1>) -> ()
} body {
  %c = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  flow.yield %c : (tensor<i1>) -> ()
}

// -----
// flow.while C3
%p = "test.value"() : () -> tensor<i1>
%r = flow.while (%p) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1> before {
^bb0(%a: tensor<i1>):
  flow.condition %a (%a) : (tensor<i1>, tensor<i1>) -> ()
} body {
^bb0(%a: tensor<i1>):
  // expected-error@below {{expected values of the types ('tensor<i1>') but got ()}}
  flow.yield : () -> ()
}

// -----
// flow.while C4
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<2xf32>)
%r = flow.while (%v#0) (%v#1) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>, tensor<2xf32>) -> tensor<?xf32> before {
^bb0(%a: tensor<i1>, %b: tensor<2xf32>):
  // expected-error@below {{expected values of the types ('tensor<?xf32>') but got ('tensor<2xf32>')}}
  flow.condition %a (%b) : (tensor<i1>, tensor<2xf32>) -> ()
} body {
^bb0(%b: tensor<2xf32>, %c: tensor<2xf32>):
  %n = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  flow.yield %n : (tensor<i1>) -> ()
}

// -----
// flow.while C5
%p = "test.value"() : () -> tensor<i1>
%r = flow.while (%p) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1> before {
^bb0(%a: tensor<i1>):
  // expected-error@below {{expected no primitive, feed, fetch or target in a region of flow.while}}
  %l = flow.loop_cond %a : (tensor<i1>) -> tensor<i1>
  flow.condition %l (%a) : (tensor<i1>, tensor<i1>) -> ()
} body {
^bb0(%a: tensor<i1>):
  flow.yield %a : (tensor<i1>) -> ()
}

// -----
// flow.condition C1
%x = "test.value"() : () -> tensor<f32>
flow.while (%x) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<f32>) -> () before {
^bb0(%a: tensor<f32>):
  // expected-error@below {{expected a predicate of i1 but got 'tensor<f32>'}}
  flow.condition %a () : (tensor<f32>) -> ()
} body {
  flow.yield : () -> ()
}

// -----
// flow.condition C2
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
flow.cond %v#0 () : (tensor<i1>) -> () on_true {
  %c = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  // expected-error@below {{expects parent op 'flow.while'}}
  flow.condition %c () : (tensor<i1>) -> ()
} on_false {
  flow.yield : () -> ()
}

// -----
// flow.yield C1
flow.graph @g {
  // expected-error@below {{expects parent op to be one of 'flow.cond, flow.while, flow.composite, flow.codelet, flow.box_run'}}
  flow.yield : () -> ()
}

// -----
// flow.codelet C1
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected block arguments of the types ('tensor<f32>') in 'body' but got ()}}
flow.codelet (%x) : (tensor<f32>) -> () {
  flow.yield : () -> ()
}

// -----
// flow.codelet C2
%x = "test.value"() : () -> tensor<2xf32>
%y = flow.codelet (%x) : (tensor<2xf32>) -> tensor<?xf32> {
^bb0(%a: tensor<2xf32>):
  // expected-error@below {{expected values of the types ('tensor<?xf32>') but got ('tensor<2xf32>')}}
  flow.yield %a : (tensor<2xf32>) -> ()
}

// -----
// flow.codelet C3
// Control tokens.
%x = "test.value"() : () -> tensor<f32>
flow.codelet (%x) : (tensor<f32>) -> () {
^bb0(%a: tensor<f32>):
  // expected-error@below {{expected only nd ops, branches and loops in a codelet}}
  %t = flow.after %a : (tensor<f32>) -> !flow.token
  flow.yield : () -> ()
}

// -----
// flow.codelet C3
// Primitives.
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
flow.codelet (%v#0, %v#1) : (tensor<i1>, tensor<f32>) -> () {
^bb0(%p: tensor<i1>, %a: tensor<f32>):
  // expected-error@below {{expected only nd ops, branches and loops in a codelet}}
  %r:3 = flow.switch %a, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  flow.yield : () -> ()
}

// -----
// flow.codelet C3
// Effects, also in regions of its ops.
state.variable @v {key = "v", type = tensor<f32>}
%p = "test.value"() : () -> tensor<i1>
flow.codelet (%p) : (tensor<i1>) -> () {
^bb0(%a: tensor<i1>):
  flow.cond %a () : (tensor<i1>) -> () on_true {
    // expected-error@below {{expected only nd ops, branches and loops in a codelet}}
    %h, %t = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
    flow.yield : () -> ()
  } on_false {
    flow.yield : () -> ()
  }
  flow.yield : () -> ()
}

// -----
// flow.cond C5
// An attribute that says more than that it is there.
%p = "test.value"() : () -> tensor<i1>
// expected-error@below {{expected 'codegen.collapse' to be a unit attribute but got true}}
flow.cond %p () {codegen.collapse = true} : (tensor<i1>) -> () on_true {
  flow.yield : () -> ()
} on_false {
  flow.yield : () -> ()
}

// -----
// flow.cond C5
// What is collapsed waits for all of its operands, but code does not know tokens.
%v:2 = "test.value"() : () -> (tensor<i1>, !flow.token)
// expected-error@below {{expected no control tokens in or out of what has 'codegen.collapse'}}
flow.cond %v#0 (%v#1) {codegen.collapse} : (tensor<i1>, !flow.token) -> () on_true {
^bb0(%t: !flow.token):
  flow.yield : () -> ()
} on_false {
^bb0(%t: !flow.token):
  flow.yield : () -> ()
}

// -----
// flow.while C6
state.variable @v {key = "v", type = tensor<f32>}
%p = "test.value"() : () -> tensor<i1>
flow.while (%p) () {codegen.collapse, frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>) -> () before {
^bb0(%a: tensor<i1>):
  // expected-error@below {{expected only nd ops, branches and loops in a codelet}}
  %h, %t = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  flow.condition %a () : (tensor<i1>) -> ()
} body {
^bb0():
  %q = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  flow.yield %q : (tensor<i1>) -> ()
}

// -----
// flow.codelet C4
// expected-error@below {{expected 'codegen.symbol' to be 'sluice_codelet_' and hexadecimal digits but got "printf"}}
flow.codelet () {codegen.symbol = "printf"} : () -> () {
  flow.yield : () -> ()
}

// -----
// flow.codelet C4
// expected-error@below {{expected 'codegen.symbol' to be 'sluice_codelet_' and hexadecimal digits but got 7 : i64}}
flow.codelet () {codegen.symbol = 7} : () -> () {
  flow.yield : () -> ()
}

// -----
// flow.codelet C4
flow.codelet () {codegen.symbol = "sluice_codelet_09af"} : () -> () {
  flow.yield : () -> ()
}
// expected-error@below {{and hexadecimal digits but got "sluice_codelet_"}}
flow.codelet () {codegen.symbol = "sluice_codelet_"} : () -> () {
  flow.yield : () -> ()
}

// -----
// flow.codelet C4
// expected-error@below {{and hexadecimal digits but got "sluice_codelet_AB"}}
flow.codelet () {codegen.symbol = "sluice_codelet_AB"} : () -> () {
  flow.yield : () -> ()
}

// -----
// flow.codelet C4
// expected-error@below {{and hexadecimal digits but got "sluice_codelet_ag"}}
flow.codelet () {codegen.symbol = "sluice_codelet_ag"} : () -> () {
  flow.yield : () -> ()
}

// -----
// flow.while C2
// What is carried may say less than what comes first, but not something else.
%v:2 = "test.value"() : () -> (tensor<i1>, tensor<2xf32>)
%r = flow.while (%v#0, %v#1) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>, tensor<2xf32>) -> tensor<?xf32> before {
^bb0(%a: tensor<i1>, %b: tensor<?xf32>):
  flow.condition %a (%b) : (tensor<i1>, tensor<?xf32>) -> ()
} body {
^bb0(%b: tensor<?xf32>):
  %n = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  flow.yield %n, %b : (tensor<i1>, tensor<?xf32>) -> ()
}
// expected-error@below {{expected block arguments of the types ('tensor<i1>', 'tensor<2xf32>') in 'before' but got ('tensor<i1>', 'tensor<3xf32>')}}
%s = flow.while (%v#0, %v#1) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>, tensor<2xf32>) -> tensor<3xf32> before {
^bb0(%a: tensor<i1>, %b: tensor<3xf32>):
  flow.condition %a (%b) : (tensor<i1>, tensor<3xf32>) -> ()
} body {
^bb0(%b: tensor<3xf32>):
  %n = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  flow.yield %n, %b : (tensor<i1>, tensor<3xf32>) -> ()
}

// -----
// flow.cond C1
%p = "test.value"() : () -> tensor<*xi1>
flow.cond %p () : (tensor<*xi1>) -> () on_true {
  flow.yield : () -> ()
} on_false {
  flow.yield : () -> ()
}
%q = "test.value"() : () -> tensor<i8>
// expected-error@below {{expected a predicate of i1 but got 'tensor<i8>'}}
flow.cond %q () : (tensor<i8>) -> () on_true {
  flow.yield : () -> ()
} on_false {
  flow.yield : () -> ()
}

// -----
// flow.cond C5
// Tokens that come out.
%p = "test.value"() : () -> tensor<i1>
// expected-error@below {{expected no control tokens in or out of what has 'codegen.collapse'}}
%t = flow.cond %p () {codegen.collapse} : (tensor<i1>) -> !flow.token on_true {
  %a = flow.start : () -> !flow.token
  flow.yield %a : (!flow.token) -> ()
} on_false {
  %a = flow.start : () -> !flow.token
  flow.yield %a : (!flow.token) -> ()
}

// -----
// flow.while C1
// expected-error@below {{expected a frame name and parallel_iterations of at least 1}}
flow.while () () {frame = "loop", parallel_iterations = -1 : i64} : () -> () before {
  %c = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  flow.condition %c () : (tensor<i1>) -> ()
} body {
  flow.yield : () -> ()
}
