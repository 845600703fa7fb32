// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who asks for a card gets the device that has it, where its target says how many it has.
// RUN: sluice-opt --place-on-devices %s | FileCheck %s

// CHECK-LABEL: flow.graph @cards
// CHECK:         nd.neg %{{.*}} {wire.device = 1 : i64}
// CHECK:         nd.abs %{{.*}} {wire.device = 1 : i64}
// CHECK:         nd.exp %{{.*}} {wire.device = 0 : i64}
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "h:1"},
                                   {name = "/job:a/replica:0/task:1/device:CPU:0", address = "h:2", target = "2xsim"}]} {
flow.graph @cards {
  %x = flow.feed {name = "x:0"} : () -> tensor<4xf32>
  %a = nd.neg %x {wire.requested = "/gpu:1"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = nd.abs %a {wire.requested = "/job:a/task:1/device:GPU:*"} : (tensor<4xf32>) -> tensor<4xf32>
  %c = nd.exp %b {wire.requested = "/task:0/device:CPU:0"} : (tensor<4xf32>) -> tensor<4xf32>
  flow.fetch %c {name = "c:0"} : (tensor<4xf32>) -> ()
}
}
