// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph whose control flow is in regions runs as a whole, so what holds in regions holds around them, too: a computed
// reshape needs no vector, and what asserts equal sizes goes. Not where a switch may kill values.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(optimize-infer-regions,optimize-fold-regions)' | FileCheck %s

// CHECK-LABEL: @whole
// CHECK: nd.expand_dims %{{.*}} -> tensor<?x1x?xf32>
// CHECK-NOT: state.assert
// CHECK: flow.fetch
flow.graph @whole {
  %x = flow.feed {name = "x"} : () -> tensor<?x?xf32>
  %zero = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %one = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %s = nd.shape %x : (tensor<?x?xf32>) -> tensor<2xi32>
  %a = nd.slice %s, %zero, %one : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %b = nd.slice %s, %one, %one : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %d = nd.concat %a, %one, %b, %axis : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
  %e = nd.equal %a, %a : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
  %all = nd.reduce_all %e, %zero {keep_dims = false} : (tensor<1xi1>, tensor<1xi32>) -> tensor<i1>
  %t = state.assert %all, %a {summarize = 3 : i64} : (tensor<i1>, tensor<1xi32>) -> !flow.token
  %y = nd.reshape %x, %d : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x1x?xf32>
  %g = flow.gate %y, %t : (tensor<?x1x?xf32>, !flow.token) -> tensor<?x1x?xf32>
  flow.fetch %g {name = "y"} : (tensor<?x1x?xf32>) -> ()
}

// -----

// CHECK-LABEL: @switched
// CHECK: state.assert
// CHECK: nd.reshape
// CHECK: flow.fetch
flow.graph @switched {
  %x = flow.feed {name = "x"} : () -> tensor<?x?xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %off, %on, %dead = flow.switch %x, %p : (tensor<?x?xf32>, tensor<i1>) -> (tensor<?x?xf32>, tensor<?x?xf32>, !flow.token)
  %zero = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %one = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %s = nd.shape %on : (tensor<?x?xf32>) -> tensor<2xi32>
  %a = nd.slice %s, %zero, %one : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %b = nd.slice %s, %one, %one : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %d = nd.concat %a, %one, %b, %axis : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
  %e = nd.equal %a, %a : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
  %all = nd.reduce_all %e, %zero {keep_dims = false} : (tensor<1xi1>, tensor<1xi32>) -> tensor<i1>
  %t = state.assert %all, %a {summarize = 3 : i64} : (tensor<i1>, tensor<1xi32>) -> !flow.token
  %y = nd.reshape %on, %d : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x1x?xf32>
  %g = flow.gate %y, %t : (tensor<?x1x?xf32>, !flow.token) -> tensor<?x1x?xf32>
  flow.fetch %g {name = "y"} : (tensor<?x1x?xf32>) -> ()
}
