// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in loops, which stack their control loops.
// RUN: sluice-opt %s --split-input-file --partition-split-by-device --partition-check-balance | FileCheck %s

// The inner loop's body on another device: both loops have control loops there, the inner one
// starting from the outer one's merge, and so has the outer loop on the first device.
// CHECK-LABEL: module @rank0
// CHECK: flow.graph @inner_body attributes {wire.frames = ["outer", "outer>inner"]}
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[OE:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "outer"
// CHECK-NEXT: [[OM:%.*]], {{.*}}, [[OG:%.*]] = flow.merge [[OE]], [[ON:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[OS:%.*]], {{.*}} = flow.switch [[OM]], [[OP:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[ON]] = flow.next_iteration [[OS]]
// CHECK-NEXT: [[E:%.*]] = flow.enter [[OM]] {constant = false, frame = "inner"
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[OP]] = flow.loop_cond
// CHECK-NEXT: wire.send [[OP]] {edge = 0 : i64, to = 1 : i64}
// CHECK: [[P]] = flow.loop_cond
// CHECK-NEXT: wire.send [[P]] {edge = 1 : i64, to = 1 : i64}
// CHECK: wire.recv [[G]] {edge = 3 : i64, from = 1 : i64}
// CHECK-LABEL: module @rank1
// CHECK: flow.graph @inner_body attributes {wire.frames = ["outer", "outer>inner"]}
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[OE:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "outer"
// CHECK-NEXT: [[OM:%.*]], {{.*}}, [[OG:%.*]] = flow.merge [[OE]], [[ON:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[OS:%.*]], {{.*}} = flow.switch [[OM]], [[OP:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[ON]] = flow.next_iteration [[OS]]
// CHECK-NEXT: [[E:%.*]] = flow.enter [[OM]] {constant = false, frame = "inner"
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[OP]] = wire.recv [[OG]] {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
// CHECK-NEXT: [[P]] = wire.recv [[G]] {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
// CHECK-NEXT: wire.recv [[G]] {edge = 2 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @inner_body {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %ofirst = flow.enter %zero {frame = "outer", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %o, %oindex, %omerged = flow.merge %ofirst, %oagain {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %oless = nd.less %o, %two {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %ogo = flow.loop_cond %oless {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %oleave, %ostay, %oswitched = flow.switch %o, %ogo {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %first = flow.enter %ostay {frame = "inner", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %next = nd.add %stay, %one {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %left = flow.exit %leave {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %oagain = flow.next_iteration %left {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %result = flow.exit %oleave {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %result {name = "result", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
// -----
// The whole inner loop on another device: no rank shares it, so it has no control loop.
// CHECK-LABEL: module @rank0
// CHECK: flow.graph @inner_loop attributes {wire.frames = ["outer", "outer>inner"]}
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[OE:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "outer"
// CHECK-NEXT: [[OM:%.*]], {{.*}}, [[OG:%.*]] = flow.merge [[OE]], [[ON:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[OS:%.*]], {{.*}} = flow.switch [[OM]], [[OP:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[ON]] = flow.next_iteration [[OS]]
// CHECK-NOT: frame = "inner"
// CHECK-LABEL: module @rank1
// CHECK: flow.graph @inner_loop
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[OE:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "outer"
// CHECK-NEXT: [[OM:%.*]], {{.*}}, [[OG:%.*]] = flow.merge [[OE]], [[ON:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[OS:%.*]], {{.*}} = flow.switch [[OM]], [[OP:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[ON]] = flow.next_iteration [[OS]]
// CHECK: [[OP]] = wire.recv [[OG]] {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
// CHECK-NEXT: [[I:%.*]] = wire.recv [[OG]] {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
// CHECK-NEXT: flow.enter [[I]] {constant = false, frame = "inner"
// CHECK-NOT: frame = "inner"
// CHECK: [[LEFT:%.*]] = flow.exit
// CHECK-NEXT: wire.send [[LEFT]] {edge = 2 : i64, to = 0 : i64}
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @inner_loop {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %ofirst = flow.enter %zero {frame = "outer", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %o, %oindex, %omerged = flow.merge %ofirst, %oagain {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %oless = nd.less %o, %two {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %ogo = flow.loop_cond %oless {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %oleave, %ostay, %oswitched = flow.switch %o, %ogo {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %first = flow.enter %ostay {frame = "inner", constant = false, parallel_iterations = 10 : i64, wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 1 : i64} : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 1 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %next = nd.add %stay, %one {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    %left = flow.exit %leave {wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    %oagain = flow.next_iteration %left {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %result = flow.exit %oleave {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %result {name = "result", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
// -----
// Three devices: the inner loop is on the first two, and the third takes part in the outer one
// only.
// CHECK-LABEL: module @rank0
// CHECK: flow.graph @three
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[OE:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "outer"
// CHECK-NEXT: [[OM:%.*]], {{.*}}, [[OG:%.*]] = flow.merge [[OE]], [[ON:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[OS:%.*]], {{.*}} = flow.switch [[OM]], [[OP:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[ON]] = flow.next_iteration [[OS]]
// CHECK-NEXT: [[E:%.*]] = flow.enter [[OM]] {constant = false, frame = "inner"
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[OP]] = wire.recv [[OG]] {edge = 1 : i64, from = 2 : i64}
// CHECK: [[P]] = flow.loop_cond
// CHECK-NEXT: wire.send [[P]] {edge = 3 : i64, to = 1 : i64}
// CHECK-LABEL: module @rank1
// CHECK: flow.graph @three
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[OE:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "outer"
// CHECK-NEXT: [[OM:%.*]], {{.*}}, [[OG:%.*]] = flow.merge [[OE]], [[ON:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[OS:%.*]], {{.*}} = flow.switch [[OM]], [[OP:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[ON]] = flow.next_iteration [[OS]]
// CHECK-NEXT: [[E:%.*]] = flow.enter [[OM]] {constant = false, frame = "inner"
// CHECK-NEXT: [[M:%.*]], {{.*}}, [[G:%.*]] = flow.merge [[E]], [[N:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[S:%.*]], {{.*}} = flow.switch [[M]], [[P:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[N]] = flow.next_iteration [[S]]
// CHECK: [[OP]] = wire.recv [[OG]] {edge = 2 : i64, from = 2 : i64}
// CHECK-NEXT: [[P]] = wire.recv [[G]] {edge = 3 : i64, from = 0 : i64}
// CHECK-LABEL: module @rank2
// CHECK: flow.graph @three attributes {wire.frames = ["outer", "outer>inner"]}
// CHECK-NEXT: [[TRUE:%.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK-NEXT: [[OE:%.*]] = flow.enter [[TRUE]] {constant = false, frame = "outer"
// CHECK-NEXT: [[OM:%.*]], {{.*}}, [[OG:%.*]] = flow.merge [[OE]], [[ON:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: {{.*}}, [[OS:%.*]], {{.*}} = flow.switch [[OM]], [[OP:%.*]] : (tensor<i1>, tensor<i1>)
// CHECK-NEXT: [[ON]] = flow.next_iteration [[OS]]
// CHECK-NOT: frame = "inner"
// CHECK: wire.recv [[OG]] {edge = 0 : i64, from = 0 : i64}
// CHECK: [[OP]] = flow.loop_cond
// CHECK-NEXT: wire.send [[OP]] {edge = 1 : i64, to = 0 : i64}
// CHECK-NEXT: wire.send [[OP]] {edge = 2 : i64, to = 1 : i64}
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}, {name = "c", address = ""}]} {
  flow.graph @three {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %ofirst = flow.enter %zero {frame = "outer", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %o, %oindex, %omerged = flow.merge %ofirst, %oagain {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %oless = nd.less %o, %two {wire.device = 2 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %ogo = flow.loop_cond %oless {wire.device = 2 : i64} : (tensor<i1>) -> tensor<i1>
    %oleave, %ostay, %oswitched = flow.switch %o, %ogo {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %first = flow.enter %ostay {frame = "inner", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %next = nd.add %stay, %one {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %left = flow.exit %leave {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %oagain = flow.next_iteration %left {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %result = flow.exit %oleave {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %result {name = "result", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
