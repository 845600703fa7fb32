// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants wait where they are used, and for a loop's pivot rather than for what it lets go on.
// RUN: sluice-opt %s --split-input-file --partition-settle-waits | FileCheck %s
// RUN: sluice-opt %s --split-input-file --partition-settle-waits --partition-settle-loop-ports --partition-split-by-device --partition-check-balance --partition-explain -o /dev/null | FileCheck %s --check-prefix=SENT

// The pivot depends on the counter, so rank 1 hears only of the pivot.
// CHECK-LABEL: flow.graph @counter
// CHECK: %[[P:.*]] = flow.loop_cond
// CHECK: %{{.*}}, %[[ON:.*]], %{{.*}} = flow.switch %[[P]], %[[P]] {wire.device = 1 : i64}
// CHECK: %[[T:.*]] = flow.after %[[ON]]
// CHECK: flow.gate %{{.*}}, %[[T]] {wire.device = 1 : i64}
// CHECK: flow.gate %{{.*}}, %[[T]] {wire.device = 1 : i64}
// On the counter's own rank nothing changes.
// CHECK: %[[HERE:.*]] = flow.gate %{{.*}}, %[[OWN:.*]] {wire.device = 0 : i64}
// CHECK-NOT: %[[OWN]] = flow.after %[[ON]]
// CHECK: flow.fetch
// SENT-LABEL: signature 'counter'
// SENT: iteration of 'l' 0 1 1 1 1
module attributes {wire.devices = [{name = "a", address = "h:1"}, {name = "b", address = "h:2"}]} {
  flow.graph @counter {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "l", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %one {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %off, %on, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %there = flow.after %on : (tensor<i32>) -> !flow.token
    %g = flow.gate %one, %there {wire.device = 1 : i64} : (tensor<i32>, !flow.token) -> tensor<i32>
    %h = flow.gate %zero, %there {wire.device = 1 : i64} : (tensor<i32>, !flow.token) -> tensor<i32>
    %print = state.print %g, %h {message = "m", first_n = -1 : i64, summarize = 3 : i64, wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> !flow.token
    %step = flow.gate %one, %there {wire.device = 0 : i64} : (tensor<i32>, !flow.token) -> tensor<i32>
    %next = nd.add %on, %step {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %last = flow.exit %off {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %last {name = "last", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}

// -----

// The pivot says nothing of %x, which may come later; and what is sent as a value is waited for as
// such.
// CHECK-LABEL: flow.graph @others
// CHECK-NOT: flow.switch {{.*}} {wire.device = 1
// CHECK: flow.fetch
// SENT-LABEL: signature 'others'
// SENT: iteration of 'l' 0 1 3 5 1
module attributes {wire.devices = [{name = "a", address = "h:1"}, {name = "b", address = "h:2"}]} {
  flow.graph @others {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<f32>
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "l", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %xfirst = flow.enter %x {frame = "l", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %y, %yindex, %ymerged = flow.merge %xfirst, %yagain {wire.device = 0 : i64} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %one {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %off, %on, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %yoff, %yon, %yswitched = flow.switch %y, %go {wire.device = 0 : i64} : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
    %there = flow.after %on : (tensor<i32>) -> !flow.token
    %ythere = flow.after %yon : (tensor<f32>) -> !flow.token
    %g = flow.gate %one, %there {wire.device = 1 : i64} : (tensor<i32>, !flow.token) -> tensor<i32>
    %h = flow.gate %g, %ythere {wire.device = 1 : i64} : (tensor<i32>, !flow.token) -> tensor<i32>
    %print = state.print %h, %on {message = "m", first_n = -1 : i64, summarize = 3 : i64, wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> !flow.token
    %next = nd.add %on, %one {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %yagain = flow.next_iteration %yon {wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    %last = flow.exit %yoff {wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    flow.fetch %last {name = "last", wire.device = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----

// One gate for two ranks, neither of which makes what it waits for.
// CHECK-LABEL: flow.graph @gate
// CHECK-DAG: %[[HERE:.*]] = flow.gate {{.*}}wire.device = 0
// CHECK-DAG: %[[THERE:.*]] = flow.gate {{.*}}wire.device = 1
// CHECK: nd.add %{{.*}}, %[[HERE]] {wire.device = 0
// CHECK: nd.add %{{.*}}, %[[THERE]] {wire.device = 1
// SENT-LABEL: signature 'gate'
// SENT: call 0 1 1 4 0
// SENT-NEXT: call 2 0 1 0 0
// SENT-NEXT: call 2 1 1 0 0
module attributes {wire.devices = [{name = "a", address = "h:1"}, {name = "b", address = "h:2"}, {name = "c", address = "h:3"}]} {
  flow.graph @gate {
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    %done = state.print %one {message = "m", first_n = -1 : i64, summarize = 3 : i64, wire.device = 2 : i64} : (tensor<i32>) -> !flow.token
    %gated = flow.gate %one, %done {wire.device = 0 : i64} : (tensor<i32>, !flow.token) -> tensor<i32>
    %y = nd.add %x, %gated {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %z = nd.add %x, %gated {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.fetch %y {name = "y", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
