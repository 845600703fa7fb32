// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a slice that begins at an index and zeros, dims that are taken whole are known.
// RUN: sluice-opt --optimize-infer-shapes %s | FileCheck %s

// The third dim begins who knows where; the fourth has a size.
// CHECK-LABEL: flow.graph @sizes
// CHECK: nd.slice {{.*}} -> tensor<1x3x?x2xf32>
flow.graph @sizes {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x3x4x7xf32>
  %i = flow.feed {name = "i:0"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %sizes = nd.constant {value = dense<[1, -1, -1, 2]> : tensor<4xi32>} : () -> tensor<4xi32>
  %begin = nd.pack %i, %zero, %i, %zero {axis = 0 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<*xi32>
  %y = nd.slice %x, %begin, %sizes : (tensor<5x3x4x7xf32>, tensor<*xi32>, tensor<4xi32>) -> tensor<*xf32>
  flow.fetch %y {name = "y:0"} : (tensor<*xf32>) -> ()
}

// The input's dims are not known.
// CHECK-LABEL: flow.graph @unknown
// CHECK: nd.slice {{.*}} -> tensor<1x?xf32>
flow.graph @unknown {
  %x = flow.feed {name = "x:0"} : () -> tensor<*xf32>
  %i = flow.feed {name = "i:0"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %sizes = nd.constant {value = dense<[1, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %begin = nd.pack %i, %zero {axis = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
  %y = nd.slice %x, %begin, %sizes : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
  flow.fetch %y {name = "y:0"} : (tensor<*xf32>) -> ()
}
