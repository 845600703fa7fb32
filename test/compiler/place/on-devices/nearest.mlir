// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What asks for nothing goes to the nearest device, counted in edges; requests come before feeds and fetches.
// RUN: sluice-opt --place-on-devices %s | FileCheck %s

module attributes {wire.devices = [
  {name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"},
  {name = "/job:b/replica:0/task:0/device:CPU:0", address = "b:1"},
  {name = "/job:c/replica:0/task:0/device:CPU:0", address = "c:1"}]} {

// CHECK-LABEL: flow.graph @chain
// CHECK: nd.neg {{.*}}wire.device = 0
// CHECK: nd.abs {{.*}}wire.device = 1
// CHECK: nd.exp {{.*}}wire.device = 1
// CHECK: nd.sin {{.*}}wire.device = 1
// CHECK: nd.cos {{.*}}wire.device = 2
// CHECK: nd.tanh {{.*}}wire.device = 2
flow.graph @chain {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %0 = nd.neg %x : (tensor<f32>) -> tensor<f32>
  %1 = nd.abs %0 : (tensor<f32>) -> tensor<f32>
  %2 = nd.exp %1 {wire.requested = "/job:b"} : (tensor<f32>) -> tensor<f32>
  %3 = nd.sin %2 : (tensor<f32>) -> tensor<f32>
  %4 = nd.cos %3 {wire.requested = "/job:c"} : (tensor<f32>) -> tensor<f32>
  %5 = nd.tanh %4 : (tensor<f32>) -> tensor<f32>
  flow.fetch %5 {name = "y:0"} : (tensor<f32>) -> ()
}

// What steers a loop stays with the values of the loop; the test of the loop may be elsewhere.
// CHECK-LABEL: flow.graph @loop
// CHECK: flow.enter {{.*}}wire.device = 2
// CHECK: flow.merge {{.*}}wire.device = 2
// CHECK: nd.less {{.*}}wire.device = 1
// CHECK: flow.loop_cond {{.*}}wire.device = 1
// CHECK: flow.switch {{.*}}wire.device = 2
// CHECK: nd.add {{.*}}wire.device = 2
// CHECK: flow.next_iteration {{.*}}wire.device = 2
// CHECK: flow.exit {{.*}}wire.device = 2
flow.graph @loop {
  %zero = flow.feed {name = "zero:0"} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %index, %merged = flow.merge %first, %again {wire.requested = "/job:c"} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %less = nd.less %i, %two {wire.requested = "/job:b"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  %result = flow.exit %leave : (tensor<i32>) -> tensor<i32>
  flow.fetch %result {name = "result"} : (tensor<i32>) -> ()
}

// What only orders adds no edges between devices: gates, joins and triggers are with the first op
// that waits, afters and targets with the op that is waited for, through chains of them as well.
// CHECK-LABEL: flow.graph @order
// CHECK: nd.neg {{.*}}wire.device = 1
// CHECK: flow.after {{.*}}wire.device = 1
// CHECK: flow.trigger {{.*}}wire.device = 2
// CHECK: flow.join {{.*}}wire.device = 2
// CHECK: flow.gate {{.*}}wire.device = 2
// CHECK: nd.abs {{.*}}wire.device = 2
// CHECK: flow.after {{.*}}wire.device = 2
// CHECK: flow.target {{.*}}wire.device = 2
// Only a target waits: that follows its producer, so the join does, too.
// CHECK: flow.join {{.*}}wire.device = 1
// CHECK: flow.target {{.*}}wire.device = 1
// A gate that an after waits for, and nobody else.
// CHECK: flow.gate {{.*}}wire.device = 2
// CHECK: flow.after {{.*}}wire.device = 2
// CHECK: flow.target {{.*}}wire.device = 2
// A constant is everywhere, so the after is where somebody waits.
// CHECK: flow.after {{.*}}wire.device = 2
// CHECK: flow.gate {{.*}}wire.device = 2
// CHECK: nd.exp {{.*}}wire.device = 2
// Only the start of the call.
// CHECK: flow.join {{.*}}wire.device = 0
// CHECK: flow.target {{.*}}wire.device = 0
flow.graph @order {
  %start = flow.start : () -> !flow.token
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %a = nd.neg %x {wire.requested = "/job:b"} : (tensor<f32>) -> tensor<f32>
  %t0 = flow.after %a : (tensor<f32>) -> !flow.token
  %t1 = flow.trigger %t0 : (!flow.token) -> !flow.token
  %t2 = flow.join %t1, %t0 : (!flow.token, !flow.token) -> !flow.token
  %g = flow.gate %x, %t2 : (tensor<f32>, !flow.token) -> tensor<f32>
  %b = nd.abs %g {wire.requested = "/job:c"} : (tensor<f32>) -> tensor<f32>
  %t3 = flow.after %b : (tensor<f32>) -> !flow.token
  flow.target %t3 {name = "b"} : (!flow.token) -> ()
  %t4 = flow.join %t0, %t3 : (!flow.token, !flow.token) -> !flow.token
  flow.target %t4 {name = "both"} : (!flow.token) -> ()
  %h = flow.gate %b, %t0 : (tensor<f32>, !flow.token) -> tensor<f32>
  %t5 = flow.after %h : (tensor<f32>) -> !flow.token
  flow.target %t5 {name = "h"} : (!flow.token) -> ()
  %t6 = flow.after %c : (tensor<f32>) -> !flow.token
  %k = flow.gate %c, %t6 : (tensor<f32>, !flow.token) -> tensor<f32>
  %e = nd.exp %k {wire.requested = "/job:c"} : (tensor<f32>) -> tensor<f32>
  flow.fetch %e {name = "e:0"} : (tensor<f32>) -> ()
  %t7 = flow.join %start : (!flow.token) -> !flow.token
  flow.target %t7 {name = "start"} : (!flow.token) -> ()
}
}
