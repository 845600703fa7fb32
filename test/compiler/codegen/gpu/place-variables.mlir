// Variables that a card's ops read live there, with what updates work with side by side.
// RUN: sluice-opt --codegen-place-variables --codegen-place-on-cards --split-input-file %s | FileCheck %s

// Gradient descent becomes arithmetic between a read and an assignment, and nothing is copied but
// what is fed and fetched. The rate, a number, stays on the host.
// CHECK-LABEL: state.variable @w
// CHECK-SAME:    tensor<32x4xf32, #wire.memory<0>>
// CHECK-LABEL: state.variable @rate
// CHECK-SAME:    type = tensor<f32>}
// CHECK-LABEL: flow.graph @descent
// CHECK-DAG:     %[[V:.*]], %{{.*}} = state.handle {variable = @w} : () -> (!state.resource<tensor<32x4xf32, #wire.memory<0>>>, !flow.token)
// CHECK-DAG:     %[[W:.*]], %[[T:.*]] = state.read %[[V]] : {{.*}} -> (tensor<32x4xf32, #wire.memory<0>>, !flow.token)
// CHECK-DAG:     %[[OLD:.*]], %[[T2:.*]] = state.read %[[V]], %[[T]]
// CHECK-DAG:     %[[STEP:.*]] = nd.mul %{{.*}}, %{{.*}} : (tensor<32x4xf32, #wire.memory<0>>, tensor<f32>) -> tensor<32x4xf32, #wire.memory<0>>
// CHECK-DAG:     %[[NEW:.*]] = nd.sub %[[OLD]], %[[STEP]]
// CHECK-DAG:     %[[DONE:.*]] = state.assign %[[V]], %[[NEW]], %[[T]], %[[T2]] {validate_shape = true}
// CHECK-DAG:     flow.target %[[DONE]]
// CHECK-NOT:     state.apply_gradient_descent
module attributes {codegen.has_card} {
state.variable @w {key = "w", type = tensor<32x4xf32>, initial = dense<0.5> : tensor<32x4xf32>}
state.variable @rate {key = "rate", type = tensor<f32>, initial = dense<0.1> : tensor<f32>}
flow.graph @descent {
  %x = flow.feed {name = "x:0"} : () -> tensor<64x32xf32>
  %v, %t0 = state.handle {variable = @w} : () -> (!state.resource<tensor<32x4xf32>>, !flow.token)
  %r, %t1 = state.handle {variable = @rate} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %w, %t2 = state.read %v : (!state.resource<tensor<32x4xf32>>) -> (tensor<32x4xf32>, !flow.token)
  %rate, %t3 = state.read %r : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %y = nd.matmul %x, %w {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<64x32xf32>, tensor<32x4xf32>) -> tensor<64x4xf32>
  %g = nd.matmul %x, %y {transpose_lhs = true, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<64x32xf32>, tensor<64x4xf32>) -> tensor<32x4xf32>
  %done = state.apply_gradient_descent %v, %rate, %g, %t2 : (!state.resource<tensor<32x4xf32>>, tensor<f32>, tensor<32x4xf32>, !flow.token) -> !flow.token
  flow.target %done {name = "step"} : (!flow.token) -> ()
}
}

// -----

// A momentum is where its weight is; what is read through a loop counts as well.
// CHECK-LABEL: state.variable @m
// CHECK-SAME:    #wire.memory<0>
// CHECK-LABEL: state.variable @w
// CHECK-SAME:    #wire.memory<0>
// CHECK-LABEL: flow.graph @momentum
// CHECK-NOT:     wire.copy
// CHECK-NOT:     state.apply_momentum
// CHECK:         wire.copy %{{.*}} : (tensor<8x8xf32, #wire.memory<0>>) -> tensor<8x8xf32>
module attributes {codegen.has_card} {
state.variable @m {key = "m", type = tensor<8x8xf32>, initial = dense<0.0> : tensor<8x8xf32>}
state.variable @w {key = "w", type = tensor<8x8xf32>, initial = dense<0.5> : tensor<8x8xf32>}
flow.graph @momentum {
  %rate = nd.constant {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %v, %t0 = state.handle {variable = @w} : () -> (!state.resource<tensor<8x8xf32>>, !flow.token)
  %m, %t1 = state.handle {variable = @m} : () -> (!state.resource<tensor<8x8xf32>>, !flow.token)
  %w, %t2 = state.read %v : (!state.resource<tensor<8x8xf32>>) -> (tensor<8x8xf32>, !flow.token)
  %in = flow.enter %w {frame = "f", constant = false, parallel_iterations = 1 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = nd.mul %in, %in : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = flow.exit %y : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %done = state.apply_momentum %v, %m, %rate, %g, %rate, %t2 {use_nesterov = true} : (!state.resource<tensor<8x8xf32>>, !state.resource<tensor<8x8xf32>>, tensor<f32>, tensor<8x8xf32>, tensor<f32>, !flow.token) -> !flow.token
  flow.fetch %g {name = "g:0"} : (tensor<8x8xf32>) -> ()
  flow.target %done {name = "step"} : (!flow.token) -> ()
}
}

// -----

// What the host has to do to a variable keeps it there, and what an update works with beside it.
// CHECK-LABEL: state.variable @w
// CHECK-NOT:     #wire.memory
// CHECK:       flow.graph @rows
// CHECK:         wire.copy
// CHECK:         state.scatter_add
module attributes {codegen.has_card} {
state.variable @w {key = "w", type = tensor<8x8xf32>}
state.variable @m {key = "m", type = tensor<8x8xf32>}
flow.graph @rows {
  %i = flow.feed {name = "i:0"} : () -> tensor<2xi32>
  %u = flow.feed {name = "u:0"} : () -> tensor<2x8xf32>
  %rate = nd.constant {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %v, %t0 = state.handle {variable = @w} : () -> (!state.resource<tensor<8x8xf32>>, !flow.token)
  %m, %t1 = state.handle {variable = @m} : () -> (!state.resource<tensor<8x8xf32>>, !flow.token)
  %x, %t2 = state.read %m : (!state.resource<tensor<8x8xf32>>) -> (tensor<8x8xf32>, !flow.token)
  %y = nd.mul %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = state.apply_momentum %v, %m, %rate, %y, %rate, %t2 {use_nesterov = false} : (!state.resource<tensor<8x8xf32>>, !state.resource<tensor<8x8xf32>>, tensor<f32>, tensor<8x8xf32>, tensor<f32>, !flow.token) -> !flow.token
  %s = state.scatter_add %v, %i, %u, %g : (!state.resource<tensor<8x8xf32>>, tensor<2xi32>, tensor<2x8xf32>, !flow.token) -> !flow.token
  flow.target %s {name = "step"} : (!flow.token) -> ()
}
}

// -----

// So does what only a loop reads that the card runs by itself, for which it was copied.
// CHECK-LABEL: state.variable @w
// CHECK-SAME:    #wire.memory<0>
// CHECK-LABEL: flow.graph @loop_of_card
// CHECK:         %[[W:.*]], %{{.*}} = state.read %{{.*}} -> (tensor<8x8xf32, #wire.memory<0>>, !flow.token)
// CHECK-NOT:     wire.copy %[[W]]
// CHECK:         flow.codelet(%[[W]])
module attributes {codegen.has_card} {
state.variable @w {key = "w", type = tensor<8x8xf32>, initial = dense<0.5> : tensor<8x8xf32>}
flow.graph @loop_of_card {
  %v, %t0 = state.handle {variable = @w} : () -> (!state.resource<tensor<8x8xf32>>, !flow.token)
  %w, %t1 = state.read %v : (!state.resource<tensor<8x8xf32>>) -> (tensor<8x8xf32>, !flow.token)
  %there = wire.copy %w : (tensor<8x8xf32>) -> tensor<8x8xf32, #wire.memory<0>>
  %y = flow.codelet(%there) : (tensor<8x8xf32, #wire.memory<0>>) -> tensor<8x8xf32, #wire.memory<0>> {
  ^bb0(%a: tensor<8x8xf32, #wire.memory<0>>):
    %b = nd.mul %a, %a : (tensor<8x8xf32, #wire.memory<0>>, tensor<8x8xf32, #wire.memory<0>>) -> tensor<8x8xf32, #wire.memory<0>>
    flow.yield %b : (tensor<8x8xf32, #wire.memory<0>>) -> ()
  }
  %back = wire.copy %y : (tensor<8x8xf32, #wire.memory<0>>) -> tensor<8x8xf32>
  flow.fetch %back {name = "y:0"} : (tensor<8x8xf32>) -> ()
}
}
