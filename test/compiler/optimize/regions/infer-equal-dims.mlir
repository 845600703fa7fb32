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
