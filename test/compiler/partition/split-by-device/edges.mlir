// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What crosses, apart from branches and loops.
// RUN: sluice-opt %s --split-input-file --partition-split-by-device --partition-check-balance | FileCheck %s

// One pair for all users on a device, one for each device; a constant is on every device that uses
// it.
// CHECK-LABEL: module @rank0
// CHECK-NOT: nd.constant
// CHECK: [[X:%.*]] = flow.feed
// CHECK-NEXT: wire.send [[X]] {edge = 0 : i64, to = 1 : i64}
// CHECK-NEXT: wire.send [[X]] {edge = 1 : i64, to = 2 : i64}
// CHECK: wire.recv {edge = 2 : i64, from = 2 : i64}
// CHECK: wire.recv {edge = 3 : i64, from = 1 : i64}
// CHECK-LABEL: module @rank1
// CHECK: [[ONE:%.*]] = nd.constant {value = dense<1.000000e+00>
// CHECK-NEXT: [[X:%.*]] = wire.recv {edge = 0 : i64, from = 0 : i64}
// CHECK-NEXT: nd.add [[X]], [[ONE]]
// CHECK-NEXT: nd.mul [[X]], [[ONE]]
// CHECK-LABEL: module @rank2
// CHECK-NOT: nd.constant
// CHECK: [[X:%.*]] = wire.recv {edge = 1 : i64, from = 0 : i64}
// CHECK-NEXT: nd.mul [[X]], [[X]]
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}, {name = "c", address = ""}]} {
  flow.graph @shared {
    %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    %unused = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<f32>
    %a = nd.add %x, %one {wire.device = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %b = nd.mul %x, %one {wire.device = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %c = nd.mul %x, %x {wire.device = 2 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %s = nd.add %a, %b {wire.device = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %r = nd.add %s, %c {wire.device = 0 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.fetch %r {name = "r", wire.device = 0 : i64} : (tensor<f32>) -> ()
  }
}
// -----
// Control edges cross as tokens. A flow.after is where its value is: on device 1, where %x crosses
// anyway, it saves a message; on device 2, a token crosses instead of the value.
// CHECK-LABEL: module @rank0
// CHECK: [[X:%.*]] = flow.feed
// CHECK-NEXT: wire.send [[X]] {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
// CHECK-NEXT: wire.send [[T:%.*]] {edge = 1 : i64, to = 2 : i64} : (!flow.token) -> ()
// CHECK-NEXT: [[T]] = flow.after [[X]]
// CHECK-NEXT: [[D:%.*]] = state.print
// CHECK-NEXT: wire.send [[D]] {edge = 2 : i64, to = 2 : i64} : (!flow.token) -> ()
// CHECK-LABEL: module @rank1
// CHECK: [[START:%.*]] = flow.start
// CHECK-NEXT: [[X:%.*]] = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
// CHECK-NEXT: [[T:%.*]] = flow.after [[X]]
// CHECK-NEXT: [[A:%.*]] = nd.neg [[X]]
// CHECK-NEXT: flow.gate [[A]], [[T]], [[START]]
// CHECK-LABEL: module @rank2
// CHECK: [[ONE:%.*]] = nd.constant
// CHECK-NEXT: [[T:%.*]] = wire.recv {edge = 1 : i64, from = 0 : i64} : () -> !flow.token
// CHECK-NEXT: [[D:%.*]] = wire.recv {edge = 2 : i64, from = 0 : i64} : () -> !flow.token
// CHECK-NEXT: flow.gate [[ONE]], [[T]], [[D]]
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}, {name = "c", address = ""}]} {
  flow.graph @control {
    %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    %start = flow.start : () -> !flow.token
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<f32>
    %t = flow.after %x {wire.device = 0 : i64} : (tensor<f32>) -> !flow.token
    %done = state.print %x {message = "x", first_n = -1 : i64, summarize = 3 : i64, wire.device = 0 : i64} : (tensor<f32>) -> !flow.token
    %a = nd.neg %x {wire.device = 1 : i64} : (tensor<f32>) -> tensor<f32>
    %b = flow.gate %a, %t, %start {wire.device = 1 : i64} : (tensor<f32>, !flow.token, !flow.token) -> tensor<f32>
    %c = flow.gate %one, %t, %done {wire.device = 2 : i64} : (tensor<f32>, !flow.token, !flow.token) -> tensor<f32>
    flow.fetch %b {name = "b", wire.device = 0 : i64} : (tensor<f32>) -> ()
    flow.fetch %c {name = "c", wire.device = 0 : i64} : (tensor<f32>) -> ()
  }
}
// -----
// A read waits for its triggers but does not look at them: a token is enough. The variable goes
// with its device.
// CHECK-LABEL: module @rank0
// CHECK-NEXT: state.variable @v {key = "v", type = tensor<f32>}
// CHECK-NOT: state.variable
// CHECK: [[X:%.*]] = flow.feed
// CHECK-NEXT: [[T:%.*]] = flow.after [[X]]
// CHECK-NEXT: wire.send [[T]] {edge = 0 : i64, to = 1 : i64} : (!flow.token) -> ()
// CHECK-LABEL: module @rank1
// CHECK-NEXT: state.variable @w {key = "w", type = tensor<f32>}
// CHECK: [[T:%.*]] = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> !flow.token
// CHECK: state.read %result, [[T]] : (!state.ref<tensor<f32>>, !flow.token)
// CHECK: flow.target
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  state.variable @w {key = "w", type = tensor<f32>, wire.device = 1 : i64}
  state.variable @v {key = "v", type = tensor<f32>, wire.device = 0 : i64}
  flow.graph @read {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<1000xf32>
    %w, %made = state.reference {variable = @w, wire.device = 1 : i64} : () -> (!state.ref<tensor<f32>>, !flow.token)
    %y, %done = state.read %w, %x {wire.device = 1 : i64} : (!state.ref<tensor<f32>>, tensor<1000xf32>) -> (tensor<f32>, !flow.token)
    flow.fetch %y {name = "y", wire.device = 0 : i64} : (tensor<f32>) -> ()
    flow.target %done {name = "done", wire.device = 1 : i64} : (!flow.token) -> ()
  }
}
// -----
// In a loop, tokens cross in every iteration, with gates like values.
// CHECK-LABEL: module @rank0
// CHECK: flow.graph @loop_tokens
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: {{.*}}, [[STAY:%.*]], [[SWITCHED:%.*]] = flow.switch {{.*}} : (tensor<i32>, tensor<i1>)
// CHECK-NEXT: wire.send [[SWITCHED]] {edge = 1 : i64, to = 1 : i64} : (!flow.token) -> ()
// CHECK-NEXT: [[FREE:%.*]] = wire.recv [[G]] {edge = 2 : i64, from = 1 : i64} : (!flow.token) -> !flow.token
// CHECK-NEXT: flow.gate [[STAY]], [[FREE]]
// CHECK-LABEL: module @rank1
// CHECK: flow.graph @loop_tokens
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[SWITCHED:%.*]] = wire.recv [[G]] {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> !flow.token
// CHECK-NEXT: flow.gate {{.*}}, [[SWITCHED]]
// CHECK: [[FREE:%.*]] = flow.trigger
// CHECK-NEXT: wire.send [[FREE]] {edge = 2 : i64, to = 0 : i64} : (!flow.token) -> ()
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @loop_tokens {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %each = flow.gate %one, %switched {wire.device = 1 : i64} : (tensor<i32>, !flow.token) -> tensor<i32>
    %done = state.print %each {message = "i", first_n = -1 : i64, summarize = 3 : i64, wire.device = 1 : i64} : (tensor<i32>) -> !flow.token
    %free = flow.trigger %done {wire.device = 1 : i64} : (!flow.token) -> !flow.token
    %held = flow.gate %stay, %free {wire.device = 0 : i64} : (tensor<i32>, !flow.token) -> tensor<i32>
    %next = nd.add %held, %one {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %result = flow.exit %leave {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %result {name = "result", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
// -----
// Several signatures: edges have numbers of their own in each, and a rank without ops has an empty
// graph.
// CHECK-LABEL: module @rank0
// CHECK: flow.graph @one
// CHECK: wire.send {{.*}} {edge = 0 : i64, to = 1 : i64}
// CHECK: wire.recv {edge = 1 : i64, from = 1 : i64}
// CHECK: flow.graph @two
// CHECK-NOT: wire.{{send|recv}}
// CHECK: flow.graph @three
// CHECK: wire.send {{.*}} {edge = 0 : i64, to = 1 : i64}
// CHECK-LABEL: module @rank1
// CHECK: flow.graph @one
// CHECK: flow.graph @two attributes {wire.frames = []} {
// CHECK-NEXT: }
// CHECK-NEXT: flow.graph @three
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @one {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x {wire.device = 1 : i64} : (tensor<f32>) -> tensor<f32>
    flow.fetch %y {name = "y", wire.device = 0 : i64} : (tensor<f32>) -> ()
  }
  flow.graph @two {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x {wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    flow.fetch %y {name = "y", wire.device = 0 : i64} : (tensor<f32>) -> ()
  }
  flow.graph @three {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<f32>
    %y = nd.mul %x, %x {wire.device = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.fetch %y {name = "y", wire.device = 0 : i64} : (tensor<f32>) -> ()
  }
}
// -----
// Frames are numbered in one order on all ranks; '/' in a name is escaped. Where enters disagree
// about the window of a split frame, the first one counts on all ranks.
// CHECK-LABEL: module @rank0
// CHECK: flow.graph @frames attributes {wire.frames = ["a", "b/loop"]}
// CHECK: flow.enter {{.*}} {constant = false, frame = "b/loop", parallel_iterations = 3 : i64} : (tensor<i1>)
// CHECK: flow.enter {{.*}} {constant = true, frame = "b/loop", parallel_iterations = 3 : i64} : (tensor<i1>)
// CHECK-LABEL: module @rank1
// CHECK: flow.graph @frames attributes {wire.frames = ["a", "b/loop"]}
// CHECK: flow.enter {{.*}} {constant = false, frame = "b/loop", parallel_iterations = 3 : i64} : (tensor<i1>)
// CHECK: wire.recv {edge = 0 : i64, from = 0 : i64}
// CHECK: flow.enter {{.*}} {constant = false, frame = "b/loop", parallel_iterations = 3 : i64} : (tensor<i1>)
// CHECK: flow.enter {{.*}} {constant = false, frame = "a", parallel_iterations = 7 : i64} : (tensor<i1>)
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @frames {
    %p = flow.feed {name = "p", wire.device = 0 : i64} : () -> tensor<i1>
    %keep = flow.enter %p {frame = "b/loop", constant = true, parallel_iterations = 3 : i64, wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %start = flow.enter %p {frame = "b/loop", constant = false, parallel_iterations = 5 : i64, wire.device = 1 : i64} : (tensor<i1>) -> tensor<i1>
    %v, %i, %merged = flow.merge %start, %again {wire.device = 1 : i64} : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %go = flow.loop_cond %keep {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %v, %go {wire.device = 1 : i64} : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %again = flow.next_iteration %stay {wire.device = 1 : i64} : (tensor<i1>) -> tensor<i1>
    %r = flow.exit %leave {wire.device = 1 : i64} : (tensor<i1>) -> tensor<i1>
    %alone = flow.enter %p {frame = "a", constant = false, parallel_iterations = 7 : i64, wire.device = 1 : i64} : (tensor<i1>) -> tensor<i1>
    %out = flow.exit %alone {wire.device = 1 : i64} : (tensor<i1>) -> tensor<i1>
    flow.fetch %r {name = "r", wire.device = 0 : i64} : (tensor<i1>) -> ()
    flow.fetch %out {name = "out", wire.device = 0 : i64} : (tensor<i1>) -> ()
  }
}
