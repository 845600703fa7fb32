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

// -----

// One region of a loop asks for the gradient array, the other writes: that is in the next iteration.
// CHECK-LABEL: @in_both_regions
// CHECK: array.create
flow.graph @in_both_regions {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // expected-remark @+1 {{stays as it is: 'write': it may write after a gradient array has been made}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = true, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %r:2 = flow.while (%zero, %f0) (%n, %h, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %f: tensor<f32>, %m: tensor<i32>, %hh: !array.handle<tensor<*xf32>>, %v: tensor<f32>):
    %g, %f1, %d1 = array.grad %hh, %f {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
    %p = nd.less %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %f1) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %f: tensor<f32>, %m: tensor<i32>, %hh: !array.handle<tensor<*xf32>>, %v: tensor<f32>):
    %f2, %d2 = array.write %hh, %i, %v, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next, %f2 : (tensor<i32>, tensor<f32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<f32>) -> ()
}

// -----

// The list of the gradient array would be made before the branch, and not know of the element.
// CHECK-LABEL: @written_beside
// CHECK: array.create
flow.graph @written_beside {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  // expected-remark @+1 {{stays as it is: 'write': it may write after a gradient array has been made}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = true, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %r = flow.cond %p (%h, %f0, %x, %zero) : (tensor<i1>, !array.handle<tensor<*xf32>>, tensor<f32>, tensor<f32>, tensor<i32>) -> tensor<f32> on_true {
  ^bb0(%hh: !array.handle<tensor<*xf32>>, %f: tensor<f32>, %v: tensor<f32>, %i: tensor<i32>):
    %f1, %d1 = array.write %hh, %i, %v, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
    %g, %f2, %d2 = array.grad %hh, %f1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
    %y, %d3 = array.read %g, %i, %f2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %y : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%hh: !array.handle<tensor<*xf32>>, %f: tensor<f32>, %v: tensor<f32>, %i: tensor<i32>):
    flow.yield %v : (tensor<f32>) -> ()
  }
  flow.fetch %r {name = "y"} : (tensor<f32>) -> ()
}

// -----

// CHECK-LABEL: @written_in_another_branch
// CHECK-NOT: array.
// CHECK: list.zeros_like
flow.graph @written_in_another_branch {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = true, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %r = flow.cond %p (%h, %f0, %x, %zero) : (tensor<i1>, !array.handle<tensor<*xf32>>, tensor<f32>, tensor<f32>, tensor<i32>) -> tensor<f32> on_true {
  ^bb0(%hh: !array.handle<tensor<*xf32>>, %f: tensor<f32>, %v: tensor<f32>, %i: tensor<i32>):
    %f1, %d1 = array.write %hh, %i, %v, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
    flow.yield %f1 : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%hh: !array.handle<tensor<*xf32>>, %f: tensor<f32>, %v: tensor<f32>, %i: tensor<i32>):
    %g, %f2, %d2 = array.grad %hh, %f {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
    %y, %d3 = array.read %g, %i, %f2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %y : (tensor<f32>) -> ()
  }
  flow.fetch %r {name = "y"} : (tensor<f32>) -> ()
}
