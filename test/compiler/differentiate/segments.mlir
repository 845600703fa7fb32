// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments of a loop are run again for their mirrors.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients=memory=segments | FileCheck %s

// The outer loop saves what is carried where a segment begins: the counter and the matrix.
// CHECK-LABEL: flow.graph @segments
// CHECK: %[[STATES:.*]] = list.make %{{.*}} {element_shape = tensor<4x8xf32>,
// CHECK: %[[COUNTS:.*]] = list.make %{{.*}} {element_shape = tensor<i32>,
// CHECK: flow.while({{.*}}, %[[STATES]], %[[COUNTS]]) {{.*}} {frame = "loop",
// CHECK: } body {
// CHECK-NOT: list.make
// A segment ends with the loop, or with as many iterations as there were segments, and one.
// CHECK: flow.while({{.*}}) {frame = "loop/segment",
// CHECK: nd.less
// CHECK: %[[LENGTH:.*]] = nd.add %{{.*}}, %{{.*}} : (tensor<i32>, tensor<i32>)
// CHECK-NEXT: %[[INSIDE:.*]] = nd.less %{{.*}}, %[[LENGTH]]
// CHECK-NEXT: %[[ON:.*]] = nd.logical_and %{{.*}}, %[[INSIDE]]
// CHECK: flow.condition %[[ON]](
// CHECK: } body {
// CHECK-NOT: list.push
// CHECK: flow.yield
// CHECK-COUNT-2: list.push
// CHECK-NOT: list.push

// Its mirror has the segment again, with tapes that begin empty. No tape has the counter.
// CHECK: flow.while({{.*}}) {frame = "loop/mirror",
// CHECK: } body {
// CHECK: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<4x8xf32>, %[[SUM:.*]]: tensor<8x8xf32>, %{{.*}}: !list
// CHECK-COUNT-2: list.pop
// CHECK-COUNT-3: list.make
// CHECK: %[[AGAIN:.*]]:5 = flow.while({{.*}}) {{.*}} {frame = "loop/segment",
// CHECK: } body {
// CHECK-COUNT-3: list.push
// The sum of the outer mirror is what the inner one goes on with.
// CHECK: flow.while(%[[AGAIN]]#{{[0-9]+}}, %{{.*}}, %[[SUM]], %{{.*}}) {{.*}} {frame = "loop/segment/mirror",
// CHECK: nd.matmul_onto
// CHECK-NOT: differentiate.segment
flow.graph @segments {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4x8xf32>
  %0 = flow.feed {name = "w"} : () -> tensor<8x8xf32>
  %w = flow.independent %0 {name = "w"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %r:2 = flow.while (%zero, %x) (%n, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4x8xf32>, tensor<i32>, tensor<8x8xf32>) -> (tensor<i32>, tensor<4x8xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>, %v: tensor<8x8xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>, %v: tensor<8x8xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.matmul %s, %v {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %u = nd.tanh %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %c = nd.cast %i : (tensor<i32>) -> tensor<f32>
    %q = nd.mul %u, %c : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    flow.yield %next, %q : (tensor<i32>, tensor<4x8xf32>) -> ()
  }
  %dw = flow.gradient of %r#1 seeds wrt %w stops {name = "gradients"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  flow.fetch %dw {name = "dw"} : (tensor<8x8xf32>) -> ()
}

// -----

// What has an effect must not happen twice.
// CHECK-LABEL: flow.graph @effect
// CHECK-NOT: segment
state.generator @g {key = "g"}
flow.graph @effect {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4x8xf32>
  %0 = flow.feed {name = "w"} : () -> tensor<8x8xf32>
  %w = flow.independent %0 {name = "w"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %r:2 = flow.while (%zero, %x) (%n, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4x8xf32>, tensor<i32>, tensor<8x8xf32>) -> (tensor<i32>, tensor<4x8xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>, %v: tensor<8x8xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>, %v: tensor<8x8xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.matmul %s, %v {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %keys = nd.constant {value = dense<[4, 8]> : tensor<2xi32>} : () -> tensor<2xi32>
    %noise, %done = state.random_uniform %keys {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<2xi32>) -> (tensor<4x8xf32>, !flow.token)
    %u = nd.mul %t, %noise : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    flow.yield %next, %u : (tensor<i32>, tensor<4x8xf32>) -> ()
  }
  %dw = flow.gradient of %r#1 seeds wrt %w stops {name = "gradients"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  flow.fetch %dw {name = "dw"} : (tensor<8x8xf32>) -> ()
}
