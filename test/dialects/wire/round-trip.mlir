// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op and attribute parses, prints and parses again, as text and as bytecode.
// RUN: sluice-opt %s | FileCheck %s
// RUN: sluice-opt %s | sluice-opt | FileCheck %s
// RUN: sluice-opt %s --emit-bytecode | sluice-opt | FileCheck %s

// CHECK: module attributes {wire.devices = [{address = "127.0.0.1:0", name = "/job:a/replica:0/task:0/device:CPU:0"}]}
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "127.0.0.1:0"}]} {
  // CHECK: module @rank0 attributes {wire.rank = 0 : i64}
  module @rank0 attributes {wire.rank = 0 : i64} {
    // CHECK: flow.graph @main attributes {wire.frames = ["outer", "outer>inner"]}
    flow.graph @main attributes {wire.frames = ["outer", "outer>inner"]} {
      // CHECK: [[X:%.*]] = wire.recv {edge = 0 : i64, from = 1 : i64} : () -> tensor<?xf32>
      %x = wire.recv {edge = 0 : i64, from = 1 : i64} : () -> tensor<?xf32>
      // CHECK: [[S:%.*]] = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<*x!nd.string>
      %s = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<*x!nd.string>
      // CHECK: [[A:%.*]] = wire.recv {edge = 2 : i64, from = 1 : i64} : () -> !flow.token
      %a = wire.recv {edge = 2 : i64, from = 1 : i64} : () -> !flow.token
      // CHECK: [[B:%.*]] = wire.recv [[A]], [[A]] {edge = 3 : i64, from = 1 : i64} : (!flow.token, !flow.token) -> !flow.token
      %b = wire.recv %a, %a {edge = 3 : i64, from = 1 : i64} : (!flow.token, !flow.token) -> !flow.token
      // CHECK: wire.send [[X]] {edge = 4 : i64, to = 1 : i64} : (tensor<?xf32>) -> ()
      wire.send %x {edge = 4 : i64, to = 1 : i64} : (tensor<?xf32>) -> ()
      // CHECK: wire.send [[S]] {edge = 5 : i64, to = 2 : i64} : (tensor<*x!nd.string>) -> ()
      wire.send %s {edge = 5 : i64, to = 2 : i64} : (tensor<*x!nd.string>) -> ()
      // CHECK: wire.send [[B]] {edge = 6 : i64, to = 1 : i64} : (!flow.token) -> ()
      wire.send %b {edge = 6 : i64, to = 1 : i64} : (!flow.token) -> ()
    }
  }
  flow.graph @placed attributes {wire.frames = []} {
    // CHECK: flow.feed {name = "x", wire.colocate = "w", wire.requested = "/device:CPU:1"}
    %x = flow.feed {name = "x", wire.colocate = "w", wire.requested = "/device:CPU:1"} : () -> tensor<f32>
    // CHECK: nd.neg {{.*}} {wire.device = 1 : i64}
    %y = nd.neg %x {wire.device = 1 : i64} : (tensor<f32>) -> tensor<f32>
    %p = nd.is_finite %x : (tensor<f32>) -> tensor<i1>
    // CHECK: flow.while{{.*}} wire.steering = {enters = [{wire.requested = "/task:1"}], pivot = [{wire.colocate = "w"}]}}
    %r = flow.while (%p) () {frame = "loop", parallel_iterations = 1 : i64, wire.steering = {enters = [{wire.requested = "/task:1"}], pivot = [{wire.colocate = "w"}]}} : (tensor<i1>) -> tensor<i1> before {
    ^bb0(%q: tensor<i1>):
      flow.condition %q (%q) : (tensor<i1>, tensor<i1>) -> ()
    } body {
    ^bb0(%q: tensor<i1>):
      flow.yield %q : (tensor<i1>) -> ()
    }
  }
}

// In whose memory a value lies is a part of its type.
// CHECK: wire.copy %{{.*}} : (tensor<?x4xf32>) -> tensor<?x4xf32, #wire.memory<0>>
// CHECK: wire.copy %{{.*}} : (tensor<?x4xf32, #wire.memory<0>>) -> tensor<?x4xf32>
flow.graph @copies {
  %x = flow.feed {name = "x:0"} : () -> tensor<?x4xf32>
  %y = wire.copy %x : (tensor<?x4xf32>) -> tensor<?x4xf32, #wire.memory<0>>
  %z = wire.copy %y : (tensor<?x4xf32, #wire.memory<0>>) -> tensor<?x4xf32>
  flow.fetch %z {name = "z:0"} : (tensor<?x4xf32>) -> ()
}
