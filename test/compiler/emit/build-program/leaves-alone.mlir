// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gate in front of a merge keeps its node: a merge does not wait for what it does not take.
// RUN: sluice-opt --emit-build-program %s | FileCheck %s

// CHECK: %[[GATE:.*]] = exe.node forward "" in 0(%{{.*}}) control(%{{.*}})
// CHECK: exe.node merge "" in 0(%[[GATE]])
flow.graph @gated_merge {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = flow.feed {name = "y:0"} : () -> tensor<f32>
  %t = flow.after %y : (tensor<f32>) -> !flow.token
  %g = flow.gate %x, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  %m, %i, %mt = flow.merge %g : (tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %m {name = "m:0"} : (tensor<f32>) -> ()
}
