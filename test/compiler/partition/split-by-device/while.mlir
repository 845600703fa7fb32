// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop on two devices, cut in every way. Each control loop's merge gives the gate of all recvs.
// RUN: sluice-opt %s --split-input-file --partition-split-by-device --partition-check-balance | FileCheck %s

// The body on the other device.
// CHECK-LABEL: module @rank0
// CHECK: flow.graph @body attributes {wire.frames = ["loop"]}
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[P]] = flow.loop_cond
// CHECK-NEXT: wire.send [[P]] {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
// CHECK-NEXT: {{.*}}, [[STAY:%.*]], {{.*}} = flow.switch {{.*}}, [[P]] : (tensor<i32>, tensor<i1>)
// CHECK-NEXT: wire.send [[STAY]] {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
// CHECK-NEXT: [[ADD:%.*]] = wire.recv [[G]] {edge = 2 : i64, from = 1 : i64} : (!flow.token) -> tensor<i32>
// CHECK-NEXT: flow.next_iteration [[ADD]]
// CHECK-LABEL: module @rank1
// CHECK: flow.graph @body attributes {wire.frames = ["loop"]}
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[P]] = wire.recv [[G]] {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
// CHECK-NEXT: [[I:%.*]] = wire.recv [[G]] {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
// CHECK-NEXT: [[ADD:%.*]] = nd.add [[I]]
// CHECK-NEXT: wire.send [[ADD]] {edge = 2 : i64, to = 0 : i64}
// CHECK-NEXT: }
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @body {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1> loc("go")
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %next = nd.add %stay, %one {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %result = flow.exit %leave {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %result {name = "result", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
// -----
// The predicate on the other device.
// CHECK-LABEL: module @rank0
// CHECK: flow.graph @predicate
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: wire.send {{.*}} {edge = 0 : i64, to = 1 : i64} : (tensor<i32>) -> ()
// CHECK-NEXT: [[P]] = wire.recv [[G]] {edge = 1 : i64, from = 1 : i64} : (!flow.token) -> tensor<i1>
// CHECK-NEXT: flow.switch {{.*}}, [[P]] : (tensor<i32>, tensor<i1>)
// CHECK-LABEL: module @rank1
// CHECK: flow.graph @predicate
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[I:%.*]] = wire.recv [[G]] {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
// CHECK-NEXT: [[LESS:%.*]] = nd.less [[I]]
// CHECK-NEXT: [[P]] = flow.loop_cond [[LESS]]
// CHECK-NEXT: wire.send [[P]] {edge = 1 : i64, to = 0 : i64}
// CHECK-NEXT: }
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @predicate {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 1 : i64} : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %next = nd.add %stay, %one {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %result = flow.exit %leave {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %result {name = "result", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
// -----
// Both, and the exit: three devices.
// CHECK-LABEL: module @rank0
// CHECK: flow.graph @both
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[P]] = wire.recv [[G]] {edge = 1 : i64, from = 1 : i64} : (!flow.token) -> tensor<i1>
// CHECK: [[RESULT:%.*]] = wire.recv {edge = 6 : i64, from = 2 : i64} : () -> tensor<i32>
// CHECK: flow.fetch [[RESULT]]
// CHECK-LABEL: module @rank1
// CHECK: flow.graph @both
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[P]] = flow.loop_cond
// CHECK-NEXT: wire.send [[P]] {edge = 1 : i64, to = 0 : i64}
// CHECK-NEXT: wire.send [[P]] {edge = 2 : i64, to = 2 : i64}
// CHECK-NEXT: }
// CHECK-LABEL: module @rank2
// CHECK: flow.graph @both
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[P]] = wire.recv [[G]] {edge = 2 : i64, from = 1 : i64} : (!flow.token) -> tensor<i1>
// CHECK: [[LEAVE:%.*]] = wire.recv [[G]] {edge = 3 : i64, from = 0 : i64}
// CHECK: [[RESULT:%.*]] = flow.exit [[LEAVE]]
// CHECK-NEXT: wire.send [[RESULT]] {edge = 6 : i64, to = 0 : i64}
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}, {name = "c", address = ""}]} {
  flow.graph @both {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 1 : i64} : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %next = nd.add %stay, %one {wire.device = 2 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %result = flow.exit %leave {wire.device = 2 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %result {name = "result", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
// -----
// The pivot's device only sends: it has no control loop, for its own loop goes round by itself. The
// other device has a loop variable and an invariant.
// CHECK-LABEL: module @rank0
// CHECK: flow.graph @sends
// CHECK-COUNT-1: flow.next_iteration
// CHECK-NOT: flow.next_iteration
// CHECK-LABEL: module @rank1
// CHECK: flow.graph @sends
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[X:%.*]] = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<?xf32>
// CHECK: [[P]] = wire.recv [[G]] {edge = 1 : i64, from = 0 : i64}
// CHECK: flow.enter [[X]] {constant = false, frame = "loop"
// CHECK: flow.enter [[X]] {constant = true, frame = "loop"
// CHECK: flow.switch {{.*}}, [[P]] : (tensor<?xf32>, tensor<i1>)
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @sends {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<?xf32>
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %next = nd.add %stay, %one {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %start = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 1 : i64} : (tensor<?xf32>) -> tensor<?xf32>
    %step = flow.enter %x {frame = "loop", constant = true, parallel_iterations = 10 : i64, wire.device = 1 : i64} : (tensor<?xf32>) -> tensor<?xf32>
    %v, %vindex, %vmerged = flow.merge %start, %vagain {wire.device = 1 : i64} : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<i32>, !flow.token)
    %vleave, %vstay, %vswitched = flow.switch %v, %go {wire.device = 1 : i64} : (tensor<?xf32>, tensor<i1>) -> (tensor<?xf32>, tensor<?xf32>, !flow.token)
    %vnext = nd.add %vstay, %step {wire.device = 1 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %vagain = flow.next_iteration %vnext {wire.device = 1 : i64} : (tensor<?xf32>) -> tensor<?xf32>
    %result = flow.exit %vleave {wire.device = 1 : i64} : (tensor<?xf32>) -> tensor<?xf32>
    flow.fetch %result {name = "result", wire.device = 0 : i64} : (tensor<?xf32>) -> ()
  }
}
// -----
// Only an invariant on the other device: the control loop makes its iterations.
// CHECK-LABEL: module @rank1
// CHECK: flow.graph @invariant
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[X:%.*]] = wire.recv {edge = 0 : i64, from = 0 : i64}
// CHECK: [[P]] = wire.recv [[G]] {edge = 1 : i64, from = 0 : i64}
// CHECK: [[KEPT:%.*]] = flow.enter [[X]] {constant = true
// CHECK: [[TWICE:%.*]] = nd.add [[KEPT]], [[KEPT]]
// CHECK: wire.send [[TWICE]] {edge = 2 : i64, to = 0 : i64}
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @invariant {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<i32>
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %step = flow.enter %x {frame = "loop", constant = true, parallel_iterations = 10 : i64, wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    %twice = nd.add %step, %step {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %next = nd.add %stay, %twice {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %result = flow.exit %leave {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %result {name = "result", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
// -----
// The pivot is a loop invariant, and nothing goes round on its device: it has a control loop as
// well.
// CHECK-LABEL: module @rank0
// CHECK: flow.graph @idle_pivot
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[E:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "loop", parallel_iterations = 10 : i64}
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[P]] = flow.loop_cond
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @idle_pivot {
    %p = flow.feed {name = "p", wire.device = 0 : i64} : () -> tensor<i1>
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %keep = flow.enter %p {frame = "loop", constant = true, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %go = flow.loop_cond %keep {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 1 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %again = flow.next_iteration %stay {wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    %result = flow.exit %leave {wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %result {name = "result", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
