// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is asked of the place phase for a loop or branch stays where it was when the op gets more values.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// A counter and two tapes more are carried, %s is forwarded, and the invariants are what they were.
// CHECK-LABEL: flow.graph @loop
// CHECK: %{{.*}}:5 = flow.while(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) (%{{.*}}) {frame = "loop", parallel_iterations = 10 : i64, wire.steering = {
// CHECK-SAME: enters = [{wire.requested = "/task:1"}, {}, {}, {}]
// CHECK-SAME: exits = [{wire.requested = "/task:2"}, {}, {}, {}, {}]
// CHECK-SAME: invariants = [{wire.requested = "/task:3"}]
// CHECK-SAME: pivot = [{wire.requested = "/task:4"}]
// CHECK-SAME: switches = [{wire.colocate = "s"}, {}, {}, {}, {}]
// CHECK: frame = "loop/mirror", parallel_iterations = 10 : i64} :
flow.graph @loop {
  %most = flow.feed {name = "most"} : () -> tensor<f32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r = flow.while (%x) (%most) {frame = "loop", parallel_iterations = 10 : i64, wire.steering = {enters = [{wire.requested = "/task:1"}], exits = [{wire.requested = "/task:2"}], invariants = [{wire.requested = "/task:3"}], pivot = [{wire.requested = "/task:4"}], switches = [{wire.colocate = "s"}]}} : (tensor<f32>, tensor<f32>) -> tensor<f32> before {
  ^bb0(%s: tensor<f32>, %limit: tensor<f32>):
    %p = nd.less %s, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %e = nd.sin %s : (tensor<f32>) -> tensor<f32>
    flow.condition %p (%e) : (tensor<i1>, tensor<f32>) -> ()
  } body {
  ^bb0(%e: tensor<f32>, %limit: tensor<f32>):
    %t = nd.exp %e : (tensor<f32>) -> tensor<f32>
    flow.yield %t : (tensor<f32>) -> ()
  }
  %dx = flow.gradient of %r seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// CHECK-LABEL: flow.graph @branch
// CHECK: %{{.*}}:2 = flow.cond %{{.*}}(%{{.*}}, %{{.*}}) {wire.steering = {
// CHECK-SAME: merges = [{wire.requested = "/task:3"}, {}]
// CHECK-SAME: on_false = [{wire.requested = "/task:2"}, {}]
// CHECK-SAME: on_true = [{wire.requested = "/task:1"}, {}]
// CHECK: flow.cond %{{.*}}(%{{.*}}) :
flow.graph @branch {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %0 = flow.feed {name = "x"} : () -> tensor<3xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<3xf32>) -> tensor<3xf32>
  %y = flow.cond %p (%x) {wire.steering = {merges = [{wire.requested = "/task:3"}], on_false = [{wire.requested = "/task:2"}], on_true = [{wire.requested = "/task:1"}]}} : (tensor<i1>, tensor<3xf32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<3xf32>):
    %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %s = nd.reduce_sum %a, %axes {keep_dims = false} : (tensor<3xf32>, tensor<1xi32>) -> tensor<f32>
    %e = nd.sin %s : (tensor<f32>) -> tensor<f32>
    flow.yield %e : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<3xf32>):
    %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    flow.yield %one : (tensor<f32>) -> ()
  }
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  flow.fetch %dx {name = "dx"} : (tensor<3xf32>) -> ()
}

// -----

// What is built for an op asks for what the op asks for; what uses a variable is where that is.
// CHECK-LABEL: flow.graph @line
// CHECK: %[[W:.*]], %{{.*}} = state.read %{{.*}} : (
// CHECK: %[[A:.*]] = nd.mul {{.*}}wire.requested = "/task:1"
// CHECK: %[[B:.*]] = nd.sin %[[A]] {wire.colocate = "n"} :
// CHECK: %[[C:.*]] = nd.exp %[[B]] : (
// CHECK: %[[DB:.*]] = nd.mul %{{.*}}, %[[C]] : (
// CHECK: %[[COS:.*]] = nd.cos %[[A]] {wire.colocate = "n"} :
// CHECK: %[[DA:.*]] = nd.mul %[[DB]], %[[COS]] {wire.colocate = "n"} :
// CHECK: nd.mul %{{.*}}, %[[DA]] {wire.requested = "/task:1"} :
state.variable @w {key = "w", type = tensor<f32>}
flow.graph @line {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %handle, %made = state.handle {variable = @w, wire.requested = "/task:2"} : () -> (!state.resource<tensor<f32>>, !flow.token)
  %w, %read = state.read %handle : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %a = nd.mul %x, %w {wire.requested = "/task:1"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %b = nd.sin %a {wire.colocate = "n"} : (tensor<f32>) -> tensor<f32>
  %c = nd.exp %b : (tensor<f32>) -> tensor<f32>
  %dw = flow.gradient of %c seeds wrt %handle stops {name = "gradients"} : (tensor<f32>, !state.resource<tensor<f32>>) -> tensor<f32>
  flow.fetch %dw {name = "dw"} : (tensor<f32>) -> ()
}

// -----

// A tape is where its value is made, also if that is used elsewhere; of what a loop carries, nobody
// asks for anything.
// CHECK-LABEL: flow.graph @tapes
// CHECK: %[[E:.*]] = nd.sin %[[S:.*]] {wire.requested = "/task:1"}
// CHECK: %[[M:.*]] = nd.mul %[[E]], %[[S]] {wire.requested = "/task:2"}
// CHECK-DAG: list.push %{{.*}}, %[[E]] {{.*}}wire.requested = "/task:1"
// CHECK-DAG: list.push %{{.*}}, %[[S]] {limit = -1 : i64} :
// CHECK: frame = "loop/mirror"
// CHECK-DAG: %[[E:.*]], %{{.*}} = list.pop {{.*}}wire.requested = "/task:1"
// CHECK-DAG: %[[S:.*]], %{{.*}} = list.pop %{{.*}} {element_shape = tensor<f32>} :
// CHECK-DAG: nd.mul %[[E]], %{{.*}} {wire.requested = "/task:2"}
// CHECK-DAG: nd.cos %[[S]] {wire.requested = "/task:1"}
flow.graph @tapes {
  %most = flow.feed {name = "most"} : () -> tensor<f32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r = flow.while (%x) (%most) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32> before {
  ^bb0(%s: tensor<f32>, %limit: tensor<f32>):
    %p = nd.less %s, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    flow.condition %p (%s) : (tensor<i1>, tensor<f32>) -> ()
  } body {
  ^bb0(%s: tensor<f32>, %limit: tensor<f32>):
    %e = nd.sin %s {wire.requested = "/task:1"} : (tensor<f32>) -> tensor<f32>
    %m = nd.mul %e, %s {wire.requested = "/task:2"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %m : (tensor<f32>) -> ()
  }
  %dx = flow.gradient of %r seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}
