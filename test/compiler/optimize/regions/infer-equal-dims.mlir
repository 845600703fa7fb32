// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of shapes that are computed, and dims that are not known but equal.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(optimize-infer-regions)' | FileCheck %s

// One element of the shape is known, and the loop keeps it.
// CHECK-LABEL: @fills
// CHECK: nd.fill %{{.*}} -> tensor<?x128xf32>
// CHECK: flow.while
// CHECK-SAME: -> tensor<?x128xf32>
flow.graph @fills {
  %x = flow.feed {name = "x"} : () -> tensor<?x?xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %shape = nd.shape %x : (tensor<?x?xf32>) -> tensor<2xi32>
  %zero = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %one = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %batch = nd.slice %shape, %zero, %one : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %units = nd.constant {value = dense<128> : tensor<1xi32>} : () -> tensor<1xi32>
  %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %dims = nd.concat %batch, %units, %axis : (tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<2xi32>
  %number = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %filled = nd.fill %dims, %number : (tensor<2xi32>, tensor<f32>) -> tensor<?x?xf32>
  %r = flow.while (%filled) (%p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x?xf32>, tensor<i1>) -> tensor<?x?xf32> before {
  ^bb0(%a: tensor<?x?xf32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<?x?xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x?xf32>, %q: tensor<i1>):
    %b = nd.exp %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
    flow.yield %b : (tensor<?x?xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?x?xf32>) -> ()
}

// -----

// The derivative of a sum of values with equal dims: no axis is summed over, and no sum is reshaped. A
// sum begins with 0, which an addition keeps.
// CHECK-LABEL: @equal
// CHECK: body
// CHECK: %[[ZERO:.*]] = nd.constant {value = dense<0.0{{.*}}> : tensor<f32>}
// CHECK: %[[SUM:.*]] = nd.add %{{.*}}, %[[ZERO]] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
// CHECK: flow.yield %[[SUM]]
// A sum over a dim that may be another one stays.
// CHECK-LABEL: @other
// CHECK: body
// CHECK: %[[AXES:.*]], %{{.*}} = nd.broadcast_gradient_args
// CHECK: %[[SUM:.*]] = nd.reduce_sum %{{.*}}, %[[AXES]]
// CHECK: %[[SHAPED:.*]] = nd.reshape %[[SUM]]
// CHECK: flow.yield %[[SHAPED]]
flow.graph @equal {
  %x = flow.feed {name = "x"} : () -> tensor<?x3xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.while (%x) (%x, %p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<i1>) -> tensor<?x3xf32> before {
  ^bb0(%a: tensor<?x3xf32>, %c: tensor<?x3xf32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<?x3xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x3xf32>, %c: tensor<?x3xf32>, %q: tensor<i1>):
    %b = nd.mul %a, %c : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    %one = nd.shape %a : (tensor<?x3xf32>) -> tensor<2xi32>
    %two = nd.shape %c : (tensor<?x3xf32>) -> tensor<2xi32>
    %axes, %others = nd.broadcast_gradient_args %one, %two : (tensor<2xi32>, tensor<2xi32>) -> (tensor<?xi32>, tensor<?xi32>)
    %sum = nd.reduce_sum %b, %axes {keep_dims = true} : (tensor<?x3xf32>, tensor<?xi32>) -> tensor<?x?xf32>
    %shaped = nd.reshape %sum, %one : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    flow.yield %shaped : (tensor<?x?xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?x3xf32>) -> ()
}
flow.graph @other {
  %x = flow.feed {name = "x"} : () -> tensor<?x3xf32>
  %y = flow.feed {name = "y"} : () -> tensor<?x3xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.while (%x) (%y, %p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<i1>) -> tensor<?x3xf32> before {
  ^bb0(%a: tensor<?x3xf32>, %c: tensor<?x3xf32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<?x3xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x3xf32>, %c: tensor<?x3xf32>, %q: tensor<i1>):
    %b = nd.mul %a, %c : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    %one = nd.shape %a : (tensor<?x3xf32>) -> tensor<2xi32>
    %two = nd.shape %c : (tensor<?x3xf32>) -> tensor<2xi32>
    %axes, %others = nd.broadcast_gradient_args %one, %two : (tensor<2xi32>, tensor<2xi32>) -> (tensor<?xi32>, tensor<?xi32>)
    %sum = nd.reduce_sum %b, %axes {keep_dims = true} : (tensor<?x3xf32>, tensor<?xi32>) -> tensor<?x?xf32>
    %shaped = nd.reshape %sum, %one : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    flow.yield %shaped : (tensor<?x?xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?x3xf32>) -> ()
}

// -----

// What a loop made of a dim in one iteration says nothing of the next one: %a is longer than %b, which it was.
// CHECK-LABEL: @longer
// CHECK: nd.broadcast_gradient_args
flow.graph @longer {
  %x = flow.feed {name = "x"} : () -> tensor<?xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r:2 = flow.while (%x, %x) (%p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?xf32>, tensor<?xf32>, tensor<i1>) -> (tensor<?xf32>, tensor<?xf32>) before {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>, %q: tensor<i1>):
    flow.condition %q (%a, %b) : (tensor<i1>, tensor<?xf32>, tensor<?xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>, %q: tensor<i1>):
    %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %c = nd.concat %a, %a, %axis : (tensor<?xf32>, tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
    %one = nd.shape %a : (tensor<?xf32>) -> tensor<1xi32>
    %two = nd.shape %b : (tensor<?xf32>) -> tensor<1xi32>
    %axes, %others = nd.broadcast_gradient_args %one, %two : (tensor<1xi32>, tensor<1xi32>) -> (tensor<?xi32>, tensor<?xi32>)
    %sum = nd.reduce_sum %b, %others {keep_dims = false} : (tensor<?xf32>, tensor<?xi32>) -> tensor<*xf32>
    %d = nd.reshape %sum, %two : (tensor<*xf32>, tensor<1xi32>) -> tensor<?xf32>
    flow.yield %c, %a : (tensor<?xf32>, tensor<?xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r"} : (tensor<?xf32>) -> ()
}

// -----

// The shape of a variable is that of its value, unless it may be assigned another one.
// CHECK-LABEL: @checked
// CHECK: nd.fill %{{.*}} -> tensor<2x3xf32>
state.variable @w {key = "w", type = tensor<2x3xf32>}
flow.graph @checked {
  %handle, %t = state.handle {variable = @w} : () -> (!state.resource<tensor<2x3xf32>>, !flow.token)
  %shape, %u = state.variable_shape %handle : (!state.resource<tensor<2x3xf32>>) -> (tensor<?xi32>, !flow.token)
  %number = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %r = nd.fill %shape, %number : (tensor<?xi32>, tensor<f32>) -> tensor<*xf32>
  flow.fetch %r {name = "r"} : (tensor<*xf32>) -> ()
}

// -----

// CHECK-LABEL: @loose
// CHECK: nd.fill %{{.*}} -> tensor<*xf32>
state.variable @w {key = "w", type = tensor<2x3xf32>}
flow.graph @loose {
  %x = flow.feed {name = "x"} : () -> tensor<?xf32>
  %handle, %t = state.handle {variable = @w} : () -> (!state.resource<tensor<2x3xf32>>, !flow.token)
  %shape, %u = state.variable_shape %handle : (!state.resource<tensor<2x3xf32>>) -> (tensor<?xi32>, !flow.token)
  %done = state.assign %handle, %x {validate_shape = false} : (!state.resource<tensor<2x3xf32>>, tensor<?xf32>) -> !flow.token
  %number = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %r = nd.fill %shape, %number : (tensor<?xi32>, tensor<f32>) -> tensor<*xf32>
  flow.fetch %r {name = "r"} : (tensor<*xf32>) -> ()
  flow.target %done {name = "a"} : (!flow.token) -> ()
}

// -----

// Who has a row by its index has seen that there is one: its other dims keep their names.
// CHECK-LABEL: @row
// CHECK: nd.broadcast_gradient_args {{.*}} -> (tensor<0xi32>, tensor<0xi32>)
flow.graph @row {
  %x = flow.feed {name = "x"} : () -> tensor<?x?x3xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %zero = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %one = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %two = nd.constant {value = dense<2> : tensor<1xi32>} : () -> tensor<1xi32>
  %first = nd.strided_slice %x, %zero, %one, %one {begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64} : (tensor<?x?x3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x3xf32>
  %shape = nd.shape %x : (tensor<?x?x3xf32>) -> tensor<3xi32>
  %dims = nd.slice %shape, %one, %two : (tensor<3xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r = flow.while (%first) (%dims, %p) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<?x3xf32>, tensor<2xi32>, tensor<i1>) -> tensor<?x3xf32> before {
  ^bb0(%a: tensor<?x3xf32>, %d: tensor<2xi32>, %q: tensor<i1>):
    flow.condition %q (%a) : (tensor<i1>, tensor<?x3xf32>) -> ()
  } body {
  ^bb0(%a: tensor<?x3xf32>, %d: tensor<2xi32>, %q: tensor<i1>):
    %own = nd.shape %a : (tensor<?x3xf32>) -> tensor<2xi32>
    %axes, %others = nd.broadcast_gradient_args %own, %d : (tensor<2xi32>, tensor<2xi32>) -> (tensor<?xi32>, tensor<?xi32>)
    %sum = nd.reduce_sum %a, %axes {keep_dims = false} : (tensor<?x3xf32>, tensor<?xi32>) -> tensor<*xf32>
    %b = nd.reshape %sum, %own : (tensor<*xf32>, tensor<2xi32>) -> tensor<?x3xf32>
    flow.yield %b : (tensor<?x3xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<?x3xf32>) -> ()
}

// -----

// A list that keeps its length has as many rows as it was made for; one that grows may have more.
// CHECK-LABEL: @rows
// CHECK: nd.broadcast_gradient_args {{.*}} -> (tensor<0xi32>, tensor<0xi32>)
// CHECK: nd.broadcast_gradient_args {{.*}} -> (tensor<?xi32>, tensor<?xi32>)
flow.graph @rows {
  %x = flow.feed {name = "x"} : () -> tensor<?x3xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %shape = nd.shape %x : (tensor<?x3xf32>) -> tensor<2xi32>
  %v0 = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %v1 = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %n = nd.strided_slice %shape, %v0, %v1, %v1 {begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<i32>
  %from = list.unstack %x {element_shape = tensor<3xf32>} : (tensor<?x3xf32>) -> !list.of<tensor<3xf32>>
  %made = list.make %n {element_shape = tensor<3xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<3xf32>>
  %other = list.make %n {element_shape = tensor<3xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<3xf32>>
  %i, %kept, %grown = flow.while (%zero, %made, %other) (%from, %n) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, !list.of<tensor<3xf32>>, !list.of<tensor<3xf32>>, !list.of<tensor<3xf32>>, tensor<i32>) -> (tensor<i32>, !list.of<tensor<3xf32>>, !list.of<tensor<3xf32>>) before {
  ^bb0(%k: tensor<i32>, %a: !list.of<tensor<3xf32>>, %g: !list.of<tensor<3xf32>>, %f: !list.of<tensor<3xf32>>, %end: tensor<i32>):
    %q = nd.less %k, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %q (%k, %a, %g) : (tensor<i1>, tensor<i32>, !list.of<tensor<3xf32>>, !list.of<tensor<3xf32>>) -> ()
  } body {
  ^bb0(%k: tensor<i32>, %a: !list.of<tensor<3xf32>>, %g: !list.of<tensor<3xf32>>, %f: !list.of<tensor<3xf32>>, %end: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = list.peek %f, %k {element_shape = tensor<3xf32>} : (!list.of<tensor<3xf32>>, tensor<i32>) -> tensor<3xf32>
    %set = list.set %a, %k, %row {grow = false, once = false} : (!list.of<tensor<3xf32>>, tensor<i32>, tensor<3xf32>) -> !list.of<tensor<3xf32>>
    %grow = list.set %g, %next, %row {grow = true, once = false} : (!list.of<tensor<3xf32>>, tensor<i32>, tensor<3xf32>) -> !list.of<tensor<3xf32>>
    flow.yield %next, %set, %grow : (tensor<i32>, !list.of<tensor<3xf32>>, !list.of<tensor<3xf32>>) -> ()
  }
  %y = list.stack %kept {element_shape = tensor<3xf32>, num_elements = -1 : i64} : (!list.of<tensor<3xf32>>) -> tensor<?x3xf32>
  %z = list.stack %grown {element_shape = tensor<3xf32>, num_elements = -1 : i64} : (!list.of<tensor<3xf32>>) -> tensor<?x3xf32>
  %r = flow.while (%p) (%y, %z, %shape) {frame = "second", parallel_iterations = 1 : i64} : (tensor<i1>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<2xi32>) -> tensor<i1> before {
  ^bb0(%q: tensor<i1>, %a: tensor<?x3xf32>, %g: tensor<?x3xf32>, %d: tensor<2xi32>):
    flow.condition %q (%q) : (tensor<i1>, tensor<i1>) -> ()
  } body {
  ^bb0(%q: tensor<i1>, %a: tensor<?x3xf32>, %g: tensor<?x3xf32>, %d: tensor<2xi32>):
    %own = nd.shape %a : (tensor<?x3xf32>) -> tensor<2xi32>
    %its = nd.shape %g : (tensor<?x3xf32>) -> tensor<2xi32>
    %axes, %others = nd.broadcast_gradient_args %own, %d : (tensor<2xi32>, tensor<2xi32>) -> (tensor<?xi32>, tensor<?xi32>)
    %more, %rest = nd.broadcast_gradient_args %its, %d : (tensor<2xi32>, tensor<2xi32>) -> (tensor<?xi32>, tensor<?xi32>)
    %one = nd.size %axes : (tensor<?xi32>) -> tensor<i32>
    %two = nd.size %more : (tensor<?xi32>) -> tensor<i32>
    %b = nd.equal %one, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.yield %b : (tensor<i1>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i1>) -> ()
}
