// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop reads of a variable is not saved if nobody changes it meanwhile: the mirror reads it again.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// Whoever changes the variable by a derivative waits until it has been read: all results do.
// CHECK-LABEL: flow.graph @unchanged
// CHECK-NOT: list.push %{{.*}}, %read
// CHECK: %[[AGAIN:.*]], %[[DONE:.*]] = state.read
// CHECK: flow.while({{.*}} {frame = "loop/mirror"
// CHECK: %[[DX:.*]] = flow.gate %{{.*}}, %[[DONE]]
// CHECK: %[[DW:.*]] = flow.gate %{{.*}}, %[[DONE]]
// CHECK: state.assign %{{.*}}, %[[DW]]
// CHECK: flow.fetch %[[DX]]
state.variable @w {key = "w", type = tensor<f32>}
flow.graph @unchanged {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %xi = flow.independent %x {name = "x"} : (tensor<f32>) -> tensor<f32>
  %h, %t = state.handle {variable = @w} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %xi) (%n, %h) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, !state.resource<tensor<f32>>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<f32>, %limit: tensor<i32>, %c: !state.resource<tensor<f32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<f32>, %limit: tensor<i32>, %c: !state.resource<tensor<f32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %read, %d = state.read %c : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
    %q = nd.mul %a, %read : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %next, %q : (tensor<i32>, tensor<f32>) -> ()
  }
  %g:2 = flow.gradient of %r#1 seeds wrt %xi, %h stops {name = "g"} : (tensor<f32>, tensor<f32>, !state.resource<tensor<f32>>) -> (tensor<f32>, tensor<f32>)
  %s = state.assign %h, %g#1 {validate_shape = false} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.target %s {name = "step"} : (!flow.token) -> ()
  flow.fetch %g#0 {name = "dx"} : (tensor<f32>) -> ()
}

// -----
// Somebody who does not wait for the derivatives changes it: what was read is saved.
// CHECK-LABEL: flow.graph @changed
// CHECK: } body {
// CHECK: %[[READ:.*]], %{{.*}} = state.read
// CHECK: list.push %{{.*}}, %[[READ]]
// CHECK: "loop/mirror"
// CHECK-NOT: state.read
// CHECK: flow.fetch
state.variable @w {key = "w", type = tensor<f32>}
flow.graph @changed {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %xi = flow.independent %x {name = "x"} : (tensor<f32>) -> tensor<f32>
  %h, %t = state.handle {variable = @w} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %s = state.assign %h, %x {validate_shape = false} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.target %s {name = "set"} : (!flow.token) -> ()
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %xi) (%n, %h) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, !state.resource<tensor<f32>>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<f32>, %limit: tensor<i32>, %c: !state.resource<tensor<f32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %a) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<f32>, %limit: tensor<i32>, %c: !state.resource<tensor<f32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %read, %d = state.read %c : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
    %q = nd.mul %a, %read : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %next, %q : (tensor<i32>, tensor<f32>) -> ()
  }
  %g = flow.gradient of %r#1 seeds wrt %xi stops {name = "g"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %g {name = "dx"} : (tensor<f32>) -> ()
}
