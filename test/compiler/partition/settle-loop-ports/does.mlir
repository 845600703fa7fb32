// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters and next_iterations are copied to the ranks that use them, exits move to their producers.
// RUN: sluice-opt %s --split-input-file --partition-settle-loop-ports | FileCheck %s

// Used on both ranks, once through a control token.
// CHECK-LABEL: flow.graph @copies
module attributes {wire.devices = [{name = "a", address = "h:1"}, {name = "b", address = "h:2"}]} {
  flow.graph @copies {
    %x = flow.feed {name = "x:0", wire.device = 0 : i64} : () -> tensor<f32>
    // CHECK-DAG: %[[ON0:.*]] = flow.enter %{{.*}} {constant = true, frame = "l", parallel_iterations = 10 : i64, wire.device = 0 : i64}
    // CHECK-DAG: %[[ON1:.*]] = flow.enter %{{.*}} {constant = true, frame = "l", parallel_iterations = 10 : i64, wire.device = 1 : i64}
    %c = flow.enter %x {frame = "l", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    %t = flow.after %c : (tensor<f32>) -> !flow.token
    // CHECK-DAG: %[[T:.*]] = flow.after %[[ON1]]
    // CHECK: nd.neg %[[ON0]]
    %n = nd.neg %c {wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    // CHECK: flow.gate %[[ON1]], %[[T]]
    %g = flow.gate %c, %t {wire.device = 1 : i64} : (tensor<f32>, !flow.token) -> tensor<f32>
    %m = nd.mul %n, %g {wire.device = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  }
}

// -----

// The merge is on rank 1, so both of its operands are; the exit follows the switch.
// CHECK-LABEL: flow.graph @moves
module attributes {wire.devices = [{name = "a", address = "h:1"}, {name = "b", address = "h:2"}]} {
  flow.graph @moves {
    %x = flow.feed {name = "x:0", wire.device = 0 : i64} : () -> tensor<f32>
    // CHECK: %[[E:.*]] = flow.enter %{{.*}} wire.device = 1 : i64}
    %e = flow.enter %x {frame = "l", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    // CHECK: flow.merge %[[E]], %[[N:.*]] {wire.device = 1 : i64}
    %v, %i, %token = flow.merge %e, %next {wire.device = 1 : i64} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
    %p = nd.is_finite %v {wire.device = 0 : i64} : (tensor<f32>) -> tensor<i1>
    %go = flow.loop_cond %p {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %f, %t, %s = flow.switch %v, %go {wire.device = 1 : i64} : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
    %b = nd.exp %t {wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    // CHECK: %[[N]] = flow.next_iteration %{{.*}} {wire.device = 1 : i64}
    %next = flow.next_iteration %b {wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    // CHECK: flow.exit %{{.*}} {wire.device = 1 : i64}
    %out = flow.exit %f {wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    flow.fetch %out {name = "out:0", wire.device = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----

// An enter of a nested frame follows its user, and the enter before it follows that.
// CHECK-LABEL: flow.graph @nested
module attributes {wire.devices = [{name = "a", address = "h:1"}, {name = "b", address = "h:2"}]} {
  flow.graph @nested {
    %x = flow.feed {name = "x:0", wire.device = 0 : i64} : () -> tensor<f32>
    // CHECK: flow.enter %{{.*}} frame = "outer"{{.*}} wire.device = 1 : i64}
    %o = flow.enter %x {frame = "outer", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    // CHECK: flow.enter %{{.*}} frame = "inner"{{.*}} wire.device = 1 : i64}
    %i = flow.enter %o {frame = "inner", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    %n = nd.neg %i {wire.device = 1 : i64} : (tensor<f32>) -> tensor<f32>
  }
}

// -----

// A handle stays with its array; only the token goes elsewhere.
// CHECK-LABEL: flow.graph @handles
module attributes {wire.devices = [{name = "a", address = "h:1"}, {name = "b", address = "h:2"}]} {
  flow.graph @handles {
    %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %x = flow.feed {name = "x:0", wire.device = 1 : i64} : () -> tensor<f32>
    %h, %f, %d = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "in", wire.device = 0 : i64} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
    // CHECK: %[[H:.*]] = flow.enter %{{.*}} wire.device = 0 : i64} : (!array.handle<tensor<*xf32>>)
    %i = flow.enter %h {frame = "l", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (!array.handle<tensor<*xf32>>) -> !array.handle<tensor<*xf32>>
    // CHECK: %[[T:.*]] = flow.after %[[H]]
    %t = flow.after %i {wire.device = 0 : i64} : (!array.handle<tensor<*xf32>>) -> !flow.token
    %e = flow.enter %x {frame = "l", constant = true, parallel_iterations = 10 : i64, wire.device = 1 : i64} : (tensor<f32>) -> tensor<f32>
    // CHECK: flow.gate %{{.*}}, %[[T]]
    %g = flow.gate %e, %t {wire.device = 1 : i64} : (tensor<f32>, !flow.token) -> tensor<f32>
  }
}

// -----

// Without devices nothing changes.
// CHECK-LABEL: flow.graph @alone
// CHECK-NOT: wire.device
flow.graph @alone {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %e = flow.enter %x {frame = "l", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %n = nd.neg %e : (tensor<f32>) -> tensor<f32>
}
