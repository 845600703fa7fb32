// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where nobody asks, what steers goes where the fewest values cross in an iteration.
// RUN: sluice-opt --place-on-devices %s | FileCheck %s

module attributes {wire.devices = [
  {name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"},
  {name = "/job:b/replica:0/task:0/device:CPU:0", address = "b:1"},
  {name = "/job:c/replica:0/task:0/device:CPU:0", address = "c:1"}]} {

// The test is as near to the fed limit as to the counter, which the body of the loop asks to be on
// device 1. The limit is sent once; the counter would be, and the test's result back, in each
// iteration.
// CHECK-LABEL: flow.graph @limit
// CHECK: flow.enter {{.*}}constant = true{{.*}}wire.device = 1
// CHECK: flow.merge {{.*}}wire.device = 1
// CHECK: nd.less {{.*}}wire.device = 1
// CHECK: flow.loop_cond {{.*}}wire.device = 1
// CHECK: flow.switch {{.*}}wire.device = 1
flow.graph @limit {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %limit = flow.enter %n {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %less = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %next = nd.add %stay, %one {wire.requested = "/job:b"} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  %result = flow.exit %leave : (tensor<i32>) -> tensor<i32>
  flow.fetch %result {name = "result"} : (tensor<i32>) -> ()
}

// The counter asks for nothing. It is nearest to the constant that waits for it on device 2, but
// goes with its own test, and with what it is increased by; the variable goes round on device 2.
// CHECK-LABEL: flow.graph @rings
// CHECK: %[[I:.*]], %{{.*}}, %{{.*}} = flow.merge {{.*}}wire.device = [[C:.*]] : i64
// CHECK: %[[X:.*]], %{{.*}}, %{{.*}} = flow.merge {{.*}}wire.device = 2
// CHECK: nd.less %[[I]], {{.*}}wire.device = [[C]]
// CHECK: flow.loop_cond {{.*}}wire.device = [[C]]
// CHECK: flow.switch %[[I]], {{.*}}wire.device = [[C]]
// CHECK: flow.switch %[[X]], {{.*}}wire.device = 2
// CHECK: nd.add {{.*}}wire.device = 2
// CHECK: nd.add {{.*}}wire.device = [[C]]
// CHECK: flow.next_iteration {{.*}}wire.device = [[C]]
// CHECK: flow.next_iteration {{.*}}wire.device = 2
flow.graph @rings {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %limit = flow.enter %n {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %ifirst = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %xfirst = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %iindex, %imerged = flow.merge %ifirst, %iagain : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %x, %xindex, %xmerged = flow.merge %xfirst, %xagain : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %less = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %ileave, %istay, %iswitched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %xleave, %xstay, %xswitched = flow.switch %x, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %there = flow.after %istay : (tensor<i32>) -> !flow.token
  %gated = flow.gate %one, %there : (tensor<i32>, !flow.token) -> tensor<i32>
  %xnext = nd.add %xstay, %gated {wire.requested = "/job:c"} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %inext = nd.add %istay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %iagain = flow.next_iteration %inext : (tensor<i32>) -> tensor<i32>
  %xagain = flow.next_iteration %xnext : (tensor<i32>) -> tensor<i32>
  %result = flow.exit %xleave : (tensor<i32>) -> tensor<i32>
  flow.fetch %result {name = "result"} : (tensor<i32>) -> ()
}

// A branch's switch goes with the predicate where a user of its value is there as well, and else
// stays with the value: neither goes there and back.
// CHECK-LABEL: flow.graph @branch
// CHECK: nd.is_finite {{.*}}wire.device = 1
// CHECK: flow.switch {{.*}}wire.device = 1
// CHECK: nd.neg {{.*}}wire.device = 1
// CHECK: nd.abs {{.*}}wire.device = 2
// CHECK: flow.switch {{.*}}wire.device = 2
// CHECK: nd.exp {{.*}}wire.device = 2
flow.graph @branch {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %p = nd.is_finite %x {wire.requested = "/job:b"} : (tensor<f32>) -> tensor<i1>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %a = nd.neg %t {wire.requested = "/job:b"} : (tensor<f32>) -> tensor<f32>
  %c = nd.abs %x {wire.requested = "/job:c"} : (tensor<f32>) -> tensor<f32>
  %cf, %ct, %cs = flow.switch %c, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %b = nd.exp %cf {wire.requested = "/job:c"} : (tensor<f32>) -> tensor<f32>
  %y, %index, %m = flow.merge %b, %a : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}
}
