// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays and stacks that stay, each for one reason.
// RUN: sluice-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(flow.graph(raise-arrays-to-lists{explain=true}))' | FileCheck %s

// CHECK-LABEL: @handle_pushed
// CHECK: array.stack_create
// CHECK: array.stack_create
flow.graph @handle_pushed {
  %max = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  // expected-remark @+1 {{stays as it is: 'push': its elements are arrays or stacks themselves}}
  %o, %t = array.stack_create %max {dtype = !array.stack<tensor<*xf32>>, name = "o"} : (tensor<i32>) -> (!array.stack<!array.stack<tensor<*xf32>>>, !flow.token)
  // expected-remark @+1 {{stays as it is: 'push': its handle is used for more than to reach its elements}}
  %s, %made = array.stack_create %max {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %h, %pushed = array.stack_push %o, %s {swap_memory = false} : (!array.stack<!array.stack<tensor<*xf32>>>, !array.stack<tensor<*xf32>>) -> (!array.stack<tensor<*xf32>>, !flow.token) loc("push")
  %w, %done = array.stack_push %h, %x {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %w {name = "w"} : (tensor<f32>) -> ()
}

// -----

// CHECK-LABEL: @gradient_with_shape
// CHECK: array.create
flow.graph @gradient_with_shape {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %dims = nd.constant {value = dense<[3]> : tensor<1xi32>} : () -> tensor<1xi32>
  // expected-remark @+1 {{stays as it is: 'grad': its gradient array is not made as others are}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %g, %f1, %d = array.grad_with_shape %h, %f0, %dims {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>, tensor<1xi32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token) loc("grad")
  %m, %e = array.size %g, %f1 : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token)
  flow.fetch %m {name = "m"} : (tensor<i32>) -> ()
}

// -----

// CHECK-LABEL: @limit_unknown
// CHECK: array.stack_create
flow.graph @limit_unknown {
  %max = flow.feed {name = "max"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  // expected-remark @+1 {{stays as it is: 'array.stack_create': how large it may become is not known before it runs}}
  %s, %made = array.stack_create %max {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %w, %done = array.stack_push %s, %x {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %w {name = "w"} : (tensor<f32>) -> ()
}

// -----

// A stack of handles.
// CHECK-LABEL: @of_arrays
// CHECK: array.stack_create
flow.graph @of_arrays {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{stays as it is: 'push': its handle is used for more than to reach its elements}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // expected-remark @+1 {{stays as it is: 'push': its elements are arrays or stacks themselves}}
  %s, %made = array.stack_create %n {dtype = !array.handle<tensor<*xf32>>, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %w, %done = array.stack_push %s, %h {swap_memory = false} : (!array.stack<tensor<*xf32>>, !array.handle<tensor<*xf32>>) -> (!array.handle<tensor<*xf32>>, !flow.token) loc("push")
  flow.target %done {name = "t"} : (!flow.token) -> ()
}

// -----

// CHECK-LABEL: @writes_another_type
// CHECK: array.create
flow.graph @writes_another_type {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  // expected-remark @+1 {{stays as it is: 'write': it writes elements of another type}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %d = array.write %h, %n, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<i32>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("write")
  flow.fetch %f1 {name = "f"} : (tensor<f32>) -> ()
}

// -----

// CHECK-LABEL: @reads_another_type
// CHECK: array.stack_create
flow.graph @reads_another_type {
  %max = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{stays as it is: 'pop': it expects elements of another type}}
  %s, %made = array.stack_create %max {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %y, %d = array.stack_pop %s : (!array.stack<tensor<*xf32>>) -> (tensor<i32>, !flow.token) loc("pop")
  flow.fetch %y {name = "y"} : (tensor<i32>) -> ()
}

// -----

// An array stays if its gradient array does.
// CHECK-LABEL: @gradient_of_bools
// CHECK: array.create
flow.graph @gradient_of_bools {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  // expected-remark @+1 {{stays as it is: 'array.create': elements of its gradient array cannot be added}}
  %h, %f0, %t = array.create %n {dtype = i1, element_shape = tensor<*xi1>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xi1>>, tensor<f32>, !flow.token)
  %g, %f1, %d = array.grad %h, %f0 {source = "gradients"} : (!array.handle<tensor<*xi1>>, tensor<f32>) -> (!array.handle<tensor<*xi1>>, tensor<f32>, !flow.token)
  %m, %e = array.size %g, %f1 : (!array.handle<tensor<*xi1>>, tensor<f32>) -> (tensor<i32>, !flow.token)
  flow.fetch %m {name = "m"} : (tensor<i32>) -> ()
}

// -----

// CHECK-LABEL: @closed_inside
// CHECK: array.stack_create
flow.graph @closed_inside {
  %max = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  // expected-remark @+1 {{stays as it is: 'close': it is closed where it was not made}}
  %s, %made = array.stack_create %max {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %y = flow.cond %p (%s, %max) : (tensor<i1>, !array.stack<tensor<*xf32>>, tensor<i32>) -> tensor<i32> on_true {
  ^bb0(%h: !array.stack<tensor<*xf32>>, %m: tensor<i32>):
    %closed = array.stack_close %h : (!array.stack<tensor<*xf32>>) -> !flow.token loc("close")
    flow.yield %m : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%h: !array.stack<tensor<*xf32>>, %m: tensor<i32>):
    flow.yield %m : (tensor<i32>) -> ()
  }
  flow.fetch %y {name = "y"} : (tensor<i32>) -> ()
}

// -----

// CHECK-LABEL: @used_after_close
// CHECK: array.stack_create
flow.graph @used_after_close {
  %max = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  // expected-remark @+1 {{stays as it is: 'push': it comes after it has been closed}}
  %s, %made = array.stack_create %max {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %closed = array.stack_close %s : (!array.stack<tensor<*xf32>>) -> !flow.token
  %late = flow.gate %x, %closed : (tensor<f32>, !flow.token) -> tensor<f32>
  %w, %done = array.stack_push %s, %late {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("push")
  flow.fetch %w {name = "w"} : (tensor<f32>) -> ()
}

// -----

// CHECK-LABEL: @maybe_dead
// CHECK: array.stack_create
flow.graph @maybe_dead {
  %max = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  // expected-remark @+1 {{stays as it is: 'push': it may be dead, or in a loop without regions}}
  %s, %made = array.stack_create %max {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %sw:3 = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %w, %done = array.stack_push %s, %sw#1 {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<f32>) -> (tensor<f32>, !flow.token) loc("push")
  flow.fetch %w {name = "w"} : (tensor<f32>) -> ()
}

// -----

// Of what is declared in part, code does not check the rest.
// CHECK-LABEL: @declared_in_part
// CHECK: array.write
flow.graph @declared_in_part {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<?x?xf32>
  // expected-remark @+1 {{stays as it is: 'array.create': its elements may have another shape than declared}}
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<?x3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %d = array.write %h, %n, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<?x?xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %f1 {name = "f"} : (tensor<f32>) -> ()
}
