// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the graph file need not say how many dims there are for a slice to become a row.
// RUN: sluice-opt --optimize %s | FileCheck %s

// CHECK-LABEL: flow.graph @g
// CHECK: nd.row {{.*}} : (tensor<5x3xf32>, tensor<i32>) -> tensor<3xf32>
// CHECK: nd.expand_dims {{.*}} -> tensor<1x3xf32>
// CHECK: nd.exp {{.*}} -> tensor<1x3xf32>
flow.graph @g {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x3xf32>
  %i = flow.feed {name = "i:0"} : () -> tensor<i32>
  %z = nd.neg %x : (tensor<5x3xf32>) -> tensor<*xf32>
  %j = nd.neg %i : (tensor<i32>) -> tensor<*xi32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %sizes = nd.constant {value = dense<[1, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %begin = nd.pack %j, %zero {axis = 0 : i64} : (tensor<*xi32>, tensor<i32>) -> tensor<*xi32>
  %y = nd.slice %z, %begin, %sizes : (tensor<*xf32>, tensor<*xi32>, tensor<2xi32>) -> tensor<*xf32>
  %e = nd.exp %y : (tensor<*xf32>) -> tensor<*xf32>
  flow.fetch %e {name = "e:0"} : (tensor<*xf32>) -> ()
}
