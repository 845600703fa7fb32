// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops keep where their nodes ask to be, whatever becomes of the ops around them.
// RUN: sluice-opt --optimize %s | FileCheck %s

// CHECK-LABEL: flow.graph @main
// CHECK: nd.constant {value = dense<3.000000e+00> : tensor<f32>} :
// CHECK: nd.add {{.*}}{wire.colocate = "a", wire.requested = "/task:1"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: flow.fetch
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %c = nd.constant {value = dense<-3.0> : tensor<f32>} : () -> tensor<f32>
  %0 = nd.neg %c {wire.requested = "/task:0"} : (tensor<f32>) -> tensor<f32>
  %t = flow.after %c {wire.requested = "/task:1"} : (tensor<f32>) -> !flow.token
  %1 = flow.gate %0, %t {wire.requested = "/task:1"} : (tensor<f32>, !flow.token) -> tensor<f32>
  %2 = nd.add %x, %1 {wire.colocate = "a", wire.requested = "/task:1"} : (tensor<f32>, tensor<f32>) -> tensor<*xf32>
  flow.fetch %2 {name = "y:0"} : (tensor<*xf32>) -> ()
}
