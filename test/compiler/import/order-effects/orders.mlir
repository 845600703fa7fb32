// RUN: sluice-opt %s --import-order-effects | FileCheck %s

state.variable @v {key = "v", type = tensor<f32>}
state.variable @w {key = "w", type = tensor<f32>}

// Two reads, a write, a read: the write waits for both reads, the last read for the write.
// CHECK-LABEL: flow.graph @races
flow.graph @races {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %id = flow.gate %v, %d : (!state.ref<tensor<f32>>, !flow.token) -> !state.ref<tensor<f32>>
  // CHECK: %[[A:.*]], %[[AT:.*]] = state.read %[[V:[^ ,]*]] :
  %a, %at = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[B:.*]], %[[BT:.*]] = state.read
  %b, %bt = state.read %id : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[ORDER:.*]] = flow.trigger %[[AT]], %[[BT]]
  // CHECK: %[[W:.*]] = state.assign %[[V]], %{{.*}}, %[[ORDER]] {validate_shape = true}
  %w = state.assign %v, %x {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  // CHECK: %[[LATE:.*]] = flow.trigger %[[W]]
  // CHECK: state.read %{{.*}}, %[[LATE]] :
  %c, %ct = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<f32>) -> ()
  flow.fetch %c {name = "c:0"} : (tensor<f32>) -> ()
  flow.target %w {name = "w"} : (!flow.token) -> ()
}

// Two writes with nothing between, through two handles of one variable.
// CHECK-LABEL: flow.graph @writes
flow.graph @writes {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %d = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %v2, %d2 = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: %[[FIRST:.*]] = state.assign_add
  %a = state.assign_add %v, %x : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  // CHECK: %[[ORDER:.*]] = flow.trigger %[[FIRST]]
  // CHECK: state.assign_sub %{{.*}}, %{{.*}}, %[[ORDER]] :
  %b = state.assign_sub %v2, %x : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.target %a {name = "a"} : (!flow.token) -> ()
  flow.target %b {name = "b"} : (!flow.token) -> ()
}

// An optimizer writes two variables: it waits for the readers of both.
// CHECK-LABEL: flow.graph @both
flow.graph @both {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %d = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %w, %e = state.handle {variable = @w} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: %{{.*}}, %[[AT:.*]] = state.read
  %a, %at = state.read %v : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: %{{.*}}, %[[BT:.*]] = state.read
  %b, %bt = state.read %w : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
  // CHECK: flow.trigger %[[AT]], %[[BT]]
  // CHECK: state.apply_momentum
  %t = state.apply_momentum %v, %w, %x, %x, %x {use_nesterov = false} : (!state.resource<tensor<f32>>, !state.resource<tensor<f32>>, tensor<f32>, tensor<f32>, tensor<f32>) -> !flow.token
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<f32>) -> ()
  flow.target %t {name = "t"} : (!flow.token) -> ()
}
