// RUN: sluice-opt %s --import-order-effects | FileCheck %s

state.variable @v {key = "v", type = tensor<f32>}

// A value that came through a merge does not prove that the read has happened: the other input may
// have come first.
// CHECK-LABEL: flow.graph @main
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  // CHECK: %[[A:.*]], %[[AT:.*]] = state.read
  %a, %at = state.read %v, %f : (!state.ref<tensor<f32>>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %m, %i, %mt = flow.merge %a, %t : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  // CHECK: %[[ORDER:.*]] = flow.trigger %[[AT]]
  // CHECK: state.assign %{{.*}}, %{{.*}}, %[[ORDER]] {validate_shape = true}
  %w = state.assign %v, %m {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.target %w {name = "w"} : (!flow.token) -> ()
}
