// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices can be declared once only, and not without end. Frames that mix are refused here as well.
// RUN: not sluice-opt --place-on-devices=devices=2 --split-input-file %s 2>&1 | FileCheck %s
// RUN: not sluice-opt --place-at-random=devices=2 --split-input-file %s 2>&1 | FileCheck %s
// RUN: not sluice-opt --place-on-devices=devices=1025 %s 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: expected at most 1024 devices but got 1025

// CHECK: error: expected no option 'devices' for a module that declares its own
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}]} {
}

// -----

// CHECK: error: 'nd.add' op has inputs from different frames
flow.graph @frames {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %0 = flow.enter %x {frame = "f", constant = true, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %1 = nd.add %0, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %1 {name = "y:0"} : (tensor<f32>) -> ()
}
