// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: sluice-opt %s --split-input-file --partition-split-by-device --partition-check-balance | FileCheck %s

// A branch on two devices, cut in every way. Dead values cross like live ones, so each edge has one
// message whichever way the branch goes, and nothing waits for the other way.

// The branch that is taken: its input and its result cross.
// CHECK-LABEL: module @rank0 attributes {wire.rank = 0 : i64}
// CHECK: flow.graph @branch attributes {wire.frames = []}
// CHECK: flow.switch
// CHECK-NEXT: wire.send %on_true {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
// CHECK-NEXT: [[NEG:%.*]] = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<f32>
// CHECK-NEXT: flow.merge [[NEG]], %on_false
// CHECK-NOT: wire
// CHECK-LABEL: module @rank1 attributes {wire.rank = 1 : i64}
// CHECK: flow.graph @branch attributes {wire.frames = []}
// CHECK-NEXT: [[X:%.*]] = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
// CHECK-NEXT: [[Y:%.*]] = nd.neg [[X]] : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: wire.send [[Y]] {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
// CHECK-NEXT: }
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @branch {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<f32>
    %p = flow.feed {name = "p", wire.device = 0 : i64} : () -> tensor<i1>
    %f, %t, %token = flow.switch %x, %p {wire.device = 0 : i64} : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
    %neg = nd.neg %t {wire.device = 1 : i64} : (tensor<f32>) -> tensor<f32>
    %y, %i, %merged = flow.merge %neg, %f {wire.device = 0 : i64} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
    flow.fetch %y {name = "y", wire.device = 0 : i64} : (tensor<f32>) -> ()
  }
}
// -----
// The predicate.
// CHECK-LABEL: module @rank0
// CHECK: [[X:%.*]] = flow.feed {name = "x"}
// CHECK-NEXT: wire.send [[X]] {edge = 0 : i64, to = 1 : i64}
// CHECK-NEXT: [[P:%.*]] = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<i1>
// CHECK-NEXT: flow.switch [[X]], [[P]]
// CHECK-NOT: wire
// CHECK-LABEL: module @rank1
// CHECK: [[X:%.*]] = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
// CHECK-NEXT: [[C:%.*]] = nd.constant
// CHECK-NEXT: [[P:%.*]] = nd.less [[X]], [[C]]
// CHECK-NEXT: wire.send [[P]] {edge = 1 : i64, to = 0 : i64}
// CHECK-NEXT: }
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @predicate {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<f32>
    %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
    %p = nd.less %x, %zero {wire.device = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %f, %t, %token = flow.switch %x, %p {wire.device = 0 : i64} : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
    %neg = nd.neg %t {wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    %y, %i, %merged = flow.merge %neg, %f {wire.device = 0 : i64} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
    flow.fetch %y {name = "y", wire.device = 0 : i64} : (tensor<f32>) -> ()
  }
}
// -----
// Switch and merge.
// CHECK-LABEL: module @rank0
// CHECK: wire.send {{.*}} {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
// CHECK: wire.send {{.*}} {edge = 1 : i64, to = 1 : i64} : (tensor<i1>) -> ()
// CHECK: [[T:%.*]] = wire.recv {edge = 2 : i64, from = 1 : i64}
// CHECK: [[N:%.*]] = nd.neg [[T]]
// CHECK: wire.send [[N]] {edge = 3 : i64, to = 1 : i64}
// CHECK: [[Y:%.*]] = wire.recv {edge = 4 : i64, from = 1 : i64} : () -> tensor<f32>
// CHECK: [[I:%.*]] = wire.recv {edge = 5 : i64, from = 1 : i64} : () -> tensor<i32>
// CHECK: flow.fetch [[Y]] {name = "y"}
// CHECK: flow.fetch [[I]] {name = "i"}
// CHECK-LABEL: module @rank1
// CHECK: flow.switch
// CHECK: wire.send %on_true {edge = 2 : i64, to = 0 : i64}
// CHECK: [[N:%.*]] = wire.recv {edge = 3 : i64, from = 0 : i64}
// CHECK: flow.merge [[N]], %on_false
// CHECK: wire.send %value {edge = 4 : i64, to = 0 : i64}
// CHECK: wire.send %index {edge = 5 : i64, to = 0 : i64}
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @switch {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<f32>
    %p = flow.feed {name = "p", wire.device = 0 : i64} : () -> tensor<i1>
    %f, %t, %token = flow.switch %x, %p {wire.device = 1 : i64} : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
    %neg = nd.neg %t {wire.device = 0 : i64} : (tensor<f32>) -> tensor<f32>
    %y, %i, %merged = flow.merge %neg, %f {wire.device = 1 : i64} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
    flow.fetch %y {name = "y", wire.device = 0 : i64} : (tensor<f32>) -> ()
    flow.fetch %i {name = "i", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
