// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the array ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// array.create C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{operand #0 must be tensor of i32}}
%r:3 = array.create %v {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)

// -----
// array.create C2
%v = "test.value"() : () -> tensor<i32>
// expected-error@below {{expected a tensor type as element_shape but got 'f32'}}
%r:3 = array.create %v {dtype = f32, element_shape = f32, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)

// -----
// array.write C1
%v:4 = "test.value"() : () -> (tensor<f32>, tensor<i32>, tensor<f32>, tensor<f32>)
// expected-error@below {{operand #0 must be array handle}}
%r:2 = array.write %v#0, %v#1, %v#2, %v#3 : (tensor<f32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)

// -----
// array.write C2
%v:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f64>, tensor<f32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of i32}}
%r:2 = array.write %v#0, %v#1, %v#2, %v#3 : (!array.handle<tensor<*xf32>>, tensor<f64>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)

// -----
// array.write C2
%v:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f64>)
// expected-error@below {{operand #3 must be tensor of f32}}
%r:2 = array.write %v#0, %v#1, %v#2, %v#3 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f64>) -> (tensor<f32>, !flow.token)

// -----
// array.write C2
%v:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>)
// expected-error@below {{result #0 must be tensor of f32}}
%r:2 = array.write %v#0, %v#1, %v#2, %v#3 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f64>, !flow.token)

// -----
// array.read C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<i32>, tensor<f32>)
// expected-error@below {{operand #0 must be array handle}}
%r:2 = array.read %v#0, %v#1, %v#2 : (tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)

// -----
// array.read C2
%v:3 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f64>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of i32}}
%r:2 = array.read %v#0, %v#1, %v#2 : (!array.handle<tensor<*xf32>>, tensor<f64>, tensor<f32>) -> (tensor<*xf32>, !flow.token)

// -----
// array.read C2
%v:3 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f64>)
// expected-error@below {{operand #2 must be tensor of f32}}
%r:2 = array.read %v#0, %v#1, %v#2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f64>) -> (tensor<*xf32>, !flow.token)

// -----
// array.gather C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<?xi32>, tensor<f32>)
// expected-error@below {{operand #0 must be array handle}}
%r:2 = array.gather %v#0, %v#1, %v#2 {element_shape = tensor<*xf32>} : (tensor<f32>, tensor<?xi32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)

// -----
// array.gather C2
%v:3 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xf64>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of i32}}
%r:2 = array.gather %v#0, %v#1, %v#2 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<?xf64>, tensor<f32>) -> (tensor<*xf32>, !flow.token)

// -----
// array.gather C2
%v:3 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f64>)
// expected-error@below {{operand #2 must be tensor of f32}}
%r:2 = array.gather %v#0, %v#1, %v#2 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f64>) -> (tensor<*xf32>, !flow.token)

// -----
// array.gather C3
%v:3 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>)
// expected-error@below {{expected a tensor type as element_shape but got 'f32'}}
%r:2 = array.gather %v#0, %v#1, %v#2 {element_shape = f32} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)

// -----
// array.scatter C1
%v:4 = "test.value"() : () -> (tensor<f32>, tensor<?xi32>, tensor<?xf32>, tensor<f32>)
// expected-error@below {{operand #0 must be array handle}}
%r:2 = array.scatter %v#0, %v#1, %v#2, %v#3 : (tensor<f32>, tensor<?xi32>, tensor<?xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)

// -----
// array.scatter C2
%v:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xf64>, tensor<?xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of i32}}
%r:2 = array.scatter %v#0, %v#1, %v#2, %v#3 : (!array.handle<tensor<*xf32>>, tensor<?xf64>, tensor<?xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)

// -----
// array.scatter C2
%v:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?xf32>, tensor<f64>)
// expected-error@below {{operand #3 must be tensor of f32}}
%r:2 = array.scatter %v#0, %v#1, %v#2, %v#3 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?xf32>, tensor<f64>) -> (tensor<f32>, !flow.token)

// -----
// array.scatter C2
%v:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?xf32>, tensor<f32>)
// expected-error@below {{result #0 must be tensor of f32}}
%r:2 = array.scatter %v#0, %v#1, %v#2, %v#3 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?xf32>, tensor<f32>) -> (tensor<f64>, !flow.token)

// -----
// array.concat C1
%v:2 = "test.value"() : () -> (tensor<f32>, tensor<f32>)
// expected-error@below {{operand #0 must be array handle}}
%r:3 = array.concat %v#0, %v#1 {element_shape_except0 = tensor<*xf32>} : (tensor<f32>, tensor<f32>) -> (tensor<*xf32>, tensor<?xi64>, !flow.token)

// -----
// array.concat C2
%v:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f64>)
// expected-error@below {{operand #1 must be tensor of f32}}
%r:3 = array.concat %v#0, %v#1 {element_shape_except0 = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<f64>) -> (tensor<*xf32>, tensor<?xi64>, !flow.token)

// -----
// array.concat C2
%v:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>)
// expected-error@below {{result #1 must be tensor of i64}}
%r:3 = array.concat %v#0, %v#1 {element_shape_except0 = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<*xf32>, tensor<?xf64>, !flow.token)

// -----
// array.concat C3
%v:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>)
// expected-error@below {{expected a tensor type as element_shape_except0 but got 'f32'}}
%r:3 = array.concat %v#0, %v#1 {element_shape_except0 = f32} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<*xf32>, tensor<?xi64>, !flow.token)

// -----
// array.split C1
%v:4 = "test.value"() : () -> (tensor<f32>, tensor<?xf32>, tensor<?xi64>, tensor<f32>)
// expected-error@below {{operand #0 must be array handle}}
%r:2 = array.split %v#0, %v#1, %v#2, %v#3 : (tensor<f32>, tensor<?xf32>, tensor<?xi64>, tensor<f32>) -> (tensor<f32>, !flow.token)

// -----
// array.split C2
%v:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xf32>, tensor<?xf64>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of i64}}
%r:2 = array.split %v#0, %v#1, %v#2, %v#3 : (!array.handle<tensor<*xf32>>, tensor<?xf32>, tensor<?xf64>, tensor<f32>) -> (tensor<f32>, !flow.token)

// -----
// array.split C2
%v:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>, tensor<f64>)
// expected-error@below {{operand #3 must be tensor of f32}}
%r:2 = array.split %v#0, %v#1, %v#2, %v#3 : (!array.handle<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>, tensor<f64>) -> (tensor<f32>, !flow.token)

// -----
// array.split C2
%v:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>, tensor<f32>)
// expected-error@below {{result #0 must be tensor of f32}}
%r:2 = array.split %v#0, %v#1, %v#2, %v#3 : (!array.handle<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>, tensor<f32>) -> (tensor<f64>, !flow.token)

// -----
// array.size C1
%v:2 = "test.value"() : () -> (tensor<f32>, tensor<f32>)
// expected-error@below {{operand #0 must be array handle}}
%r:2 = array.size %v#0, %v#1 : (tensor<f32>, tensor<f32>) -> (tensor<i32>, !flow.token)

// -----
// array.size C2
%v:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f64>)
// expected-error@below {{operand #1 must be tensor of f32}}
%r:2 = array.size %v#0, %v#1 : (!array.handle<tensor<*xf32>>, tensor<f64>) -> (tensor<i32>, !flow.token)

// -----
// array.size C2
%v:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>)
// expected-error@below {{result #0 must be tensor of i32}}
%r:2 = array.size %v#0, %v#1 : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<f64>, !flow.token)

// -----
// array.close C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{operand #0 must be array handle}}
%r = array.close %v : (tensor<f32>) -> !flow.token

// -----
// array.grad C1
%v:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>)
// expected-error@below {{failed to verify that all of {handle, gradient} have same type}}
%r:3 = array.grad %v#0, %v#1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xi32>>, tensor<f32>, !flow.token)

// -----
// array.grad C2
%v:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f64>)
// expected-error@below {{operand #1 must be tensor of f32}}
%r:3 = array.grad %v#0, %v#1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f64>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)

// -----
// array.grad C2
%v:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>)
// expected-error@below {{result #1 must be tensor of f32}}
%r:3 = array.grad %v#0, %v#1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f64>, !flow.token)

// -----
// array.grad_with_shape C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<f32>, tensor<?xi32>)
// expected-error@below {{operand #0 must be array handle}}
%r:3 = array.grad_with_shape %v#0, %v#1, %v#2 {source = "gradients"} : (tensor<f32>, tensor<f32>, tensor<?xi32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)

// -----
// array.grad_with_shape C2
%v:3 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f64>, tensor<?xi32>)
// expected-error@below {{operand #1 must be tensor of f32}}
%r:3 = array.grad_with_shape %v#0, %v#1, %v#2 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f64>, tensor<?xi32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)

// -----
// array.grad_with_shape C2
%v:3 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>, tensor<?xf64>)
// expected-error@below {{operand #2 must be tensor of i32}}
%r:3 = array.grad_with_shape %v#0, %v#1, %v#2 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>, tensor<?xf64>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)

// -----
// array.grad_with_shape C2
%v:3 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>, tensor<?xi32>)
// expected-error@below {{result #1 must be tensor of f32}}
%r:3 = array.grad_with_shape %v#0, %v#1, %v#2 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>, tensor<?xi32>) -> (!array.handle<tensor<*xf32>>, tensor<f64>, !flow.token)

// -----
// array.stack_create C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{operand #0 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = array.stack_create %v {dtype = f32, name = "s"} : (tensor<f32>) -> (!array.stack<tensor<*xf32>>, !flow.token)

// -----
// array.stack_push C1
%v:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>)
// expected-error@below {{operand #0 must be stack handle}}
%r:2 = array.stack_push %v#0, %v#1 {swap_memory = false} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<f32>, !flow.token)

// -----
// array.stack_push C2
%v:2 = "test.value"() : () -> (!array.stack<tensor<*xf32>>, tensor<f32>)
// expected-error@below {{failed to verify that all of {value, result} have same type}}
%r:2 = array.stack_push %v#0, %v#1 {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token)

// -----
// array.stack_pop C1
%v = "test.value"() : () -> !array.handle<tensor<*xf32>>
// expected-error@below {{operand #0 must be stack handle}}
%r:2 = array.stack_pop %v : (!array.handle<tensor<*xf32>>) -> (tensor<*xf32>, !flow.token)

// -----
// array.stack_close C1
%v = "test.value"() : () -> !array.handle<tensor<*xf32>>
// expected-error@below {{operand #0 must be stack handle}}
%r = array.stack_close %v : (!array.handle<tensor<*xf32>>) -> !flow.token
