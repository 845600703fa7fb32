// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that stay arrays, each for one reason: an access does, or may do, what a tensor cannot.
// RUN: sluice-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(flow.graph(raise-arrays-to-values{explain=true}))' | FileCheck %s

// A write beyond the end is no error then.
// CHECK-LABEL: @grows
// CHECK: array.create
flow.graph @grows {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  // expected-remark @+1 {{stays an array: 'array.create': it can grow}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = true, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.gather %h, %ix, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
}

// -----

// A gradient array is found through the handle.
// CHECK-LABEL: @gradient
// CHECK: array.create
flow.graph @gradient {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  // expected-remark @+1 {{stays an array: 'grad': it is used for more than reading and writing elements}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %g, %f2, %t2 = array.grad %h, %f1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token) loc("grad")
  %y, %d = array.gather %h, %ix, %f2 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
}

// -----

// The order of accesses is a number as well: 0.
// CHECK-LABEL: @flow_as_number
// CHECK: array.create
flow.graph @flow_as_number {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  // expected-remark @+1 {{stays an array: 'sum': the order of its accesses is used as a number}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %sum = nd.add %f1, %f1 : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("sum")
  flow.fetch %sum {name = "y"} : (tensor<f32>) -> ()
}

// -----

// Only reads and writes move into regions.
// CHECK-LABEL: @size_in_branch
// CHECK: array.create
flow.graph @size_in_branch {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  // expected-remark @+1 {{stays an array: 'size': this access lies in another region}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %s = flow.cond %p (%h, %f1, %n) : (tensor<i1>, !array.handle<tensor<*xf32>>, tensor<f32>, tensor<i32>) -> tensor<i32> on_true {
  ^bb0(%hh: !array.handle<tensor<*xf32>>, %ff: tensor<f32>, %nn: tensor<i32>):
    %m, %d = array.size %hh, %ff : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token) loc("size")
    flow.yield %m : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%hh: !array.handle<tensor<*xf32>>, %ff: tensor<f32>, %nn: tensor<i32>):
    flow.yield %nn : (tensor<i32>) -> ()
  }
  flow.fetch %s {name = "y"} : (tensor<i32>) -> ()
}

// -----

// Whoever made the order knows more than the array's accesses.
// CHECK-LABEL: @foreign_order
// CHECK: array.create
flow.graph @foreign_order {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %f = flow.feed {name = "f:0"} : () -> tensor<f32>
  // expected-remark @+1 {{stays an array: 'gather': the order of this access comes from elsewhere}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.gather %h, %ix, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
}

// -----

// The next iteration begins with another order.
// CHECK-LABEL: @another_goes_round
// CHECK: array.create
flow.graph @another_goes_round {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %f = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  // expected-remark @+1 {{stays an array: 'loop': another value goes round in its place}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %last:2 = flow.while (%zero, %f1) (%n, %f) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<f32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next, %other : (tensor<i32>, tensor<f32>) -> ()
  } loc("loop")
  %y, %d = array.gather %h, %ix, %last#1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
}

// -----

// One way of the branch gives the order of something else.
// CHECK-LABEL: @another_from_branch
// CHECK: array.create
flow.graph @another_from_branch {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %f = flow.feed {name = "f:0"} : () -> tensor<f32>
  // expected-remark @+1 {{stays an array: 'branch': a branch gives another value in its place}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %g = flow.cond %p (%f1, %f) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    flow.yield %a : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    flow.yield %b : (tensor<f32>) -> ()
  } loc("branch")
  %y, %d = array.gather %h, %ix, %g {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
}

// -----

// What one iteration writes the next one does not wait for.
// CHECK-LABEL: @same_state
// CHECK: array.create
flow.graph @same_state {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  // expected-remark @+1 {{stays an array: 'loop': every iteration writes to the same state of it}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last = flow.while (%zero) (%n, %h, %f0, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<f32>, tensor<3xf32>) -> tensor<i32> before {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>, %hh: !array.handle<tensor<*xf32>>, %ff: tensor<f32>, %xx: tensor<3xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>, %hh: !array.handle<tensor<*xf32>>, %ff: tensor<f32>, %xx: tensor<3xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %g, %e = array.write %hh, %i, %xx, %ff : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    %step = flow.gate %one, %e : (tensor<i32>, !flow.token) -> tensor<i32>
    %next = nd.add %i, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next : (tensor<i32>) -> ()
  } loc("loop")
  flow.fetch %last {name = "y"} : (tensor<i32>) -> ()
}

// -----

// Two writes after the same state.
// CHECK-LABEL: @splits
// CHECK: array.create
flow.graph @splits {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{stays an array: 'array.create': the order of its accesses splits}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.write %h, %zero, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
  %f2, %t2 = array.write %h, %one, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
  %y, %d = array.read %h, %zero, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
  %z, %e = array.read %h, %one, %f2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
  flow.fetch %z {name = "z"} : (tensor<3xf32>) -> ()
}

// -----

// The read may see the write or not.
// CHECK-LABEL: @written_after
// CHECK: array.create
flow.graph @written_after {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{stays an array: 'read': it is written to after this read}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %y, %d = array.read %h, %one, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
  %f1, %t1 = array.write %h, %zero, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
  %z, %e = array.read %h, %zero, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("later")
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
  flow.fetch %z {name = "z"} : (tensor<3xf32>) -> ()
}

// -----

// Nothing is known of the index.
// CHECK-LABEL: @written_twice
// CHECK: array.create
flow.graph @written_twice {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %i = flow.feed {name = "i:0"} : () -> tensor<i32>
  // expected-remark @+1 {{stays an array: 'write': it is not known to write each element at most once}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.write %h, %i, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
  %y, %d = array.read %h, %zero, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
}

// -----

// An element is gone once it has been read.
// CHECK-LABEL: @read_twice
// CHECK: array.create
flow.graph @read_twice {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{stays an array: 'read': it is not known to read each element at most once}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.read %h, %zero, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
  %z, %e = array.read %h, %zero, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("again")
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
  flow.fetch %z {name = "z"} : (tensor<3xf32>) -> ()
}

// -----

// Code holds numbers only, and tensors of strings have no rows to write.
// CHECK-LABEL: @strings
// CHECK: array.create
flow.graph @strings {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x!nd.string>
  // expected-remark @+1 {{stays an array: 'array.create': its elements are no plain numbers}}
  %h, %f0, %t = array.create %n {dtype = !nd.string, element_shape = tensor<*x!nd.string>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*x!nd.string>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*x!nd.string>>, tensor<2xi32>, tensor<2x!nd.string>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.gather %h, %ix, %f1 {element_shape = tensor<*x!nd.string>} : (!array.handle<tensor<*x!nd.string>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x!nd.string>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<2x!nd.string>) -> ()
}

// -----

// Rows of the tensor would have no size.
// CHECK-LABEL: @shape_unknown
// CHECK: array.create
flow.graph @shape_unknown {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x?xf32>
  // expected-remark @+1 {{stays an array: 'scatter': the shape of what is written is not known}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x?xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.gather %h, %ix, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x?xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<2x?xf32>) -> ()
}

// -----

// Rows of a tensor are alike.
// CHECK-LABEL: @shapes_differ
// CHECK: array.create
flow.graph @shapes_differ {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %w = flow.feed {name = "w:0"} : () -> tensor<4xf32>
  // expected-remark @+1 {{stays an array: 'write': elements differ in shape}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.write %h, %zero, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
  %f2, %t2 = array.write %h, %one, %w, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<4xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("second")
  %y, %d = array.read %h, %zero, %f2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
}

// -----

// Nothing is ever written.
// CHECK-LABEL: @no_shape
// CHECK: array.create
flow.graph @no_shape {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{stays an array: 'array.create': the shape of its elements is not known}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %y, %d = array.read %h, %zero, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
}

// -----

// Making the array fails.
// CHECK-LABEL: @negative
// CHECK: array.create
flow.graph @negative {
  %n = nd.constant {value = dense<-1> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{stays an array: 'array.create': its size is negative}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %y, %d = array.read %h, %zero, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
}

// -----

// A reshape could not tell, for there are no elements.
// CHECK-LABEL: @rows_unknown
// CHECK: array.create
flow.graph @rows_unknown {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<?x0xf32>
  // expected-remark @+1 {{stays an array: 'scatter': the number of rows that are written is not known}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<?x0xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.gather %h, %ix, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x0xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<2x0xf32>) -> ()
}

// -----

// Element 1 has no shape.
// CHECK-LABEL: @never_written
// CHECK: array.create
flow.graph @never_written {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{stays an array: 'read': it may read elements that were never written}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.write %h, %zero, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
  %y, %d = array.read %h, %one, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
}

// -----

// Only a vector of indices is allowed.
// CHECK-LABEL: @no_vector
// CHECK: array.create
flow.graph @no_vector {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %i = flow.feed {name = "i:0"} : () -> tensor<*xi32>
  // expected-remark @+1 {{stays an array: 'gather': its indices are not known to be a vector}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.gather %h, %i, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<*xi32>, tensor<f32>) -> (tensor<*xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<*xf32>) -> ()
}

// -----

// The reader expects rows of 1000 numbers.
// CHECK-LABEL: @other_shape
// CHECK: array.create
flow.graph @other_shape {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  // expected-remark @+1 {{stays an array: 'gather': it expects elements of another shape}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.gather %h, %ix, %f1 {element_shape = tensor<1000xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x1000xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<2x1000xf32>) -> ()
}

// -----

// There may be no elements to read, which is an error unless their shape was declared.
// CHECK-LABEL: @perhaps_none
// CHECK: array.create
flow.graph @perhaps_none {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<?x3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.range %zero, %n, %one : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  // expected-remark @+1 {{stays an array: 'gather': it may read no elements, whose shape nothing declares}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.gather %h, %ix, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>) -> (tensor<?x3xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<?x3xf32>) -> ()
}

// -----

// The second time fails.
// CHECK-LABEL: @closed_twice
// CHECK: array.create
flow.graph @closed_twice {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  // expected-remark @+1 {{stays an array: 'close': it is closed twice}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.gather %h, %ix, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token) loc("gather")
  %c = array.close %h, %d : (!array.handle<tensor<*xf32>>, !flow.token) -> !flow.token loc("close")
  %e = array.close %h, %c : (!array.handle<tensor<*xf32>>, !flow.token) -> !flow.token loc("again")
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
  flow.target %e {name = "e"} : (!flow.token) -> ()
}

// -----

// A closed array cannot be read.
// CHECK-LABEL: @after_close
// CHECK: array.create
flow.graph @after_close {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  // expected-remark @+1 {{stays an array: 'gather': it comes after the array has been closed}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %c = array.close %h, %t1 : (!array.handle<tensor<*xf32>>, !flow.token) -> !flow.token loc("close")
  %y, %d = array.gather %h, %ix, %f1, %c {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>, !flow.token) -> (tensor<2x3xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
}

// -----

// A size with another rank fails.
// CHECK-LABEL: @size_no_scalar
// CHECK: array.create
flow.graph @size_no_scalar {
  %n = flow.feed {name = "n:0"} : () -> tensor<*xi32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  // expected-remark @+1 {{stays an array: 'array.create': its size is not known to be a scalar}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<*xi32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.write %h, %zero, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
  %y, %d = array.read %h, %zero, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
}

// -----

// Elements were to have two dims.
// CHECK-LABEL: @declared_otherwise
// CHECK: array.create
flow.graph @declared_otherwise {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  // expected-remark @+1 {{stays an array: 'array.create': its elements have another shape than declared}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<?x3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.gather %h, %ix, %f1 {element_shape = tensor<3xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token) loc("gather")
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
}

// -----

// The reader expects integers.
// CHECK-LABEL: @other_type
// CHECK: array.create
flow.graph @other_type {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %ix = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{stays an array: 'read': it expects elements of another type}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %ix, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("scatter")
  %y, %d = array.read %h, %zero, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xi32>, !flow.token) loc("read")
  flow.fetch %y {name = "y"} : (tensor<3xi32>) -> ()
}
