// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives with respect to variables: to all that is read of them, by whichever handle, before loops and
// in them.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// CHECK-LABEL: flow.graph @resource
// CHECK: %[[HERE:.*]], %{{.*}} = state.read %{{.*}} : (!state.resource
// CHECK: %[[LOOP:.*]]:{{.*}} = flow.while(
// CHECK: } body {
// CHECK: state.read
// CHECK: %[[NONE:.*]] = nd.constant {value = dense<0.0
// CHECK: %[[MIRROR:.*]]:{{.*}} = flow.while(%{{.*}}, %{{.*}}, %[[NONE]], {{.*}}"loop/mirror"
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: tensor<i32>, %[[DS:.*]]: tensor<f32>, %[[DV:.*]]: tensor<f32>,
// CHECK-NOT: state.read
// CHECK: %[[SUM:.*]] = nd.add %[[DV]], %{{.*}}
// CHECK: flow.yield %{{.*}}, %{{.*}}, %[[SUM]],
// Behind the mirror comes what is read before the loop.
// CHECK: %[[PART:.*]] = nd.mul %{{.*}}, %[[MIRROR]]#1
// CHECK-NEXT: nd.add %[[MIRROR]]#2, %[[PART]]
// CHECK: flow.fetch %{{.*}} {name = "dv"}
state.variable @v {key = "v", type = tensor<f32>}
flow.graph @resource {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %h, %t = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %k, %u = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %here, %done = state.read %k : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %s0 = nd.mul %x, %here : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %r:2 = flow.while (%zero, %s0) (%n, %h) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, !state.resource<tensor<f32>>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>, %c: !state.resource<tensor<f32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>, %c: !state.resource<tensor<f32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %v, %w = state.read %c : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
    %m = nd.mul %s, %v : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %j, %m : (tensor<i32>, tensor<f32>) -> ()
  }
  %dv = flow.gradient of %r#1 seeds wrt %h stops {name = "gradients"} : (tensor<f32>, !state.resource<tensor<f32>>) -> tensor<f32>
  flow.fetch %dv {name = "dv"} : (tensor<f32>) -> ()
}

// -----

// By reference. What is read of another variable, or assigned to one, is constant.
// CHECK-LABEL: flow.graph @reference
// CHECK: %[[V:.*]], %{{.*}} = state.read
// CHECK: %[[W:.*]], %{{.*}} = state.read
// CHECK: %[[Y:.*]] = nd.mul %[[V]], %[[W]]
// CHECK: %[[ONE:.*]] = nd.constant {value = dense<1.0
// CHECK-NEXT: %[[DV:.*]] = nd.mul %[[ONE]], %[[W]]
// CHECK-NEXT: flow.fetch %[[DV]]
state.variable @v {key = "v", type = tensor<f32>}
state.variable @w {key = "w", type = tensor<f32>}
flow.graph @reference {
  %h, %t = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %k, %u = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %v, %vd = state.read %h : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %assigned = state.assign %k, %v {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  %gated = flow.gate %k, %assigned : (!state.ref<tensor<f32>>, !flow.token) -> !state.ref<tensor<f32>>
  %w, %wd = state.read %gated : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %y = nd.mul %v, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %dv = flow.gradient of %y seeds wrt %h stops {name = "gradients"} : (tensor<f32>, !state.ref<tensor<f32>>) -> tensor<f32>
  flow.fetch %dv {name = "dv"} : (tensor<f32>) -> ()
}

// -----

// Zeros for a variable that nothing depends on: of unknown shape, of the shape that it has by then.
// CHECK-LABEL: flow.graph @unread
// CHECK: %[[H:.*]], %{{.*}} = state.handle
// CHECK: %[[ZERO:.*]] = nd.constant {value = dense<0.000000e+00> : tensor<f32>}
// CHECK-NEXT: %[[DIMS:.*]], %{{.*}} = state.variable_shape %[[H]] : {{.*}} -> (tensor<1xi64>, !flow.token)
// CHECK-NEXT: %[[DV:.*]] = nd.fill %[[DIMS]], %[[ZERO]]
// CHECK-NEXT: flow.fetch %[[DV]]
state.variable @v {key = "v", type = tensor<?xf32>}
flow.graph @unread {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %h, %t = state.handle {variable = @v} : () -> (!state.resource<tensor<?xf32>>, !flow.token)
  %dv = flow.gradient of %x seeds wrt %h stops {name = "gradients"} : (tensor<f32>, !state.resource<tensor<?xf32>>) -> tensor<?xf32>
  flow.fetch %dv {name = "dv"} : (tensor<?xf32>) -> ()
}
