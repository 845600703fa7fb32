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
