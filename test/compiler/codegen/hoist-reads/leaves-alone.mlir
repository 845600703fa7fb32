// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that cannot be collapsed anyway keeps its reads, as does one that reads nothing.
// RUN: sluice-opt --codegen-hoist-reads %s | FileCheck %s

state.variable @w {key = "w", type = tensor<4xf32>}

// CHECK-LABEL: flow.graph @has_another_obstacle
// CHECK-NEXT: flow.feed
// CHECK-NEXT: state.reference
// CHECK-NEXT: flow.while
// CHECK: state.read
// CHECK-NEXT: array.create
flow.graph @has_another_obstacle {
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %w, %wd = state.reference {variable = @w} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %r = flow.while (%x) (%w) {frame = "l", parallel_iterations = 10 : i64} : (tensor<4xf32>, !state.ref<tensor<4xf32>>) -> tensor<4xf32> before {
  ^bb0(%y: tensor<4xf32>, %v: !state.ref<tensor<4xf32>>):
    %p = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    flow.condition %p (%y) : (tensor<i1>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%y: tensor<4xf32>, %v: !state.ref<tensor<4xf32>>):
    %k = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>
    %u, %d = state.read %v, %y : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> (tensor<4xf32>, !flow.token)
    %a, %flow, %done = array.create %k {clear_after_read = true, dtype = f32, dynamic_size = false, element_shape = tensor<*xf32>, identical_element_shapes = true, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
    %s = nd.neg %u : (tensor<4xf32>) -> tensor<4xf32>
    flow.yield %s : (tensor<4xf32>) -> ()
  }
  flow.fetch %r {name = "y"} : (tensor<4xf32>) -> ()
}

// CHECK-LABEL: flow.graph @reads_nothing
// CHECK-NEXT: flow.feed
// CHECK-NEXT: state.reference
// CHECK-NEXT: state.read
// CHECK-NEXT: flow.while
flow.graph @reads_nothing {
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %w, %wd = state.reference {variable = @w} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %u, %d = state.read %w, %x : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> (tensor<4xf32>, !flow.token)
  %r = flow.while (%x) (%u) {frame = "l", parallel_iterations = 10 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> before {
  ^bb0(%y: tensor<4xf32>, %v: tensor<4xf32>):
    %p = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    flow.condition %p (%y) : (tensor<i1>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%y: tensor<4xf32>, %v: tensor<4xf32>):
    %z = nd.add %y, %v : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    flow.yield %z : (tensor<4xf32>) -> ()
  }
  flow.fetch %r {name = "y"} : (tensor<4xf32>) -> ()
}
