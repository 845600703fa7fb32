// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cards that there are not, of a device that says how many it has and of one that does not.
// RUN: not sluice-opt --place-on-devices %s 2>&1 | FileCheck %s

// CHECK: error: {{.*}}asks for '/gpu:2', but there is no such device
// CHECK: note: {{.*}}the devices are '/job:a/replica:0/task:0/device:CPU:0', '/job:a/replica:0/task:1/device:CPU:0', '/job:a/replica:0/task:0/device:GPU:0', '/job:a/replica:0/task:0/device:GPU:1'
// CHECK: error: {{.*}}asks for '/task:1/gpu:0', but there is no such device
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "h:1", target = "2xsim"},
                                   {name = "/job:a/replica:0/task:1/device:CPU:0", address = "h:2"}]} {
flow.graph @missing {
  %x = flow.feed {name = "x:0"} : () -> tensor<4xf32>
  %a = nd.neg %x {wire.requested = "/gpu:2"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = nd.neg %a {wire.requested = "/task:1/gpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  flow.fetch %b {name = "b:0"} : (tensor<4xf32>) -> ()
}
}
