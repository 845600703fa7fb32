// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slice that may fail where a row would not stays.
// RUN: sluice-opt %s -pass-pipeline='builtin.module(flow.graph(optimize-slices-to-rows))' | FileCheck %s

// The input may have any number of dims, or has another one than the slice.
// CHECK-LABEL: @ranks
// CHECK-NOT: nd.row
// CHECK-COUNT-2: nd.slice
flow.graph @ranks {
  %x = flow.feed {name = "x"} : () -> tensor<*xf32>
  %z = flow.feed {name = "z"} : () -> tensor<5x3x2xf32>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %all = nd.constant {value = dense<[1, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %begin = nd.pack %i, %zero {axis = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
  %a = nd.slice %x, %begin, %all : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %b = nd.slice %z, %begin, %all : (tensor<5x3x2xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
  flow.fetch %a {name = "a"} : (tensor<?x?xf32>) -> ()
  flow.fetch %b {name = "b"} : (tensor<*xf32>) -> ()
}

// The index may be no scalar, or is none; a zero is a vector; sizes are a matrix.
// CHECK-LABEL: @vectors
// CHECK-NOT: nd.row
// CHECK-COUNT-4: nd.slice
flow.graph @vectors {
  %x = flow.feed {name = "x"} : () -> tensor<5x3xf32>
  %i = flow.feed {name = "i"} : () -> tensor<*xi32>
  %k = flow.feed {name = "k"} : () -> tensor<1xi32>
  %j = flow.feed {name = "j"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %zeros = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %all = nd.constant {value = dense<[1, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %row = nd.constant {value = dense<[[1, -1]]> : tensor<1x2xi32>} : () -> tensor<1x2xi32>
  %p = nd.pack %i, %zero {axis = 0 : i64} : (tensor<*xi32>, tensor<i32>) -> tensor<*xi32>
  %q = nd.pack %k, %zero {axis = 0 : i64} : (tensor<1xi32>, tensor<i32>) -> tensor<*xi32>
  %r = nd.pack %j, %zeros {axis = 0 : i64} : (tensor<i32>, tensor<1xi32>) -> tensor<*xi32>
  %s = nd.pack %j, %zero {axis = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
  %a = nd.slice %x, %p, %all : (tensor<5x3xf32>, tensor<*xi32>, tensor<2xi32>) -> tensor<*xf32>
  %b = nd.slice %x, %q, %all : (tensor<5x3xf32>, tensor<*xi32>, tensor<2xi32>) -> tensor<*xf32>
  %c = nd.slice %x, %r, %all : (tensor<5x3xf32>, tensor<*xi32>, tensor<2xi32>) -> tensor<*xf32>
  %d = nd.slice %x, %s, %row : (tensor<5x3xf32>, tensor<2xi32>, tensor<1x2xi32>) -> tensor<*xf32>
  flow.fetch %a {name = "a"} : (tensor<*xf32>) -> ()
  flow.fetch %b {name = "b"} : (tensor<*xf32>) -> ()
  flow.fetch %c {name = "c"} : (tensor<*xf32>) -> ()
  flow.fetch %d {name = "d"} : (tensor<*xf32>) -> ()
}
