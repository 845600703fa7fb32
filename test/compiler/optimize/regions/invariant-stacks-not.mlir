// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks that stay although one loop pushes and another one pops in each iteration.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(optimize-invariant-stacks,optimize-prune-regions))' | FileCheck %s

// Another value in each iteration.
// CHECK-LABEL: @varies
// CHECK-COUNT-2: list.push
// CHECK-COUNT-2: list.pop
flow.graph @varies {
  %w = flow.feed {name = "w"} : () -> tensor<f32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %m = flow.feed {name = "m"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %size = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %a = list.make %size {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %al = list.declare_limit %a, %n : (!list.of<tensor<f32>>, tensor<i32>) -> !list.of<tensor<f32>>
  %b = list.make %zero {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %bl = list.declare_limit %b, %n : (!list.of<tensor<f32>>, tensor<i32>) -> !list.of<tensor<f32>>
  %f:4 = flow.while (%zero, %x, %al, %bl) (%n, %w) {frame = "forward", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v, %s, %t) : (tensor<i1>, tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %k = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %u = nd.mul %v, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %s1 = list.push %s, %u {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    %t1 = list.push %t, %v {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    flow.yield %next, %u, %s1, %t1 : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  }
  %g:4 = flow.while (%zero, %x, %f#2, %f#3) (%m) {frame = "backward", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>, tensor<i32>) -> (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) before {
  ^bb0(%i: tensor<i32>, %d: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %d, %s, %t) : (tensor<i1>, tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %d: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sv, %s1 = list.pop %s {element_shape = tensor<*xf32>} : (!list.of<tensor<f32>>) -> (tensor<f32>, !list.of<tensor<f32>>)
    %tv, %t1 = list.pop %t {element_shape = tensor<*xf32>} : (!list.of<tensor<f32>>) -> (tensor<f32>, !list.of<tensor<f32>>)
    %e = nd.mul %d, %sv : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %h = nd.add %e, %tv : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %next, %h, %s1, %t1 : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  }
  flow.fetch %g#1 {name = "r"} : (tensor<f32>) -> ()
}

// -----

// The other one may take more pushes.
// CHECK-LABEL: @limits
// CHECK-COUNT-2: list.push
// CHECK-COUNT-2: list.pop
flow.graph @limits {
  %w = flow.feed {name = "w"} : () -> tensor<f32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %m = flow.feed {name = "m"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %size = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %a = list.make %size {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %al = list.declare_limit %a, %n : (!list.of<tensor<f32>>, tensor<i32>) -> !list.of<tensor<f32>>
  %b = list.make %zero {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %bl = list.declare_limit %b, %m : (!list.of<tensor<f32>>, tensor<i32>) -> !list.of<tensor<f32>>
  %f:4 = flow.while (%zero, %x, %al, %bl) (%n, %w) {frame = "forward", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v, %s, %t) : (tensor<i1>, tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %k = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %u = nd.mul %v, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %s1 = list.push %s, %c {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    %t1 = list.push %t, %v {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    flow.yield %next, %u, %s1, %t1 : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  }
  %g:4 = flow.while (%zero, %x, %f#2, %f#3) (%m) {frame = "backward", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>, tensor<i32>) -> (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) before {
  ^bb0(%i: tensor<i32>, %d: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %d, %s, %t) : (tensor<i1>, tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %d: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sv, %s1 = list.pop %s {element_shape = tensor<*xf32>} : (!list.of<tensor<f32>>) -> (tensor<f32>, !list.of<tensor<f32>>)
    %tv, %t1 = list.pop %t {element_shape = tensor<*xf32>} : (!list.of<tensor<f32>>) -> (tensor<f32>, !list.of<tensor<f32>>)
    %e = nd.mul %d, %sv : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %h = nd.add %e, %tv : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %next, %h, %s1, %t1 : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  }
  flow.fetch %g#1 {name = "r"} : (tensor<f32>) -> ()
}

// -----

// Something was there before: what is popped in the end was not pushed.
// CHECK-LABEL: @elements
// CHECK-COUNT-2: list.push
// CHECK-COUNT-2: list.pop
flow.graph @elements {
  %w = flow.feed {name = "w"} : () -> tensor<f32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %m = flow.feed {name = "m"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %size = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %a = list.make %size {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %al = list.declare_limit %a, %n : (!list.of<tensor<f32>>, tensor<i32>) -> !list.of<tensor<f32>>
  %b = list.make %zero {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %bl = list.declare_limit %b, %n : (!list.of<tensor<f32>>, tensor<i32>) -> !list.of<tensor<f32>>
  %f:4 = flow.while (%zero, %x, %al, %bl) (%n, %w) {frame = "forward", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v, %s, %t) : (tensor<i1>, tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %k = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %u = nd.mul %v, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %s1 = list.push %s, %c {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    %t1 = list.push %t, %v {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    flow.yield %next, %u, %s1, %t1 : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  }
  %g:4 = flow.while (%zero, %x, %f#2, %f#3) (%m) {frame = "backward", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>, tensor<i32>) -> (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) before {
  ^bb0(%i: tensor<i32>, %d: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %d, %s, %t) : (tensor<i1>, tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %d: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sv, %s1 = list.pop %s {element_shape = tensor<*xf32>} : (!list.of<tensor<f32>>) -> (tensor<f32>, !list.of<tensor<f32>>)
    %tv, %t1 = list.pop %t {element_shape = tensor<*xf32>} : (!list.of<tensor<f32>>) -> (tensor<f32>, !list.of<tensor<f32>>)
    %e = nd.mul %d, %sv : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %h = nd.add %e, %tv : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %next, %h, %s1, %t1 : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  }
  flow.fetch %g#1 {name = "r"} : (tensor<f32>) -> ()
}

// -----

// Effects may take their order from what is popped.
// CHECK-LABEL: @effect
// CHECK-COUNT-2: list.push
// CHECK-COUNT-2: list.pop
flow.graph @effect {
  %w = flow.feed {name = "w"} : () -> tensor<f32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %m = flow.feed {name = "m"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %size = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %a = list.make %size {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %al = list.declare_limit %a, %n : (!list.of<tensor<f32>>, tensor<i32>) -> !list.of<tensor<f32>>
  %b = list.make %zero {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %bl = list.declare_limit %b, %n : (!list.of<tensor<f32>>, tensor<i32>) -> !list.of<tensor<f32>>
  %f:4 = flow.while (%zero, %x, %al, %bl) (%n, %w) {frame = "forward", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) before {
  ^bb0(%i: tensor<i32>, %v: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %v, %s, %t) : (tensor<i1>, tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %v: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %k = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %u = nd.mul %v, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %printed = state.print %u {message = "", first_n = -1 : i64, summarize = 3 : i64} : (tensor<f32>) -> !flow.token
    %s1 = list.push %s, %c {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    %t1 = list.push %t, %v {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    flow.yield %next, %u, %s1, %t1 : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  }
  %g:4 = flow.while (%zero, %x, %f#2, %f#3) (%m) {frame = "backward", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>, tensor<i32>) -> (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) before {
  ^bb0(%i: tensor<i32>, %d: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %d, %s, %t) : (tensor<i1>, tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %d: tensor<f32>, %s: !list.of<tensor<f32>>, %t: !list.of<tensor<f32>>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sv, %s1 = list.pop %s {element_shape = tensor<*xf32>} : (!list.of<tensor<f32>>) -> (tensor<f32>, !list.of<tensor<f32>>)
    %tv, %t1 = list.pop %t {element_shape = tensor<*xf32>} : (!list.of<tensor<f32>>) -> (tensor<f32>, !list.of<tensor<f32>>)
    %e = nd.mul %d, %sv : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %h = nd.add %e, %tv : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %next, %h, %s1, %t1 : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  }
  flow.fetch %g#1 {name = "r"} : (tensor<f32>) -> ()
}
