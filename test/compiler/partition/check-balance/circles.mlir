// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that wait for each other. Each graph has no cycle of its own.
// RUN: sluice-opt %s --split-input-file --verify-diagnostics --partition-check-balance

// 
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    // expected-error@below {{edge 1: expected ranks not to wait for each other in a circle}}
    %y = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<f32>
    %x = nd.neg %y : (tensor<f32>) -> tensor<f32>
    wire.send %x {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
  }
}
