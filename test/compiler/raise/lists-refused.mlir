// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that do not become lists, since their gradient arrays would be others.
// RUN: sluice-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(flow.graph(raise-arrays-to-lists{explain=true}))' | FileCheck %s

// The gradient array is made of the first element only.
// CHECK-LABEL: @written_after_gradient
// CHECK: array.create
flow.graph @written_after_gradient {
  %n = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // expected-remark @+1 {{stays as it is: 'write': it may write after a gradient array has been made}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = true, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.write %h, %zero, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("first")
  %g, %f2, %t2 = array.grad %h, %f1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token) loc("grad")
  %f3, %t3 = array.write %h, %n, %x, %f2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
  %y, %d = array.read %g, %zero, %f3 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("read")
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}

// -----

// CHECK-LABEL: @written_before
// CHECK-NOT: array.
// CHECK: list.zeros_like
flow.graph @written_before {
  %n = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = true, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.write %h, %zero, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %g, %f2, %t2 = array.grad %h, %f1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %y, %d = array.read %g, %zero, %f2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}
