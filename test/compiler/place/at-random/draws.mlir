// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every group has its device drawn. A seed stands for the same placement everywhere, so these are exact.
// RUN: sluice-opt --place-at-random="seed=1 devices=3" %s | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: sluice-opt --place-at-random="seed=2 devices=3" %s | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: sluice-opt --place-at-random="seed=2 devices=3" %s -o %t
// RUN: sluice-opt --place-at-random="seed=2 devices=3" %s | diff %t -

// Requests do not count here, but are gone all the same.
// CHECK-NOT: wire.requested
// CHECK-NOT: wire.colocate

// CHECK: state.variable @w {{.*}}wire.device = [[W:[0-2]]] : i64
state.variable @w {key = "w", type = tensor<f32>}
// CHECK-LABEL: flow.graph @main
flow.graph @main {
  // CHECK: flow.start : ()
  // CHECK: nd.constant {value = dense<1.000000e+00> : tensor<f32>} : (
  %start = flow.start : () -> !flow.token
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  // CHECK: flow.feed {{.*}}wire.device = 0
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // CHECK: state.reference {{.*}}wire.device = [[W]]
  // CHECK: state.read {{.*}}wire.device = [[W]]
  %v, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %r, %u = state.read %v, %x {wire.requested = "/job:nix"} : (!state.ref<tensor<f32>>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // ONE: nd.neg {{.*}}wire.device = 2
  // TWO: nd.neg {{.*}}wire.device = 2
  %0 = nd.neg %x : (tensor<f32>) -> tensor<f32>
  // ONE: nd.neg {{.*}}wire.device = 2
  // TWO: nd.neg {{.*}}wire.device = 1
  %1 = nd.neg %0 : (tensor<f32>) -> tensor<f32>
  // CHECK: flow.after {{.*}}wire.device = [[A:[0-2]]]
  %a = flow.after %1 : (tensor<f32>) -> !flow.token
  // CHECK: flow.gate {{.*}}wire.device = [[G:[0-2]]]
  // CHECK: nd.add {{.*}}wire.device = [[G]]
  %g = flow.gate %c, %a : (tensor<f32>, !flow.token) -> tensor<f32>
  %2 = nd.add %g, %r : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // CHECK: nd.abs {{.*}}wire.device = [[S:[0-2]]]
  // CHECK: nd.exp {{.*}}wire.device = [[S]]
  %3 = nd.abs %2 {wire.colocate = "s"} : (tensor<f32>) -> tensor<f32>
  %4 = nd.exp %3 {wire.colocate = "s"} : (tensor<f32>) -> tensor<f32>
  // CHECK: flow.target {{.*}}wire.device = [[A]]
  flow.target %a {name = "a"} : (!flow.token) -> ()
  // CHECK: flow.fetch {{.*}}wire.device = 0
  flow.fetch %4 {name = "y:0"} : (tensor<f32>) -> ()
}

// The loop's own ops are drawn as all others: enter, exit, next_iteration, the test.
// CHECK-LABEL: flow.graph @loop
flow.graph @loop {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  // ONE: flow.enter {{.*}}wire.device = 2
  // TWO: flow.enter {{.*}}wire.device = 1
  %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  // ONE: flow.merge {{.*}}wire.device = 2
  // TWO: flow.merge {{.*}}wire.device = 2
  %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %less = nd.less %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // ONE: flow.loop_cond {{.*}}wire.device = 0
  // TWO: flow.loop_cond {{.*}}wire.device = 0
  %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
  %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  // ONE: flow.next_iteration {{.*}}wire.device = 1
  // TWO: flow.next_iteration {{.*}}wire.device = 1
  %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  // ONE: flow.exit {{.*}}wire.device = 1
  // TWO: flow.exit {{.*}}wire.device = 1
  %result = flow.exit %leave : (tensor<i32>) -> tensor<i32>
  flow.fetch %result {name = "result"} : (tensor<i32>) -> ()
}
