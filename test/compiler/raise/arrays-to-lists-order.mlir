// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the scalars say that order the accesses of arrays: a list waits for them only if they say more
// than that one access to its array comes after another.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(raise-arrays-to-lists))' | FileCheck %s

// Whatever the way is: round a loop that writes, through sums and gates, and from an array to its
// gradient array, which is made of what the array is then.
// CHECK-LABEL: @own
// CHECK-NOT: array.
// CHECK-NOT: flow.gate {{.*}}!list
flow.graph @own {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %r:2 = flow.while (%zero, %a0) (%n, %a, %x) {frame = "r", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %f: tensor<f32>, %m: tensor<i32>, %hh: !array.handle<tensor<*xf32>>, %v: tensor<f32>):
    %p = nd.less %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %f) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %f: tensor<f32>, %m: tensor<i32>, %hh: !array.handle<tensor<*xf32>>, %v: tensor<f32>):
    %w, %wt = array.write %hh, %i, %v, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next, %w : (tensor<i32>, tensor<f32>) -> ()
  }
  %y, %yt = array.read %a, %zero, %r#1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %late = flow.gate %r#1, %yt : (tensor<f32>, !flow.token) -> tensor<f32>
  %z, %zt = array.read %a, %zero, %late : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %all = nd.add %r#1, %late : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %g, %g0, %gt = array.grad %a, %all {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %after = flow.gate %all, %gt : (tensor<f32>, !flow.token) -> tensor<f32>
  %g1, %g1t = array.write %g, %zero, %x, %after : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %again, %again0, %againt = array.grad %a, %g1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %d, %dt = array.read %again, %zero, %again0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  flow.fetch %z {name = "z"} : (tensor<f32>) -> ()
  flow.fetch %d {name = "d"} : (tensor<f32>) -> ()
}

// -----

// Something that is computed, and may fail.
// CHECK-LABEL: @elsewhere
// CHECK-NOT: array.
flow.graph @elsewhere {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: %[[O:.*]] = nd.sqrt
  %o = nd.sqrt %x : (tensor<f32>) -> tensor<f32>
  // CHECK: %[[T:.*]] = flow.after %[[O]]
  // CHECK: %[[LATE:.*]] = flow.gate %{{.*}}, %[[T]] : (!list
  // CHECK: list.set %[[LATE]]
  %a1, %a1t = array.write %a, %zero, %x, %o : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y, %yt = array.read %a, %zero, %a1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}

// -----

// A write to another array, as a scalar and as a token.
// CHECK-LABEL: @another
// CHECK-NOT: array.
flow.graph @another {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %b, %b0, %bt = array.create %n {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "b"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: %[[A:.*]] = list.set
  // CHECK: %[[AT:.*]] = flow.after %[[A]]
  // CHECK: %[[AF:.*]] = flow.gate %{{.*}}, %[[AT]] : (tensor<f32>
  %a1, %a1t = array.write %a, %zero, %x, %a0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[T:.*]] = flow.after %[[AF]]
  // CHECK: %[[LATE:.*]] = flow.gate %{{.*}}, %[[T]] : (!list
  // CHECK: %[[B:.*]] = list.set %[[LATE]]
  %b1, %b1t = array.write %b, %zero, %x, %a1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[BF:.*]] = flow.gate %{{.*}}, %{{.*}} : (tensor<f32>
  // CHECK: %[[BT:.*]] = flow.after %[[B]]
  %c, %c0, %ct = array.create %n {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "c"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: %[[GATED:.*]] = flow.gate %{{.*}}, %[[BT]] : (tensor<f32>
  // CHECK: %[[CT:.*]] = flow.after %[[GATED]]
  // CHECK: %[[C:.*]] = flow.gate %{{.*}}, %[[CT]] : (!list
  // CHECK: list.get %[[C]]
  %late = flow.gate %c0, %b1t : (tensor<f32>, !flow.token) -> tensor<f32>
  %y, %yt = array.read %c, %zero, %late : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}

// -----

// A read of an array that comes after its gradient array has been made.
// CHECK-LABEL: @gradient_waits
// CHECK-NOT: array.
flow.graph @gradient_waits {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: list.zeros_like
  %a1, %a1t = array.write %a, %zero, %x, %a0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %g, %g0, %gt = array.grad %a, %a1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %g1, %g1t = array.write %g, %zero, %x, %g0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[Y:.*]], %{{.*}} = list.get
  // CHECK: %[[YT:.*]] = flow.after %[[Y]]
  // CHECK: %[[F:.*]] = flow.gate %{{.*}}, %[[YT]] : (tensor<f32>
  // CHECK: %[[T:.*]] = flow.after %[[F]]
  // CHECK: %[[LATE:.*]] = flow.gate %{{.*}}, %[[T]] : (!list
  // CHECK: list.get %[[LATE]]
  %y, %yt = array.read %a, %zero, %a1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %late = flow.gate %g1, %yt : (tensor<f32>, !flow.token) -> tensor<f32>
  %z, %zt = array.read %g, %zero, %late : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %z {name = "z"} : (tensor<f32>) -> ()
}

// -----

// A loop that does nothing with the array, but may fail, or never end.
// CHECK-LABEL: @through_loop
// CHECK-NOT: array.
flow.graph @through_loop {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: %[[LOOP:.*]]:2 = flow.while
  %r:2 = flow.while (%zero, %a0) (%n) {frame = "r", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %f: tensor<f32>, %m: tensor<i32>):
    %p = nd.less %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %f) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %f: tensor<f32>, %m: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next, %f : (tensor<i32>, tensor<f32>) -> ()
  }
  // CHECK: %[[T:.*]] = flow.after %[[LOOP]]#1
  // CHECK: %[[LATE:.*]] = flow.gate %{{.*}}, %[[T]] : (!list
  // CHECK: list.get %[[LATE]]
  %y, %yt = array.read %a, %zero, %r#1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}

// -----

// An element that is such a scalar.
// CHECK-LABEL: @written
// CHECK-NOT: array.
flow.graph @written {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %b, %b0, %bt = array.create %n {dtype = f32, element_shape = tensor<f32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "b"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: list.set
  // CHECK: %[[T:.*]] = flow.after
  // CHECK: %[[F:.*]] = flow.gate %{{.*}}, %[[T]]
  // CHECK: list.set %{{.*}}, %{{.*}}, %[[F]]
  %a1, %a1t = array.write %a, %zero, %x, %a0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %b1, %b1t = array.write %b, %zero, %a1, %b0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y, %yt = array.read %b, %zero, %b1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}
