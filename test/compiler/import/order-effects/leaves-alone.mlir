// RUN: sluice-opt %s --import-order-effects | FileCheck %s --implicit-check-not=flow.trigger

state.variable @v {key = "v", type = tensor<f32>}
state.variable @w {key = "w", type = tensor<f32>}

// The graph orders these already, by data and by control.
// CHECK-LABEL: flow.graph @ordered
flow.graph @ordered {
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %a, %at = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
  %w = state.assign %v, %n {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  %b, %bt = state.read %v, %w : (!state.ref<tensor<f32>>, !flow.token) -> (tensor<f32>, !flow.token)
  flow.fetch %b {name = "b:0"} : (tensor<f32>) -> ()
}

// Different variables, and reads among themselves.
// CHECK-LABEL: flow.graph @apart
flow.graph @apart {
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %w, %e = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %a, %at = state.read %v, %w : (!state.ref<tensor<f32>>, !state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %b, %bt = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %t = state.assign %w, %a {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.fetch %b {name = "b:0"} : (tensor<f32>) -> ()
  flow.target %t {name = "t"} : (!flow.token) -> ()
}

// Another frame: only the graph's own edges order.
// CHECK-LABEL: flow.graph @frames
flow.graph @frames {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %a, %at = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %r = flow.enter %v {frame = "f", constant = false, parallel_iterations = 1 : i64} : (!state.ref<tensor<f32>>) -> !state.ref<tensor<f32>>
  %y = flow.enter %x {frame = "f", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %t = state.assign %r, %y {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  %z = flow.gate %y, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  %o = flow.exit %z : (tensor<f32>) -> tensor<f32>
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %o {name = "o:0"} : (tensor<f32>) -> ()
}
