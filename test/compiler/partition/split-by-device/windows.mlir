// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters of one frame that disagree about its window: all of a frame on several ranks get the first
// one's, also those of control loops, and on a rank without that enter.
// RUN: sluice-opt %s --partition-split-by-device --partition-check-balance | FileCheck %s

// CHECK-NOT: parallel_iterations = 4
// CHECK-LABEL: module @rank0
// CHECK: flow.enter {{.*}} parallel_iterations = 10 : i64
// CHECK-LABEL: module @rank1
// CHECK: flow.enter {{.*}} parallel_iterations = 10 : i64
// CHECK: flow.enter {{.*}} parallel_iterations = 10 : i64
// CHECK-NOT: parallel_iterations = 4
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @body {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %step = flow.feed {name = "step", wire.device = 0 : i64} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %by = flow.enter %step {frame = "loop", constant = true, parallel_iterations = 4 : i64, wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %next = nd.add %stay, %by {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %result = flow.exit %leave {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %result {name = "result", wire.device = 0 : i64} : (tensor<i32>) -> ()
  }
}
