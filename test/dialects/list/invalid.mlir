// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the list ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// list.make C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{operand #0 must be tensor of integers}}
%r = list.make %v {element_shape = tensor<4xf32>, identical = false} : (tensor<f32>) -> !list.of<tensor<4xf32>>

// -----
// list.make C2
%v = "test.value"() : () -> tensor<i32>
// expected-error@below {{expected a tensor type as element_shape but got 'f32'}}
%r = list.make %v {element_shape = f32, identical = false} : (tensor<i32>) -> !list.of<tensor<4xf32>>

// -----
// list.zeros_like C1
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r = list.zeros_like %v : (!list.of<tensor<4xf32>>) -> !list.of<tensor<5xf32>>

// -----
// list.unstack C1
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{operand #0 must be tensor}}
%r = list.unstack %v {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>) -> !list.of<tensor<4xf32>>

// -----
// list.length C1
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{result #0 must be tensor of i32}}
%r = list.length %v : (!list.of<tensor<4xf32>>) -> tensor<i64>

// -----
// list.get C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r:2 = list.get %v#0, %v#1 {beyond = false, clear = false} : (!list.of<tensor<4xf32>>, tensor<f32>) -> (tensor<4xf32>, !list.of<tensor<4xf32>>)

// -----
// list.get C2
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r:2 = list.get %v#0, %v#1 {beyond = false, clear = false} : (!list.of<tensor<4xf32>>, tensor<i32>) -> (tensor<4xf32>, !list.of<tensor<5xf32>>)

// -----
// list.set C1
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<f32>, tensor<4xf32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = list.set %v#0, %v#1, %v#2 {grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<f32>, tensor<4xf32>) -> !list.of<tensor<4xf32>>

// -----
// list.set C2
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r = list.set %v#0, %v#1, %v#2 {grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> !list.of<tensor<5xf32>>

// -----
// list.accumulate C1
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<f32>, tensor<4xf32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = list.accumulate %v#0, %v#1, %v#2 : (!list.of<tensor<4xf32>>, tensor<f32>, tensor<4xf32>) -> !list.of<tensor<4xf32>>

// -----
// list.accumulate C2
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xi1>)
// expected-error@below {{operand #2 must be tensor of numbers}}
%r = list.accumulate %v#0, %v#1, %v#2 : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xi1>) -> !list.of<tensor<4xf32>>

// -----
// list.accumulate C3
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r = list.accumulate %v#0, %v#1, %v#2 : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> !list.of<tensor<5xf32>>

// -----
// list.push C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<4xf32>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r = list.push %v#0, %v#1 {limit = -1 : i64} : (!list.of<tensor<4xf32>>, tensor<4xf32>) -> !list.of<tensor<5xf32>>

// -----
// list.pop C3
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r:2 = list.pop %v {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>) -> (tensor<4xf32>, !list.of<tensor<5xf32>>)

// -----
// list.resize C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = list.resize %v#0, %v#1 : (!list.of<tensor<4xf32>>, tensor<f32>) -> !list.of<tensor<4xf32>>

// -----
// list.resize C2
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r = list.resize %v#0, %v#1 : (!list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<5xf32>>

// -----
// list.stack C2
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a tensor type as element_shape but got 'f32'}}
%r = list.stack %v {element_shape = f32, num_elements = -1 : i64} : (!list.of<tensor<4xf32>>) -> tensor<?x4xf32>

// -----
// list.gather C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi64>)
// expected-error@below {{operand #1 must be tensor of i32}}
%r:2 = list.gather %v#0, %v#1 {beyond = false, clear = true, element_shape = tensor<4xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi64>) -> (tensor<?x4xf32>, !list.of<tensor<4xf32>>)

// -----
// list.gather C2
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>)
// expected-error@below {{expected a tensor type as element_shape but got 'f32'}}
%r:2 = list.gather %v#0, %v#1 {beyond = false, clear = true, element_shape = f32} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> (tensor<?x4xf32>, !list.of<tensor<4xf32>>)

// -----
// list.gather C3
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r:2 = list.gather %v#0, %v#1 {beyond = false, clear = true, element_shape = tensor<4xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> (tensor<?x4xf32>, !list.of<tensor<5xf32>>)

// -----
// list.scatter C1
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi64>, tensor<?x4xf32>)
// expected-error@below {{operand #1 must be tensor of i32}}
%r = list.scatter %v#0, %v#1, %v#2 {accumulate = false, grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<?xi64>, tensor<?x4xf32>) -> !list.of<tensor<4xf32>>

// -----
// list.scatter C2
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>, tensor<?x4xf32>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r = list.scatter %v#0, %v#1, %v#2 {accumulate = false, grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<?xi32>, tensor<?x4xf32>) -> !list.of<tensor<5xf32>>

// -----
// list.concat C1
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{result #1 must be tensor of i64}}
%r:3 = list.concat %v {clear = true, element_shape_except0 = tensor<*xf32>} : (!list.of<tensor<4xf32>>) -> (tensor<*xf32>, tensor<?xi32>, !list.of<tensor<4xf32>>)

// -----
// list.concat C2
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a tensor type as element_shape_except0 but got 'f32'}}
%r:3 = list.concat %v {clear = true, element_shape_except0 = f32} : (!list.of<tensor<4xf32>>) -> (tensor<*xf32>, tensor<?xi64>, !list.of<tensor<4xf32>>)

// -----
// list.concat C3
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r:3 = list.concat %v {clear = true, element_shape_except0 = tensor<*xf32>} : (!list.of<tensor<4xf32>>) -> (tensor<*xf32>, tensor<?xi64>, !list.of<tensor<5xf32>>)

// -----
// list.split C1
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xf32>, tensor<?xi32>)
// expected-error@below {{operand #2 must be tensor of i64}}
%r = list.split %v#0, %v#1, %v#2 {accumulate = false, grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<?xf32>, tensor<?xi32>) -> !list.of<tensor<4xf32>>

// -----
// list.split C2
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xf32>, tensor<?xi64>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r = list.split %v#0, %v#1, %v#2 {accumulate = false, grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<?xf32>, tensor<?xi64>) -> !list.of<tensor<5xf32>>

// -----
// list.cell_open C1
%v = "test.value"() : () -> tensor<4xf32>
// expected-error@below {{operand #0 must be list}}
list.cell_open %v {cell = 0 : i64, element = tensor<4xf32>} : (tensor<4xf32>) -> ()

// -----
// list.cell_close C1
// expected-error@below {{result #0 must be list}}
%r = list.cell_close {cell = 0 : i64} : () -> tensor<4xf32>

// -----
// list.cell_make C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{operand #0 must be tensor of integers}}
list.cell_make %v {cell = 0 : i64, zeros = false} : (tensor<f32>) -> ()

// -----
// list.cell_length C1
// expected-error@below {{result #0 must be tensor of i32}}
%r = list.cell_length {cell = 0 : i64} : () -> tensor<i64>

// -----
// list.cell_get C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{operand #0 must be tensor of integers}}
%r = list.cell_get %v {beyond = false, cell = 0 : i64, clear = false} : (tensor<f32>) -> tensor<4xf32>

// -----
// list.cell_set C1
%v:2 = "test.value"() : () -> (tensor<f32>, tensor<4xf32>)
// expected-error@below {{operand #0 must be tensor of integers}}
list.cell_set %v#0, %v#1 {cell = 0 : i64, grow = false, once = true} : (tensor<f32>, tensor<4xf32>) -> ()

// -----
// list.cell_accumulate C1
%v:2 = "test.value"() : () -> (tensor<f32>, tensor<4xf32>)
// expected-error@below {{operand #0 must be tensor of integers}}
list.cell_accumulate %v#0, %v#1 {cell = 0 : i64} : (tensor<f32>, tensor<4xf32>) -> ()

// -----
// list.cell_push C1
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{operand #0 must be tensor}}
list.cell_push %v {cell = 0 : i64, limit = -1 : i64} : (!list.of<tensor<4xf32>>) -> ()

// -----
// list.cell_pop C1
// expected-error@below {{result #0 must be tensor}}
%r = list.cell_pop {cell = 0 : i64, zeros = false} : () -> !list.of<tensor<4xf32>>

// -----
// list.unstack C3
%v = "test.value"() : () -> tensor<3x4xi32>
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got 'tensor<3x4xi32>'}}
%r = list.unstack %v {element_shape = tensor<*xf32>} : (tensor<3x4xi32>) -> !list.of<tensor<4xf32>>

// -----
// list.get C3
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got 'tensor<4xi32>'}}
%r:2 = list.get %v#0, %v#1 {beyond = false, clear = false} : (!list.of<tensor<4xf32>>, tensor<i32>) -> (tensor<4xi32>, !list.of<tensor<4xf32>>)

// -----
// list.get C3
%v:2 = "test.value"() : () -> (!list.of<!list.of<tensor<4xf32>>>, tensor<i32>)
// expected-error@below {{expected a value that holds what '!list.of<tensor<4xf32>>' holds but got 'tensor<4xf32>'}}
%r:2 = list.get %v#0, %v#1 {beyond = false, clear = false} : (!list.of<!list.of<tensor<4xf32>>>, tensor<i32>) -> (tensor<4xf32>, !list.of<!list.of<tensor<4xf32>>>)

// -----
// list.set C3
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xi32>)
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got 'tensor<4xi32>'}}
%r = list.set %v#0, %v#1, %v#2 {grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xi32>) -> !list.of<tensor<4xf32>>

// -----
// list.accumulate C4
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xi32>)
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got 'tensor<4xi32>'}}
%r = list.accumulate %v#0, %v#1, %v#2 : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xi32>) -> !list.of<tensor<4xf32>>

// -----
// list.push C2
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<4xi32>)
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got 'tensor<4xi32>'}}
%r = list.push %v#0, %v#1 {limit = -1 : i64} : (!list.of<tensor<4xf32>>, tensor<4xi32>) -> !list.of<tensor<4xf32>>

// -----
// list.pop C4
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got 'tensor<4xi32>'}}
%r:2 = list.pop %v {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>) -> (tensor<4xi32>, !list.of<tensor<4xf32>>)

// -----
// list.stack C3
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got 'tensor<?x4xi32>'}}
%r = list.stack %v {element_shape = tensor<4xf32>, num_elements = -1 : i64} : (!list.of<tensor<4xf32>>) -> tensor<?x4xi32>

// -----
// list.gather C4
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>)
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got 'tensor<?x4xi32>'}}
%r:2 = list.gather %v#0, %v#1 {beyond = false, clear = true, element_shape = tensor<4xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> (tensor<?x4xi32>, !list.of<tensor<4xf32>>)

// -----
// list.scatter C3
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>, tensor<?x4xi32>)
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got 'tensor<?x4xi32>'}}
%r = list.scatter %v#0, %v#1, %v#2 {accumulate = false, grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<?xi32>, tensor<?x4xi32>) -> !list.of<tensor<4xf32>>

// -----
// list.concat C4
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got 'tensor<*xi32>'}}
%r:3 = list.concat %v {clear = true, element_shape_except0 = tensor<*xf32>} : (!list.of<tensor<4xf32>>) -> (tensor<*xi32>, tensor<?xi64>, !list.of<tensor<4xf32>>)

// -----
// list.split C3
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>, tensor<?xi64>)
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got 'tensor<?xi32>'}}
%r = list.split %v#0, %v#1, %v#2 {accumulate = false, grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<?xi32>, tensor<?xi64>) -> !list.of<tensor<4xf32>>

// -----
// What is known of elements is a tensor type or a list.
// expected-error@below {{expected a tensor type, a list or !list.any as element but got 'f32'}}
%v = "test.value"() : () -> !list.of<f32>

// -----
// list.unstack C2
%v = "test.value"() : () -> tensor<3x4xf32>
// expected-error@below {{expected a tensor type as element_shape but got 'f32'}}
%r = list.unstack %v {element_shape = f32} : (tensor<3x4xf32>) -> !list.of<tensor<4xf32>>

// -----
// list.pop C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<f32>)
// expected-error@below {{must be tensor of integers}}
%r:2 = list.pop %v#0, %v#1 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<f32>) -> (tensor<4xf32>, !list.of<tensor<4xf32>>)

// -----
// list.pop C2
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a tensor type as element_shape but got 'f32'}}
%r:2 = list.pop %v {element_shape = f32} : (!list.of<tensor<4xf32>>) -> (tensor<4xf32>, !list.of<tensor<4xf32>>)

// -----
// list.declare_shape C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xf32>)
// expected-error@below {{must be tensor of integers}}
%r = list.declare_shape %v#0, %v#1 : (!list.of<tensor<4xf32>>, tensor<?xf32>) -> !list.of<tensor<4xf32>>

// -----
// list.declare_shape C2
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r = list.declare_shape %v#0, %v#1 : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> !list.of<tensor<5xf32>>

// -----
// list.declare_limit C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<f32>)
// expected-error@below {{must be tensor of integers}}
%r = list.declare_limit %v#0, %v#1 : (!list.of<tensor<4xf32>>, tensor<f32>) -> !list.of<tensor<4xf32>>

// -----
// list.declare_limit C2
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r = list.declare_limit %v#0, %v#1 : (!list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<5xf32>>

// -----
// list.add C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, !list.of<tensor<5xf32>>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r = list.add %v#0, %v#1 : (!list.of<tensor<4xf32>>, !list.of<tensor<5xf32>>) -> !list.of<tensor<4xf32>>

// -----
// list.append C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, !list.of<tensor<5xf32>>)
// expected-error@below {{expected a result of type '!list.of<tensor<4xf32>>' but got '!list.of<tensor<5xf32>>'}}
%r = list.append %v#0, %v#1 : (!list.of<tensor<4xf32>>, !list.of<tensor<5xf32>>) -> !list.of<tensor<4xf32>>

// -----
// list.peek C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<f32>)
// expected-error@below {{must be tensor of integers}}
%r = list.peek %v#0, %v#1 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<f32>) -> tensor<4xf32>

// -----
// list.peek C2
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// expected-error@below {{expected a tensor type as element_shape but got 'f32'}}
%r = list.peek %v#0, %v#1 {element_shape = f32} : (!list.of<tensor<4xf32>>, tensor<i32>) -> tensor<4xf32>

// -----
// list.peek C3
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got}}
%r = list.peek %v#0, %v#1 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<i32>) -> tensor<4xi32>

// -----
// list.only C1
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a tensor type as element_shape but got 'f32'}}
%r = list.only %v {element_shape = f32} : (!list.of<tensor<4xf32>>) -> tensor<4xf32>

// -----
// list.only C2
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got}}
%r = list.only %v {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>) -> tensor<4xi32>

// -----
// list.element_shape C1
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{result #0 must be tensor of integers}}
%r = list.element_shape %v : (!list.of<tensor<4xf32>>) -> tensor<?xf32>

// -----
// list.stack C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<f32>)
// expected-error@below {{must be tensor of integers}}
%r = list.stack %v#0, %v#1 {element_shape = tensor<*xf32>, num_elements = -1 : i64} : (!list.of<tensor<4xf32>>, tensor<f32>) -> tensor<?x4xf32>

// -----
// list.rows C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xf32>)
// expected-error@below {{must be tensor of integers}}
%r = list.rows %v#0, %v#1 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<?xf32>) -> tensor<?x4xf32>

// -----
// list.rows C2
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>)
// expected-error@below {{expected a tensor type as element_shape but got 'f32'}}
%r = list.rows %v#0, %v#1 {element_shape = f32} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> tensor<?x4xf32>

// -----
// list.rows C3
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>)
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got}}
%r = list.rows %v#0, %v#1 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> tensor<?x4xi32>

// -----
// list.join C1
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r:2 = list.join %v#0, %v#1 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi64>)

// -----
// list.join C2
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi64>, tensor<f32>)
// expected-error@below {{must be tensor of integers}}
%r:2 = list.join %v#0, %v#1, %v#2 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi64>, tensor<f32>) -> (tensor<?xf32>, tensor<?xi64>)

// -----
// list.join C3
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi64>)
// expected-error@below {{expected a tensor type as element_shape but got 'f32'}}
%r:2 = list.join %v#0, %v#1 {element_shape = f32} : (!list.of<tensor<4xf32>>, tensor<?xi64>) -> (tensor<?xf32>, tensor<?xi64>)

// -----
// list.join C4
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi64>)
// expected-error@below {{expected a value that holds what 'tensor<4xf32>' holds but got}}
%r:2 = list.join %v#0, %v#1 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi64>) -> (tensor<?xi32>, tensor<?xi64>)

// -----
// list.cell_peek C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{must be tensor of integers}}
%r = list.cell_peek %v {cell = 0 : i64, zeros = false} : (tensor<f32>) -> tensor<4xf32>

// -----
// list.cell_resize C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{must be tensor of integers}}
list.cell_resize %v {cell = 0 : i64} : (tensor<f32>) -> ()

// -----
// list.cell_limit C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{must be tensor of integers}}
list.cell_limit %v {cell = 0 : i64} : (tensor<f32>) -> ()
