// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that become tensors: what their accesses waited for, and what making them did, is waited for.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(raise-arrays-to-values))' | FileCheck %s

// Tokens of accesses: that an element is read says that it is there. What making the array, closing it
// or an access waits for is waited for still.
// CHECK-LABEL: @tokens
// CHECK-NOT: array.
flow.graph @tokens {
  // CHECK: %[[N:.*]] = nd.constant {value = dense<2>
  // CHECK: %[[X:.*]] = flow.feed {name = "x:0"}
  // CHECK: %[[E:.*]] = flow.after
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %e = flow.after %x : (tensor<3xf32>) -> !flow.token
  // CHECK: %[[SIZE:.*]] = flow.gate %[[N]], %[[E]]
  // CHECK: %[[DIMS:.*]] = nd.pack %[[SIZE]],
  // CHECK: %[[EMPTY:.*]] = nd.fill %[[DIMS]],
  // CHECK: %[[SIZE2:.*]] = flow.gate %[[N]], %[[E]]
  // CHECK: %[[MADE:.*]] = flow.after %[[SIZE2]]
  // CHECK: %[[BEFORE:.*]] = flow.gate %[[EMPTY]], %[[MADE]]
  // CHECK: %[[SET:.*]] = nd.set_row %[[BEFORE]], %{{.*}}, %[[X]]
  %a, %a0, %at = array.create %n, %e {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>, !flow.token) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %a1, %a1_t = array.write %a, %zero, %x, %a0, %at : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>, !flow.token) -> (tensor<f32>, !flow.token)
  // CHECK: %[[WRITTEN:.*]] = flow.after %[[SET]]
  // CHECK: %[[STATE:.*]] = flow.gate %[[SET]], %[[WRITTEN]]
  // CHECK: %[[ROW:.*]] = nd.row %[[STATE]], %{{.*}}
  %v, %d = array.read %a, %zero, %a1, %a1_t : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, !flow.token) -> (tensor<3xf32>, !flow.token)
  // CHECK: %[[READ:.*]] = flow.after %[[ROW]]
  // CHECK: %[[SIZE3:.*]] = flow.gate %[[N]], %[[E]]
  // CHECK: %[[LAST:.*]] = flow.gate %[[SIZE3]], %[[READ]]
  // CHECK: %[[CLOSED:.*]] = flow.after %[[LAST]]
  %c = array.close %a, %d : (!array.handle<tensor<*xf32>>, !flow.token) -> !flow.token
  // CHECK: flow.target %[[READ]]
  // CHECK: flow.target %[[CLOSED]]
  flow.target %d {name = "read"} : (!flow.token) -> ()
  flow.target %c {name = "closed"} : (!flow.token) -> ()
}

// -----

// Elements that are all written at once replace what the array was, but not before it would have been
// made: after a token, or once its size is there.
// CHECK-LABEL: @written_once_made
// CHECK-NOT: array.
flow.graph @written_once_made {
  // CHECK: %[[N:.*]] = nd.constant {value = dense<2> : tensor<i32>}
  // CHECK: %[[X:.*]] = flow.feed {name = "x:0"}
  // CHECK: %[[E:.*]] = flow.after
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %indices = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %late = flow.feed {name = "late:0"} : () -> tensor<i32>
  %e = flow.after %late : (tensor<i32>) -> !flow.token
  // CHECK: %[[LATE:.*]] = flow.gate %[[X]], %[[E]]
  %a, %a0, %at = array.create %n, %e {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>, !flow.token) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %a1, %ad = array.scatter %a, %indices, %x, %a0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y, %yd = array.gather %a, %indices, %a1 {element_shape = tensor<3xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token)
  // CHECK: %[[SIZE:.*]] = flow.gate %[[N]], %[[E]]
  // CHECK: %[[KNOWN:.*]] = flow.after %[[SIZE]]
  // CHECK: %[[LATER:.*]] = flow.gate %[[X]], %[[KNOWN]]
  %size = flow.gate %n, %e : (tensor<i32>, !flow.token) -> tensor<i32>
  %bh, %b0, %bt = array.create %size {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "b"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %b1, %bd = array.scatter %bh, %indices, %x, %b0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %z, %zd = array.gather %bh, %indices, %b1 {element_shape = tensor<3xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token)
  // CHECK: flow.fetch %[[LATE]]
  // CHECK: flow.fetch %[[LATER]]
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
  flow.fetch %z {name = "z"} : (tensor<2x3xf32>) -> ()
}

// -----

// No array is made of a size below 0, and none closed: making zeros fails, too.
// CHECK-LABEL: @size_below_zero
// CHECK-NOT: array.
flow.graph @size_below_zero {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  // CHECK: %[[ZEROS:.*]] = nd.fill
  // CHECK: %[[MADE:.*]] = flow.after %[[ZEROS]]
  // CHECK: %[[CLOSED:.*]] = flow.after %[[ZEROS]]
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %c = array.close %h : (!array.handle<tensor<*xf32>>) -> !flow.token
  // CHECK: flow.target %[[MADE]]
  // CHECK: flow.target %[[CLOSED]]
  flow.target %t {name = "made"} : (!flow.token) -> ()
  flow.target %c {name = "closed"} : (!flow.token) -> ()
}
