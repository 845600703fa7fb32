// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module without devices is left alone; with one device, nothing is cut.
// RUN: sluice-opt %s --split-input-file --partition-split-by-device --partition-check-balance | FileCheck %s

// CHECK-LABEL: module
// CHECK-NEXT: state.variable @w
// CHECK-NEXT: flow.graph @alone {
// CHECK-NEXT: [[X:%.*]] = flow.feed {name = "x"}
// CHECK-NEXT: flow.fetch [[X]] {name = "y"} : (tensor<f32>) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: }
state.variable @w {key = "w", type = tensor<f32>}
flow.graph @alone {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  flow.fetch %x {name = "y"} : (tensor<f32>) -> ()
}
// -----
// CHECK-LABEL: module @rank0
// CHECK-NEXT: flow.graph @one attributes {wire.frames = []}
// CHECK-NEXT: [[X:%.*]] = flow.feed {name = "x"}
// CHECK-NEXT: flow.fetch [[X]] {name = "y"} : (tensor<f32>) -> ()
// CHECK-NEXT: }
module attributes {wire.devices = [{name = "a", address = ""}]} {
  flow.graph @one {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<f32>
    flow.fetch %x {name = "y", wire.device = 0 : i64} : (tensor<f32>) -> ()
  }
}
