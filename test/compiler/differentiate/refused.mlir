// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a derivative cannot go through is named, with what to do about it.
// RUN: sluice-opt %s --split-input-file --allow-unregistered-dialect --differentiate-build-gradients --verify-diagnostics

// A function that has a variable by itself.
state.variable @v {key = "v", type = tensor<f32>}
flow.func @f : () -> tensor<f32> {
  %v, %made = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %r, %done = state.read %v : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
  flow.return %r : (tensor<f32>) -> ()
}
flow.graph @handle {
  %v, %made = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %y, %done = flow.call @f () : () -> (tensor<f32>, !flow.token)
  // expected-error@below {{a derivative is asked for with respect to variable 'v', of which function 'f', which is called at run time, has a handle of its own; expected that it is given one}}
  %dv = flow.gradient of %y seeds wrt %v stops {name = "gradients"} : (tensor<f32>, !state.resource<tensor<f32>>) -> tensor<f32>
  flow.fetch %dv {name = "dv"} : (tensor<f32>) -> ()
}

// -----

// An array that is no value.
flow.graph @array {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = true, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.write %h, %zero, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // expected-error@below {{a derivative is asked for that depends on an array or stack that is no value (array.read); --explain-raise says why}}
  %y, %t2 = array.read %h, %zero, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// A loop that stayed primitive.
flow.graph @loop {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %a = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %m, %mi, %mt = flow.merge %a, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %z = flow.enter %zero {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %p = nd.greater %m, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %m, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %neg = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %n = flow.next_iteration %neg : (tensor<f32>) -> tensor<f32>
  // expected-error@below {{a derivative is asked for that depends on a loop that has no structure (flow.exit); --explain-raise says why}}
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// A branch that stayed primitive, in a function: what one way saves would be dead where the other is taken.
flow.func @f : (tensor<f32>, tensor<i1>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %p = flow.argument {index = 1 : i64} : () -> tensor<i1>
  %f, %t, %st = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %e = nd.exp %t : (tensor<f32>) -> tensor<f32>
  // expected-error@below {{a derivative is asked for that depends on a branch that has no structure (flow.merge), in a function that is called at run time; --explain-raise says why}}
  %y, %i, %mt = flow.merge %f, %e : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.return %y : (tensor<f32>) -> ()
}
flow.graph @branch_in_function {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %y, %t = flow.call @f (%x, %p) : (tensor<f32>, tensor<i1>) -> (tensor<f32>, !flow.token)
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// A gradient of the program's own, in the body of a loop.
flow.graph @own_gradient {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r:2 = flow.while (%zero, %x) () {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>):
    %limit = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %e = nd.exp %s : (tensor<f32>) -> tensor<f32>
    // expected-error@below {{a derivative is asked for that depends on 'custom.Mine', whose derivative is known only to the program that made the graph}}
    %t = flow.known_as "custom.Mine" %e of %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %j, %t : (tensor<i32>, tensor<f32>) -> ()
  }
  %dx = flow.gradient of %r#1 seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// What refuses all derivatives, in `before` of a loop.
flow.graph @prevented {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r:2 = flow.while (%zero, %x) () {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>):
    %limit = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    // expected-error@below {{expected that no derivative goes through 'PreventGradient', but one is asked for; put 'StopGradient' in its place where zeros will do}}
    %t = flow.known_as "tf.PreventGradient" %s of %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.condition %p (%i, %t) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %j, %s : (tensor<i32>, tensor<f32>) -> ()
  }
  %dx = flow.gradient of %r#1 seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// Lists of lists behind each other, in one way of a branch.
flow.graph @lists {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<3xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<3xf32>) -> tensor<3xf32>
  %l = list.unstack %x {element_shape = tensor<f32>} : (tensor<3xf32>) -> !list.of<tensor<f32>>
  %none = list.make %zero {element_shape = tensor<*xi8>, identical = false} : (tensor<i32>) -> !list.of<!list.of<tensor<f32>>>
  %both = flow.cond %p (%none, %l) : (tensor<i1>, !list.of<!list.of<tensor<f32>>>, !list.of<tensor<f32>>) -> !list.of<!list.of<tensor<f32>>> on_true {
  ^bb0(%a: !list.of<!list.of<tensor<f32>>>, %b: !list.of<tensor<f32>>):
    %c = list.push %a, %b {limit = -1 : i64} : (!list.of<!list.of<tensor<f32>>>, !list.of<tensor<f32>>) -> !list.of<!list.of<tensor<f32>>>
    // expected-error@below {{'list.append' op has a derivative for elements that are tensors, but got '!list.of<!list.of<tensor<f32>>>'}}
    %d = list.append %c, %c : (!list.of<!list.of<tensor<f32>>>, !list.of<!list.of<tensor<f32>>>) -> !list.of<!list.of<tensor<f32>>>
    flow.yield %d : (!list.of<!list.of<tensor<f32>>>) -> ()
  } on_false {
  ^bb0(%a: !list.of<!list.of<tensor<f32>>>, %b: !list.of<tensor<f32>>):
    flow.yield %a : (!list.of<!list.of<tensor<f32>>>) -> ()
  }
  %last, %rest = list.pop %both {element_shape = tensor<*xi8>} : (!list.of<!list.of<tensor<f32>>>) -> (!list.of<tensor<f32>>, !list.of<!list.of<tensor<f32>>>)
  %y = list.stack %last {element_shape = tensor<f32>, num_elements = -1 : i64} : (!list.of<tensor<f32>>) -> tensor<?xf32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<?xf32>, tensor<3xf32>) -> tensor<3xf32>
  flow.fetch %dx {name = "dx"} : (tensor<3xf32>) -> ()
}

// -----

// An op that nobody knows.
flow.graph @unknown {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  // expected-error@below {{a derivative is asked for that depends on op test.other, which has none}}
  %y = "test.other"(%x) : (tensor<f32>) -> tensor<f32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// A variable of integers.
state.variable @v {key = "v", type = tensor<i32>}
flow.graph @integers {
  %h, %t = state.handle {variable = @v} : () -> (!state.resource<tensor<i32>>, !flow.token)
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  // expected-error@below {{expected variables or tensors of floats or complex numbers to differentiate by but got '!state.resource<tensor<i32>>'}}
  %dv = flow.gradient of %x seeds wrt %h stops {name = "gradients"} : (tensor<f32>, !state.resource<tensor<i32>>) -> tensor<i32>
  flow.fetch %dv {name = "dv"} : (tensor<i32>) -> ()
}
