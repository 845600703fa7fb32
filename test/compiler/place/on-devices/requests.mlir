// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops go where their nodes ask to be; names may be partial. What nodes asked for is gone afterwards.
// RUN: sluice-opt --place-on-devices %s | FileCheck %s --implicit-check-not=wire.requested --implicit-check-not=wire.colocate

// CHECK: module attributes {wire.devices = [
module attributes {wire.devices = [
  {name = "/job:ps/replica:0/task:0/device:CPU:0", address = "ps0:7000"},
  {name = "/job:worker/replica:0/task:0/device:CPU:0", address = "w0:7000"},
  {name = "/job:worker/replica:0/task:1/device:CPU:0", address = "w1:7000"}]} {

// CHECK: state.variable @w {{.*}}wire.device = 2
state.variable @w {key = "w", type = tensor<f32>}
// Nobody uses it.
// CHECK: state.generator @g {{.*}}wire.device = 0
state.generator @g {key = "g"}

// CHECK-LABEL: flow.graph @names
// CHECK-NEXT: nd.constant {value = dense<1.000000e+00> : tensor<f32>} : (
// CHECK-NEXT: nd.neg {{.*}}{wire.device = 1 : i64}
// CHECK-NEXT: nd.neg {{.*}}{wire.device = 2 : i64}
// CHECK-NEXT: nd.neg {{.*}}{wire.device = 2 : i64}
// CHECK-NEXT: nd.neg {{.*}}{wire.device = 0 : i64}
// CHECK-NEXT: flow.fetch {{.*}}wire.device = 0 : i64
// CHECK-NEXT: flow.fetch {{.*}}wire.device = 0 : i64
// CHECK-NEXT: flow.fetch {{.*}}wire.device = 0 : i64
// CHECK-NEXT: flow.fetch {{.*}}wire.device = 0 : i64
flow.graph @names {
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %full = nd.neg %c {wire.requested = "/job:worker/replica:0/task:0/device:CPU:0"} : (tensor<f32>) -> tensor<f32>
  %task = nd.neg %c {wire.requested = "/task:1"} : (tensor<f32>) -> tensor<f32>
  %last = nd.neg %c {wire.requested = "/job:ps/job:worker/task:1/cpu:0"} : (tensor<f32>) -> tensor<f32>
  %star = nd.neg %c {wire.requested = "/job:*/device:CPU:*"} : (tensor<f32>) -> tensor<f32>
  flow.fetch %full {name = "full:0"} : (tensor<f32>) -> ()
  flow.fetch %task {name = "task:0"} : (tensor<f32>) -> ()
  flow.fetch %last {name = "last:0"} : (tensor<f32>) -> ()
  flow.fetch %star {name = "star:0"} : (tensor<f32>) -> ()
}

// A name that leaves a choice is narrowed by others of the group, and by what is near.
// CHECK-LABEL: flow.graph @choice
// CHECK: nd.neg {{.*}}wire.device = 2
// CHECK: nd.abs {{.*}}wire.device = 2
// CHECK: nd.exp {{.*}}wire.device = 2
// Nothing near is a worker, but what it needs goes to the second one anyway.
// CHECK: nd.sin {{.*}}wire.device = 2
// Nothing says which worker, so the first one is taken.
// CHECK: nd.cos {{.*}}wire.device = 1
flow.graph @choice {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %a = nd.neg %x {wire.requested = "/job:worker", wire.colocate = "a"} : (tensor<f32>) -> tensor<f32>
  %b = nd.abs %x {wire.requested = "/task:1", wire.colocate = "a"} : (tensor<f32>) -> tensor<f32>
  %c = nd.exp %b {wire.requested = "/job:worker"} : (tensor<f32>) -> tensor<f32>
  %d = nd.sin %x {wire.requested = "/job:worker"} : (tensor<f32>) -> tensor<f32>
  %z = flow.feed {name = "z:0"} : () -> tensor<f32>
  %e = nd.cos %z {wire.requested = "/job:worker"} : (tensor<f32>) -> tensor<f32>
  flow.fetch %e {name = "e:0"} : (tensor<f32>) -> ()
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %c {name = "c:0"} : (tensor<f32>) -> ()
  flow.fetch %d {name = "d:0"} : (tensor<f32>) -> ()
}

// The variable is where one of its users asks to be; another graph's users follow.
// CHECK-LABEL: flow.graph @init
// CHECK: state.reference {{.*}}wire.device = 2
// CHECK: state.assign {{.*}}wire.device = 2
// CHECK: flow.target {{.*}}wire.device = 2
flow.graph @init {
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %v, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %done = state.assign %v, %c {validate_shape = true, wire.requested = "/job:worker/task:1"} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.target %done {name = "init"} : (!flow.token) -> ()
}

// CHECK-LABEL: flow.graph @use
// CHECK: state.reference {{.*}}wire.device = 2
// CHECK: state.read {{.*}}wire.device = 2
// CHECK: nd.add {{.*}}wire.device = 1
flow.graph @use {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %r, %u = state.read %v, %x : (!state.ref<tensor<f32>>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y = nd.add %r, %x {wire.requested = "/job:worker/task:0"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// What only orders, or forwards what cannot leave its device, has no choice, whatever was asked.
// CHECK-LABEL: flow.graph @forwards
// CHECK: state.reference {{.*}}wire.device = 2
// CHECK: flow.gate {{.*}}wire.device = 2
// CHECK: flow.enter {{.*}}wire.device = 2
// CHECK: flow.exit {{.*}}wire.device = 2
flow.graph @forwards {
  %v, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %g = flow.gate %v, %t {wire.requested = "/job:ps"} : (!state.ref<tensor<f32>>, !flow.token) -> !state.ref<tensor<f32>>
  %e = flow.enter %g {frame = "f", constant = true, parallel_iterations = 1 : i64, wire.requested = "/job:ps"} : (!state.ref<tensor<f32>>) -> !state.ref<tensor<f32>>
  %r, %u = state.read %e : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %x = flow.exit %r : (tensor<f32>) -> tensor<f32>
  flow.fetch %x {name = "x:0"} : (tensor<f32>) -> ()
}
}
