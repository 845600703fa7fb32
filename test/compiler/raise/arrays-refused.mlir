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

// -----

// Indices that are not all elements of the array, each once.
// CHECK-LABEL: @not_all_elements
// CHECK-COUNT-6: array.scatter
flow.graph @not_all_elements {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %m = flow.feed {name = "m:0"} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<?x3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %three = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %in_order = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %turned = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %late = nd.range %one, %n, %one : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %wide = nd.range %zero, %n, %two : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %other = nd.range %zero, %m, %one : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  // expected-remark @+1 {{'turned': it is not known to write each element at most once}}
  %a, %a0, %at = array.create %two {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %a1, %ad = array.scatter %a, %turned, %x, %a0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("turned")
  // expected-remark @+1 {{'fewer': it is not known to write each element at most once}}
  %b, %b0, %bt = array.create %three {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "b"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %b1, %bd = array.scatter %b, %in_order, %x, %b0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("fewer")
  // expected-remark @+1 {{'late': it is not known to write each element at most once}}
  %c, %c0, %ct = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "c"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %c1, %cd = array.scatter %c, %late, %y, %c0 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("late")
  // expected-remark @+1 {{'wide': it is not known to write each element at most once}}
  %d, %d0, %dt = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "d"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %d1, %dd = array.scatter %d, %wide, %y, %d0 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("wide")
  // expected-remark @+1 {{'other': it is not known to write each element at most once}}
  %e, %e0, %et = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "e"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %e1, %ed = array.scatter %e, %other, %y, %e0 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("other")
  %size, %sd = array.size %c, %c1 : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token)
  %of_c = nd.range %zero, %size, %one : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  // expected-remark @+1 {{'of_c': it is not known to write each element at most once}}
  %f, %f0, %ft = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "f"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %fd = array.scatter %f, %of_c, %y, %f0 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("of_c")
  %all = flow.join %ad, %bd, %cd, %dd, %ed, %fd, %sd : (!flow.token, !flow.token, !flow.token, !flow.token, !flow.token, !flow.token, !flow.token) -> !flow.token
  flow.target %all {name = "all"} : (!flow.token) -> ()
}

// -----

// Two writes of one element, and a loop that writes one again and again.
// CHECK-LABEL: @equal_constants
// CHECK-COUNT-3: array.write
flow.graph @equal_constants {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{'write': it is not known to write each element at most once}}
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %a1, %ad = array.write %a, %zero, %x, %a0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
  %a2, %ae = array.write %a, %zero, %x, %a1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("again")
  // expected-remark @+1 {{'in_loop': it is not known to write each element at most once}}
  %b, %b0, %bt = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "b"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last:2 = flow.while (%zero, %b0) (%n, %b, %x) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<3xf32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g1, %d = array.write %h, %one, %y, %g : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("in_loop")
    flow.yield %next, %g1 : (tensor<i32>, tensor<f32>) -> ()
  }
  flow.target %ae {name = "a"} : (!flow.token) -> ()
  flow.fetch %last#0 {name = "b"} : (tensor<i32>) -> ()
}

// -----

// Numbers of a loop that are no counters: one goes down, one stays, one counts from another one, and
// one is not there at the start of the iteration.
// CHECK-LABEL: @no_counters
// CHECK: flow.while
// CHECK-COUNT-4: array.write
flow.graph @no_counters {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{'down': it is not known to write each element at most once}}
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // expected-remark @+1 {{'same': it is not known to write each element at most once}}
  %b, %b0, %bt = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "b"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // expected-remark @+1 {{'crossed': it is not known to write each element at most once}}
  %c, %c0, %ct = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "c"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // expected-remark @+1 {{'grown': it is not known to write each element at most once}}
  %d, %d0, %dt = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "d"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last:8 = flow.while (%zero, %n, %zero, %zero, %a0, %b0, %c0, %d0) (%n, %x, %a, %b, %c, %d) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<3xf32>, !array.handle<tensor<*xf32>>, !array.handle<tensor<*xf32>>, !array.handle<tensor<*xf32>>, !array.handle<tensor<*xf32>>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %j: tensor<i32>, %k: tensor<i32>, %l: tensor<i32>, %fa: tensor<f32>, %fb: tensor<f32>, %fc: tensor<f32>, %fd: tensor<f32>, %limit: tensor<i32>, %y: tensor<3xf32>, %ha: !array.handle<tensor<*xf32>>, %hb: !array.handle<tensor<*xf32>>, %hc: !array.handle<tensor<*xf32>>, %hd: !array.handle<tensor<*xf32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %j, %k, %l, %fa, %fb, %fc, %fd) : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %j: tensor<i32>, %k: tensor<i32>, %l: tensor<i32>, %fa: tensor<f32>, %fb: tensor<f32>, %fc: tensor<f32>, %fd: tensor<f32>, %limit: tensor<i32>, %y: tensor<3xf32>, %ha: !array.handle<tensor<*xf32>>, %hb: !array.handle<tensor<*xf32>>, %hc: !array.handle<tensor<*xf32>>, %hd: !array.handle<tensor<*xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %less = nd.constant {value = dense<-1> : tensor<i32>} : () -> tensor<i32>
    %in = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %jn = nd.add %j, %less : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %kn = nd.add %k, %none : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %ln = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %ga, %ta = array.write %ha, %j, %y, %fa : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("down")
    %gb, %tb = array.write %hb, %k, %y, %fb : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("same")
    %gc, %tc = array.write %hc, %l, %y, %fc : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("crossed")
    %gd, %td = array.write %hd, %in, %y, %fd : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("grown")
    flow.yield %in, %jn, %kn, %ln, %ga, %gb, %gc, %gd : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> ()
  }
  flow.fetch %last#0 {name = "i"} : (tensor<i32>) -> ()
}

// -----

// Loops that may leave out elements: the first one, every second one, those above another number, or
// all but those of the iterations that another condition allows.
// CHECK-LABEL: @left_out
// CHECK-COUNT-6: array.write
flow.graph @left_out {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %m = flow.feed {name = "m:0"} : () -> tensor<i32>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{'late': it may read elements that were never written}}
  %late, %late0, %latet = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "late"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last_late:2 = flow.while (%one, %late0) (%n, %m, %late, %x, %q) {frame = "late", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<3xf32>, tensor<i1>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %step, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g1, %d = array.write %h, %i, %y, %g : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %next, %g1 : (tensor<i32>, tensor<f32>) -> ()
  }
  %v_late, %v_late_t = array.read %late, %zero, %last_late#1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("late")
  flow.fetch %v_late {name = "late"} : (tensor<3xf32>) -> ()
  // expected-remark @+1 {{'wide': it may read elements that were never written}}
  %wide, %wide0, %widet = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "wide"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last_wide:2 = flow.while (%zero, %wide0) (%n, %m, %wide, %x, %q) {frame = "wide", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<3xf32>, tensor<i1>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %step = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %step, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g1, %d = array.write %h, %i, %y, %g : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %next, %g1 : (tensor<i32>, tensor<f32>) -> ()
  }
  %v_wide, %v_wide_t = array.read %wide, %zero, %last_wide#1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("wide")
  flow.fetch %v_wide {name = "wide"} : (tensor<3xf32>) -> ()
  // expected-remark @+1 {{'fewer': it may read elements that were never written}}
  %fewer, %fewer0, %fewert = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "fewer"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last_fewer:2 = flow.while (%zero, %fewer0) (%n, %m, %fewer, %x, %q) {frame = "fewer", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<3xf32>, tensor<i1>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %p = nd.less %i, %other : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %step, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g1, %d = array.write %h, %i, %y, %g : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %next, %g1 : (tensor<i32>, tensor<f32>) -> ()
  }
  %v_fewer, %v_fewer_t = array.read %fewer, %zero, %last_fewer#1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("fewer")
  flow.fetch %v_fewer {name = "fewer"} : (tensor<3xf32>) -> ()
  // expected-remark @+1 {{'turned': it may read elements that were never written}}
  %turned, %turned0, %turnedt = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "turned"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last_turned:2 = flow.while (%zero, %turned0) (%n, %m, %turned, %x, %q) {frame = "turned", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<3xf32>, tensor<i1>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %p = nd.less %limit, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %step, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g1, %d = array.write %h, %i, %y, %g : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %next, %g1 : (tensor<i32>, tensor<f32>) -> ()
  }
  %v_turned, %v_turned_t = array.read %turned, %zero, %last_turned#1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("turned")
  flow.fetch %v_turned {name = "turned"} : (tensor<3xf32>) -> ()
  // expected-remark @+1 {{'ends': it may read elements that were never written}}
  %ends, %ends0, %endst = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "ends"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last_ends:2 = flow.while (%zero, %ends0) (%n, %m, %ends, %x, %q) {frame = "ends", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<3xf32>, tensor<i1>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %below = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %p = nd.logical_and %below, %also : (tensor<i1>, tensor<i1>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %step, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g1, %d = array.write %h, %i, %y, %g : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %next, %g1 : (tensor<i32>, tensor<f32>) -> ()
  }
  %v_ends, %v_ends_t = array.read %ends, %zero, %last_ends#1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("ends")
  flow.fetch %v_ends {name = "ends"} : (tensor<3xf32>) -> ()
  // expected-remark @+1 {{'stops': it may read elements that were never written}}
  %stops, %stops0, %stopst = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "stops"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last_stops:2 = flow.while (%zero, %stops0) (%n, %m, %stops, %x, %q) {frame = "stops", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<3xf32>, tensor<i1>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %below = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %p = nd.logical_and %also, %below : (tensor<i1>, tensor<i1>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %step, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g1, %d = array.write %h, %i, %y, %g : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %next, %g1 : (tensor<i32>, tensor<f32>) -> ()
  }
  %v_stops, %v_stops_t = array.read %stops, %zero, %last_stops#1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("stops")
  flow.fetch %v_stops {name = "stops"} : (tensor<3xf32>) -> ()
}

// -----

// Elements 0 and 1 are written, but whether element 1 is depends on a branch.
// CHECK-LABEL: @perhaps_written
// CHECK-COUNT-2: array.write
flow.graph @perhaps_written {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  // expected-remark @+1 {{'read': it may read elements that were never written}}
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %a1, %a1_t = array.write %a, %zero, %x, %a0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %a2 = flow.cond %q (%a, %a1, %x, %one) : (tensor<i1>, !array.handle<tensor<*xf32>>, tensor<f32>, tensor<3xf32>, tensor<i32>) -> tensor<f32> on_true {
  ^bb0(%h: !array.handle<tensor<*xf32>>, %f: tensor<f32>, %y: tensor<3xf32>, %i: tensor<i32>):
    %g, %d = array.write %h, %i, %y, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %g : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%h: !array.handle<tensor<*xf32>>, %f: tensor<f32>, %y: tensor<3xf32>, %i: tensor<i32>):
    flow.yield %f : (tensor<f32>) -> ()
  }
  %y, %y_t = array.read %a, %one, %a2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
}

// -----

// No elements are read where there are none, whether the array or the indices say so.
// CHECK-LABEL: @none
// CHECK-COUNT-2: array.gather
flow.graph @none {
  %n = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<0x3xf32>
  %ix = nd.range %n, %n, %one : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %m = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %in_order = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %z = flow.feed {name = "z:0"} : () -> tensor<2x3xf32>
  %no = flow.feed {name = "no:0"} : () -> tensor<0xi32>
  // expected-remark @+1 {{'empty': it may read no elements, whose shape nothing declares}}
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %a1, %ad = array.scatter %a, %ix, %x, %a0 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<0x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y, %d = array.gather %a, %ix, %a1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>) -> (tensor<?x3xf32>, !flow.token) loc("empty")
  // expected-remark @+1 {{'nothing': it may read no elements, whose shape nothing declares}}
  %b, %b0, %bt = array.create %m {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "b"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %b1, %bd = array.scatter %b, %in_order, %z, %b0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %v, %vd = array.gather %b, %no, %b1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<0xi32>, tensor<f32>) -> (tensor<0x3xf32>, !flow.token) loc("nothing")
  flow.fetch %y {name = "y"} : (tensor<?x3xf32>) -> ()
  flow.fetch %v {name = "v"} : (tensor<0x3xf32>) -> ()
}

// -----

// Which array it is would change with each iteration.
// CHECK-LABEL: @goes_round
// CHECK: array.read
flow.graph @goes_round {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{'loop': it is used for more than reading and writing elements}}
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last:2 = flow.while (%zero, %a) (%n, %a0) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, !array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, !array.handle<tensor<*xf32>>) before {
  ^bb0(%i: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %limit: tensor<i32>, %f: tensor<f32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %h) : (tensor<i1>, tensor<i32>, !array.handle<tensor<*xf32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %limit: tensor<i32>, %f: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %v, %d = array.read %h, %i, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token)
    %step = flow.gate %one, %d : (tensor<i32>, !flow.token) -> tensor<i32>
    %next = nd.add %i, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next, %h : (tensor<i32>, !array.handle<tensor<*xf32>>) -> ()
  } loc("loop")
  flow.fetch %last#0 {name = "y"} : (tensor<i32>) -> ()
}

// -----

// What is written has another shape or type than declared.
// CHECK-LABEL: @written_otherwise
// CHECK-COUNT-2: array.write
flow.graph @written_otherwise {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<4xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<3xi32>
  // expected-remark @+1 {{'longer': elements differ in shape}}
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %a1, %a1_t = array.write %a, %zero, %x, %a0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<4xf32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("longer")
  // expected-remark @+1 {{'integers': the shape of what is written is not known}}
  %b, %b0, %bt = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "b"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %b1, %b1_t = array.write %b, %zero, %y, %b0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xi32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("integers")
  %all = flow.join %a1_t, %b1_t : (!flow.token, !flow.token) -> !flow.token
  flow.target %all {name = "all"} : (!flow.token) -> ()
}

// -----

// A branch that is taken after the array has been closed.
// CHECK-LABEL: @branch_after_close
// CHECK: array.close
flow.graph @branch_after_close {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  // expected-remark @+1 {{'read': it comes after the array has been closed}}
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %c = array.close %a : (!array.handle<tensor<*xf32>>) -> !flow.token loc("close")
  %late = flow.gate %p, %c : (tensor<i1>, !flow.token) -> tensor<i1>
  %r = flow.cond %p (%late, %a, %a0, %zero) : (tensor<i1>, tensor<i1>, !array.handle<tensor<*xf32>>, tensor<f32>, tensor<i32>) -> tensor<i1> on_true {
  ^bb0(%q: tensor<i1>, %h: !array.handle<tensor<*xf32>>, %f: tensor<f32>, %i: tensor<i32>):
    %s = flow.cond %q (%h, %f, %i, %q) : (tensor<i1>, !array.handle<tensor<*xf32>>, tensor<f32>, tensor<i32>, tensor<i1>) -> tensor<i1> on_true {
    ^bb0(%hh: !array.handle<tensor<*xf32>>, %ff: tensor<f32>, %ii: tensor<i32>, %qq: tensor<i1>):
      %v, %d = array.read %hh, %ii, %ff : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token) loc("read")
      %u = flow.gate %qq, %d : (tensor<i1>, !flow.token) -> tensor<i1>
      flow.yield %u : (tensor<i1>) -> ()
    } on_false {
    ^bb0(%hh: !array.handle<tensor<*xf32>>, %ff: tensor<f32>, %ii: tensor<i32>, %qq: tensor<i1>):
      flow.yield %qq : (tensor<i1>) -> ()
    }
    flow.yield %s : (tensor<i1>) -> ()
  } on_false {
  ^bb0(%q: tensor<i1>, %h: !array.handle<tensor<*xf32>>, %f: tensor<f32>, %i: tensor<i32>):
    flow.yield %q : (tensor<i1>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i1>) -> ()
}

// -----

// A size below 0 is an error also where nobody reads or writes.
// CHECK-LABEL: @only_made
// CHECK: array.create
flow.graph @only_made {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  // expected-remark @+1 {{stays an array: 'array.create': it is only made, which fails for a size below 0}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<4xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %y = flow.gate %x, %t : (tensor<f32>, !flow.token) -> tensor<f32>
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}
