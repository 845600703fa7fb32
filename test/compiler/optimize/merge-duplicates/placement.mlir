// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equal ops whose nodes ask to be in different places stay apart.
// RUN: sluice-opt --optimize-merge-duplicates %s | FileCheck %s

// CHECK-LABEL: flow.graph @main
// CHECK: nd.neg {{.*}}{wire.requested = "/task:0"}
// CHECK: nd.neg {{.*}}{wire.requested = "/task:1"}
// CHECK: nd.neg %{{[0-9]+}} :
// CHECK: nd.neg {{.*}}{wire.colocate = "a"}
// CHECK: nd.neg {{.*}}{wire.colocate = "b"}
// CHECK-NOT: nd.neg
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %0 = nd.neg %x {wire.requested = "/task:0"} : (tensor<f32>) -> tensor<f32>
  %1 = nd.neg %x {wire.requested = "/task:1"} : (tensor<f32>) -> tensor<f32>
  %2 = nd.neg %x : (tensor<f32>) -> tensor<f32>
  %3 = nd.neg %x {wire.colocate = "a"} : (tensor<f32>) -> tensor<f32>
  %4 = nd.neg %x {wire.colocate = "b"} : (tensor<f32>) -> tensor<f32>
  %5 = nd.neg %x {wire.requested = "/task:1"} : (tensor<f32>) -> tensor<f32>
  flow.fetch %0 {name = "0:0"} : (tensor<f32>) -> ()
  flow.fetch %1 {name = "1:0"} : (tensor<f32>) -> ()
  flow.fetch %2 {name = "2:0"} : (tensor<f32>) -> ()
  flow.fetch %3 {name = "3:0"} : (tensor<f32>) -> ()
  flow.fetch %4 {name = "4:0"} : (tensor<f32>) -> ()
  flow.fetch %5 {name = "5:0"} : (tensor<f32>) -> ()
}
