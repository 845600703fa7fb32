// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays and stacks of which everything is in sight become lists, which go from access to access.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(raise-arrays-to-lists))' | FileCheck %s

// A stack is filled in one loop and emptied in another. Its handle is captured no more; the device that
// an access asked for is asked for by what stands for it, and its limit is that of the stack.
// CHECK-LABEL: @stack
// CHECK-NOT: array.
flow.graph @stack {
  %max = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  // CHECK: flow.feed
  // CHECK: %[[SIZE:.*]] = nd.constant {value = dense<0> : tensor<i32>}
  // CHECK: %[[EMPTY:.*]] = list.make %[[SIZE]] {element_shape = tensor<*xf32>, identical = false, wire.requested = "/task:1"} : (tensor<i32>) -> !list.of<tensor<2xf32>>
  %s, %made = array.stack_create %max {dtype = f32, name = "s", wire.requested = "/task:1"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %x = flow.feed {name = "x"} : () -> tensor<2xf32>
  // CHECK: %[[FULL:.*]]:2 = flow.while(%{{.*}}, %[[EMPTY]]) (%{{.*}}, %{{.*}}) {{.*}} -> (tensor<i32>, !list.of<tensor<2xf32>>)
  %pushed = flow.while (%zero) (%n, %s, %x) {frame = "push", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>, !array.stack<tensor<*xf32>>, tensor<2xf32>) -> tensor<i32> before {
  ^bb0(%i: tensor<i32>, %m: tensor<i32>, %h: !array.stack<tensor<*xf32>>, %v: tensor<2xf32>):
    %p = nd.less %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    // CHECK: flow.condition %{{.*}}(%{{.*}}, %{{.*}}) : (tensor<i1>, tensor<i32>, !list.of<tensor<2xf32>>)
    flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  // CHECK: ^bb0(%{{.*}}: tensor<i32>, %[[LIST:.*]]: !list.of<tensor<2xf32>>,
  ^bb0(%i: tensor<i32>, %m: tensor<i32>, %h: !array.stack<tensor<*xf32>>, %v: tensor<2xf32>):
    // CHECK: %[[MORE:.*]] = list.push %[[LIST]], %{{.*}} {limit = 7 : i64, wire.requested = "/task:2"}
    %w, %d = array.stack_push %h, %v {swap_memory = false, wire.requested = "/task:2"} : (!array.stack<tensor<*xf32>>, tensor<2xf32>) -> (tensor<2xf32>, !flow.token)
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    // CHECK: flow.yield %{{.*}}, %[[MORE]]
    flow.yield %next : (tensor<i32>) -> ()
  }
  // CHECK: flow.while(%{{.*}}, %{{.*}}, %[[FULL]]#1)
  %r:2 = flow.while (%pushed, %x) (%zero, %s) {frame = "pop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<2xf32>, tensor<i32>, !array.stack<tensor<*xf32>>) -> (tensor<i32>, tensor<2xf32>) before {
  ^bb0(%i: tensor<i32>, %sum: tensor<2xf32>, %z: tensor<i32>, %h: !array.stack<tensor<*xf32>>):
    %p = nd.less %z, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %sum) : (tensor<i1>, tensor<i32>, tensor<2xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %sum: tensor<2xf32>, %z: tensor<i32>, %h: !array.stack<tensor<*xf32>>):
    // CHECK: %[[VALUE:.*]], %[[LESS:.*]] = list.pop %{{.*}} {element_shape = tensor<*xf32>} : (!list.of<tensor<2xf32>>) -> (tensor<2xf32>, !list.of<tensor<2xf32>>)
    %v, %d = array.stack_pop %h : (!array.stack<tensor<*xf32>>) -> (tensor<2xf32>, !flow.token)
    // CHECK: nd.add %{{.*}}, %[[VALUE]]
    %t = nd.add %sum, %v : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    // CHECK: flow.yield %{{.*}}, %{{.*}}, %[[LESS]]
    flow.yield %next, %t : (tensor<i32>, tensor<2xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<2xf32>) -> ()
}

// -----

// The gradient array is made where somebody first asks for it, outside of the loop, of what its array is
// then. What orders accesses is a number that nobody looks at: sums of it go round as they were.
// CHECK-LABEL: @gradient
// CHECK-NOT: array.
flow.graph @gradient {
  %n = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1, 2, 3, 4]> : tensor<5xi32>} : () -> tensor<5xi32>
  %x = flow.feed {name = "x"} : () -> tensor<5x3xf32>
  %v = flow.feed {name = "v"} : () -> tensor<3xf32>
  // CHECK: %[[MADE:.*]] = list.make %{{.*}} {element_shape = tensor<?xf32>, identical = true} : (tensor<i32>) -> !list.of<tensor<3xf32>>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<?xf32>, dynamic_size = true, clear_after_read = false, identical_element_shapes = true, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: %[[SET:.*]] = list.scatter %[[MADE]], %{{.*}}, %{{.*}} {accumulate = false, grow = true, once = true}
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<5xi32>, tensor<5x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[ZEROS:.*]] = list.zeros_like %[[SET]]
  // CHECK: %[[LOOP:.*]]:4 = flow.while(%{{.*}}, %{{.*}}, %[[SET]], %[[ZEROS]])
  %r:2 = flow.while (%zero, %f1) (%n, %h, %v) {frame = "grad", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<3xf32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %f: tensor<f32>, %m: tensor<i32>, %hh: !array.handle<tensor<*xf32>>, %w: tensor<3xf32>):
    %p = nd.less %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %f) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  // CHECK: ^bb0(%{{.*}}: tensor<i32>, %[[F:.*]]: tensor<f32>, %[[A:.*]]: !list.of<tensor<3xf32>>, %[[G:.*]]: !list.of<tensor<3xf32>>,
  ^bb0(%i: tensor<i32>, %f: tensor<f32>, %m: tensor<i32>, %hh: !array.handle<tensor<*xf32>>, %w: tensor<3xf32>):
    %g, %f2, %d2 = array.grad %hh, %f {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
    // CHECK: %[[SUM:.*]] = list.accumulate %[[G]], %{{.*}}, %{{.*}} :
    %f3, %d3 = array.write %g, %i, %w, %f2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    // CHECK: %[[FLOW:.*]] = nd.add %[[F]], %[[F]]
    %f4 = nd.add %f3, %f : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    // CHECK: flow.yield %{{.*}}, %[[FLOW]], %[[A]], %[[SUM]]
    flow.yield %next, %f4 : (tensor<i32>, tensor<f32>) -> ()
  }
  %g, %fg, %dg = array.grad %h, %r#1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: %[[Y:.*]], %{{.*}} = list.gather %[[LOOP]]#3, %{{.*}} {beyond = true, clear = true, element_shape = tensor<*xf32>}
  %y, %d = array.gather %g, %ix, %fg {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<5xi32>, tensor<f32>) -> (tensor<5x3xf32>, !flow.token)
  // CHECK: flow.fetch %[[Y]]
  flow.fetch %y {name = "y"} : (tensor<5x3xf32>) -> ()
}

// -----

// The branch that leaves the array as it is gives the list that came in.
// CHECK-LABEL: @branch
// CHECK-NOT: array.
flow.graph @branch {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: %[[C:.*]]:2 = flow.cond %{{.*}}(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) :
  %f1 = flow.cond %p (%h, %f0, %x, %zero) : (tensor<i1>, !array.handle<tensor<*xf32>>, tensor<f32>, tensor<f32>, tensor<i32>) -> tensor<f32> on_true {
  ^bb0(%hh: !array.handle<tensor<*xf32>>, %f: tensor<f32>, %v: tensor<f32>, %i: tensor<i32>):
    // CHECK: %[[SET:.*]] = list.set %{{.*}}, %{{.*}}, %{{.*}} {grow = false, once = true} : (!list.of<tensor<f32>>,
    %g, %d = array.write %hh, %i, %v, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    // CHECK: flow.yield %{{.*}}, %[[SET]]
    flow.yield %g : (tensor<f32>) -> ()
  } on_false {
  // CHECK: ^bb0({{.*}}, %[[SAME:.*]]: !list.of<tensor<f32>>):
  ^bb0(%hh: !array.handle<tensor<*xf32>>, %f: tensor<f32>, %v: tensor<f32>, %i: tensor<i32>):
    // CHECK: flow.yield %{{.*}}, %[[SAME]]
    flow.yield %f : (tensor<f32>) -> ()
  }
  // CHECK: %{{.*}}, %[[READ:.*]] = list.get %[[C]]#1, %{{.*}} {beyond = false, clear = true}
  %y, %d = array.read %h, %zero, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: list.length %[[READ]]
  %m, %e = array.size %h, %f1 : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  flow.fetch %m {name = "m"} : (tensor<i32>) -> ()
}

// -----

// Whoever waits for an access waits for what stands for it, and an access waits as before. Closing is
// nothing more than that.
// CHECK-LABEL: @tokens
// CHECK-NOT: array.
flow.graph @tokens {
  %max = nd.constant {value = dense<-1> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %z = flow.feed {name = "z"} : () -> tensor<f32>
  // CHECK: %[[LATER:.*]] = flow.after %{{.*}} : (tensor<f32>)
  %later = flow.after %z : (tensor<f32>) -> !flow.token
  %s, %made = array.stack_create %max {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  // CHECK: %[[GATED:.*]] = flow.gate %{{.*}}, %[[LATER]] : (!list.of<tensor<f32>>, !flow.token)
  // CHECK: %[[PUSHED:.*]] = list.push %[[GATED]], %{{.*}} {limit = -1 : i64}
  %w, %done = array.stack_push %s, %x, %later {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<f32>, !flow.token) -> (tensor<f32>, !flow.token)
  // CHECK: flow.after %[[PUSHED]]
  // CHECK: %[[Y:.*]], %{{.*}} = list.pop
  %y, %popped = array.stack_pop %s, %done : (!array.stack<tensor<*xf32>>, !flow.token) -> (tensor<f32>, !flow.token)
  // CHECK: %[[AFTER:.*]] = flow.after %[[Y]]
  // CHECK: flow.gate %{{.*}}, %[[AFTER]] : (!list.of<tensor<f32>>, !flow.token)
  %closed = array.stack_close %s, %popped : (!array.stack<tensor<*xf32>>, !flow.token) -> !flow.token
  flow.target %closed {name = "closed"} : (!flow.token) -> ()
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}

// -----

// Elements of one shape, which the list learns.
// CHECK-LABEL: @identical
// CHECK: list.make {{.*}}identical = true
// CHECK: list.set
flow.graph @identical {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<?xf32>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = true, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %d = array.write %h, %n, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<?xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %f1 {name = "f"} : (tensor<f32>) -> ()
}

// -----

// Whoever reaches an array or its gradient array through the op that asks for the latter waits for what
// that op waits for. Here it is the second one to ask, so the list is there.
// CHECK-LABEL: @late_gradient
// CHECK-NOT: array.
flow.graph @late_gradient {
  %n = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  // CHECK: %[[LATE:.*]] = flow.after
  %late = flow.after %x : (tensor<f32>) -> !flow.token
  // CHECK: %[[MADE:.*]] = list.make
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: %[[ZEROS:.*]] = list.zeros_like %[[MADE]]
  // CHECK: %[[SUM:.*]] = list.accumulate %[[ZEROS]]
  %g, %f1, %d1 = array.grad %h, %f0 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f2, %d2 = array.write %g, %zero, %x, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[ITS:.*]] = flow.gate %[[SUM]], %[[LATE]]
  // CHECK: %[[OWN:.*]] = flow.gate %[[MADE]], %[[LATE]]
  // CHECK: %[[ASKED:.*]] = flow.after %[[OWN]]
  %again, %f3, %d3 = array.grad %h, %f0, %late {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: list.get %[[ITS]]
  // CHECK: list.length %[[OWN]]
  %y, %d4 = array.read %again, %zero, %f2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %size, %d5 = array.size %h, %f3 : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token)
  // CHECK: flow.target %[[ASKED]]
  flow.target %d3 {name = "asked"} : (!flow.token) -> ()
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  flow.fetch %size {name = "size"} : (tensor<i32>) -> ()
}
