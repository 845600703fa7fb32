// RUN: sluice-opt %s --import-order-effects --verify-diagnostics

state.variable @v {key = "v", type = tensor<f32>}

flow.graph @main {
  %v, %d = state.reference {variable = @v} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // expected-note @below {{this operand comes from frame 'f'}}
  %y = flow.enter %x {frame = "f", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  // expected-error @below {{has inputs from different frames}}
  %t = state.assign %v, %y {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.target %t {name = "t"} : (!flow.token) -> ()
}
