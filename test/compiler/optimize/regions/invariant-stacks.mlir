// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One loop pushes the same value in every iteration, another one pops it: the stack is not needed,
// if another one of the two fails where this one would have.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(optimize-invariant-stacks,optimize-prune-regions))' | FileCheck %s

// What waited for the stack has waited for the value.
// CHECK-LABEL: @captured
// CHECK: %[[W:.*]] = flow.feed {name = "w"}
// CHECK-COUNT-1: list.push
// CHECK-NOT: list.push
// CHECK: %[[LIST:.*]] = flow.after %{{.*}} : (!list.of<tensor<f32>>)
// CHECK: %[[VALUE:.*]] = flow.after %[[W]]
// CHECK: %[[BOTH:.*]] = flow.join %[[LIST]], %[[VALUE]]
// CHECK: flow.while(%{{.*}}) (%{{.*}}, %[[W]]) {frame = "backward"
// CHECK: ^bb0
// CHECK: ^bb0({{.*}}, %[[C:[a-z0-9]+]]: tensor<f32>
// CHECK-COUNT-1: list.pop
// CHECK-NOT: list.pop
// CHECK: nd.mul %{{.*}}, %[[C]]
// CHECK: flow.gate %{{.*}}, %[[BOTH]]
flow.graph @captured {
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
    %s1 = list.push %s, %c {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    %t1 = list.push %t, %v {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    flow.yield %next, %u, %s1, %t1 : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  }
  %done = flow.after %f#2 : (!list.of<tensor<f32>>) -> !flow.token
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
  %gated = flow.gate %g#1, %done : (tensor<f32>, !flow.token) -> tensor<f32>
  flow.fetch %gated {name = "r"} : (tensor<f32>) -> ()
}

// -----

// Nobody pops.
// CHECK-LABEL: @awaited
// CHECK-COUNT-1: list.push
// CHECK-NOT: list.push
// CHECK: flow.join
// CHECK-COUNT-2: list.pop
flow.graph @awaited {
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
    %s1 = list.push %s, %c {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    %t1 = list.push %t, %v {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    flow.yield %next, %u, %s1, %t1 : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) -> ()
  }
  %done = flow.after %f#2 : (!list.of<tensor<f32>>) -> !flow.token
  %g:4 = flow.while (%zero, %x, %al, %f#3) (%m) {frame = "backward", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>, tensor<i32>) -> (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) before {
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
  %gated = flow.gate %g#1, %done : (tensor<f32>, !flow.token) -> tensor<f32>
  flow.fetch %gated {name = "r"} : (tensor<f32>) -> ()
}

// -----

// A constant has a copy in each loop.
// CHECK-LABEL: @constant
// CHECK-COUNT-1: list.make
// CHECK-NOT: list.make
// CHECK-COUNT-1: list.push
// CHECK-NOT: list.push
// CHECK: frame = "backward"
// CHECK: } body {
// CHECK: %[[K:[0-9]+]] = nd.constant {{ ?}}{value = dense<2.000000e+00>
// CHECK: nd.mul %{{.*}}, %[[K]]
flow.graph @constant {
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
    %s1 = list.push %s, %k {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
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

// One of them stays.
// CHECK-LABEL: @both
// CHECK-COUNT-1: list.push
// CHECK-NOT: list.push
// CHECK: frame = "backward"
// CHECK-COUNT-1: list.pop
// CHECK-NOT: list.pop
flow.graph @both {
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
    %s1 = list.push %s, %k {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
    %t1 = list.push %t, %k {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
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

// Gates say when a list goes on, and not where.
// CHECK-LABEL: @gated
// CHECK-COUNT-1: list.push
// CHECK-NOT: list.push
// CHECK-COUNT-1: list.pop
// CHECK-NOT: list.pop
// CHECK: flow.fetch
flow.graph @gated {
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
  %start = flow.after %x : (tensor<f32>) -> !flow.token
  %ag = flow.gate %al, %start : (!list.of<tensor<f32>>, !flow.token) -> !list.of<tensor<f32>>
  %bg = flow.gate %bl, %start : (!list.of<tensor<f32>>, !flow.token) -> !list.of<tensor<f32>>
  %f:4 = flow.while (%zero, %x, %ag, %bg) (%n, %w) {frame = "forward", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) before {
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
  %fs = flow.gate %f#2, %start : (!list.of<tensor<f32>>, !flow.token) -> !list.of<tensor<f32>>
  %ft = flow.gate %f#3, %start : (!list.of<tensor<f32>>, !flow.token) -> !list.of<tensor<f32>>
  %done = flow.after %f#2 : (!list.of<tensor<f32>>) -> !flow.token
  %g:4 = flow.while (%zero, %x, %fs, %ft) (%m) {frame = "backward", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>, tensor<i32>) -> (tensor<i32>, tensor<f32>, !list.of<tensor<f32>>, !list.of<tensor<f32>>) before {
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
  %gated = flow.gate %g#1, %done : (tensor<f32>, !flow.token) -> tensor<f32>
  flow.fetch %gated {name = "r"} : (tensor<f32>) -> ()
}
