// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the nd index ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// nd.gather C1
%v:3 = "test.value"() : () -> (tensor<5x3xf32>, tensor<2xi32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {params, result} have same element type}}
%r = nd.gather %v#0, %v#1, %v#2 {batch_dims = 0 : i64} : (tensor<5x3xf32>, tensor<2xi32>, tensor<i32>) -> tensor<2x3xf64>

// -----
// nd.gather C2
%v:3 = "test.value"() : () -> (tensor<5x3xf32>, tensor<2xi32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.gather %v#0, %v#1, %v#2 {batch_dims = 0 : i64} : (tensor<5x3xf32>, tensor<2xi32>, tensor<f32>) -> tensor<2x3xf32>

// -----
// nd.gather_nd C1
%v:2 = "test.value"() : () -> (tensor<5x3xf32>, tensor<2x1xi32>)
// expected-error@below {{failed to verify that all of {params, result} have same element type}}
%r = nd.gather_nd %v#0, %v#1 : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf64>

// -----
// nd.gather_nd C2
%v:2 = "test.value"() : () -> (tensor<5x3xf32>, tensor<2x1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.gather_nd %v#0, %v#1 : (tensor<5x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>

// -----
// nd.row C1
%v:2 = "test.value"() : () -> (tensor<5x3xf32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {rows, result} have same element type}}
%r = nd.row %v#0, %v#1 : (tensor<5x3xf32>, tensor<i32>) -> tensor<3xf64>

// -----
// nd.row C2
%v:2 = "test.value"() : () -> (tensor<5x3xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.row %v#0, %v#1 : (tensor<5x3xf32>, tensor<f32>) -> tensor<3xf32>

// -----
// nd.set_row C1
%v:3 = "test.value"() : () -> (tensor<5x3xf32>, tensor<i32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {rows, row, result} have same element type}}
%r = nd.set_row %v#0, %v#1, %v#2 : (tensor<5x3xf32>, tensor<i32>, tensor<3xf64>) -> tensor<5x3xf32>

// -----
// nd.set_row C2
%v:3 = "test.value"() : () -> (tensor<5x3xf32>, tensor<f32>, tensor<3xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.set_row %v#0, %v#1, %v#2 : (tensor<5x3xf32>, tensor<f32>, tensor<3xf32>) -> tensor<5x3xf32>

// -----
// nd.scatter_nd C1
%v:3 = "test.value"() : () -> (tensor<2x1xi32>, tensor<2xf32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {updates, result} have same element type}}
%r = nd.scatter_nd %v#0, %v#1, %v#2 : (tensor<2x1xi32>, tensor<2xf32>, tensor<1xi32>) -> tensor<?xf64>

// -----
// nd.scatter_nd C2
%v:3 = "test.value"() : () -> (tensor<2x1xi32>, tensor<2xf32>, tensor<1xf32>)
// expected-error@below {{operand #2 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.scatter_nd %v#0, %v#1, %v#2 : (tensor<2x1xi32>, tensor<2xf32>, tensor<1xf32>) -> tensor<?xf32>

// -----
// nd.one_hot C1
%v:4 = "test.value"() : () -> (tensor<3xi32>, tensor<i32>, tensor<f32>, tensor<f32>)
// expected-error@below {{failed to verify that all of {on_value, off_value, result} have same element type}}
%r = nd.one_hot %v#0, %v#1, %v#2, %v#3 {axis = -1 : i64} : (tensor<3xi32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<3x?xf64>

// -----
// nd.one_hot C2
%v:4 = "test.value"() : () -> (tensor<3xi32>, tensor<f32>, tensor<f32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.one_hot %v#0, %v#1, %v#2, %v#3 {axis = -1 : i64} : (tensor<3xi32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3x?xf32>

// -----
// nd.random_uniform C1
%v:2 = "test.value"() : () -> (tensor<3xi32>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = nd.random_uniform %v#0, %v#1 : (tensor<3xi32>, tensor<1xi32>) -> tensor<?xf32>

// -----
// nd.random_uniform C2
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.random_uniform %v#0, %v#1 : (tensor<3xi64>, tensor<1xf32>) -> tensor<?xf32>

// -----
// nd.random_uniform C3
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xi32>)
// expected-error@below {{result #0 must be tensor of floats}}
%r = nd.random_uniform %v#0, %v#1 : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xi32>

// -----
// nd.where C1
%v = "test.value"() : () -> tensor<2x3x!nd.string>
// expected-error@below {{operand #0 must be tensor of numbers or i1}}
%r = nd.where %v : (tensor<2x3x!nd.string>) -> tensor<?x2xi64>

// -----
// nd.where C2
%v = "test.value"() : () -> tensor<2x3xi1>
// expected-error@below {{result #0 must be tensor of i64}}
%r = nd.where %v : (tensor<2x3xi1>) -> tensor<?x2xi32>

// -----
// nd.unsorted_segment_sum C1
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {data, result} have same element type}}
%r = nd.unsorted_segment_sum %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf64>

// -----
// nd.unsorted_segment_sum C2
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.unsorted_segment_sum %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<f32>) -> tensor<?x3xf32>

// -----
// nd.unsorted_segment_prod C1
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {data, result} have same element type}}
%r = nd.unsorted_segment_prod %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf64>

// -----
// nd.unsorted_segment_prod C2
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.unsorted_segment_prod %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<f32>) -> tensor<?x3xf32>

// -----
// nd.unsorted_segment_max C1
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {data, result} have same element type}}
%r = nd.unsorted_segment_max %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf64>

// -----
// nd.unsorted_segment_max C2
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.unsorted_segment_max %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<f32>) -> tensor<?x3xf32>

// -----
// nd.unsorted_segment_min C1
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {data, result} have same element type}}
%r = nd.unsorted_segment_min %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf64>

// -----
// nd.unsorted_segment_min C2
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<4xi32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.unsorted_segment_min %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<4xi32>, tensor<f32>) -> tensor<?x3xf32>

// -----
// nd.update_points C1
%v:3 = "test.value"() : () -> (tensor<5xf32>, tensor<2x1xi32>, tensor<2xi32>)
// expected-error@below {{failed to verify that all of {input, updates, result} have same element type}}
%r = nd.update_points %v#0, %v#1, %v#2 {how = "add", ignore_bad_indices = false} : (tensor<5xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<5xf32>

// -----
// nd.update_points C2
%v:3 = "test.value"() : () -> (tensor<5xf32>, tensor<2x1xf32>, tensor<2xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.update_points %v#0, %v#1, %v#2 {how = "add", ignore_bad_indices = false} : (tensor<5xf32>, tensor<2x1xf32>, tensor<2xf32>) -> tensor<5xf32>

// -----
// nd.update_points C3
%v:3 = "test.value"() : () -> (tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>)
// expected-error@below {{expected 'how' to be one of 'update', 'add', 'sub', 'max', 'min' but got 'mul'}}
%r = nd.update_points %v#0, %v#1, %v#2 {how = "mul", ignore_bad_indices = false} : (tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<5xf32>

// -----
// nd.unique C1
%v:2 = "test.value"() : () -> (tensor<5xf32>, tensor<0xi32>)
// expected-error@below {{failed to verify that all of {input, values} have same element type}}
%r:3 = nd.unique %v#0, %v#1 : (tensor<5xf32>, tensor<0xi32>) -> (tensor<?xi32>, tensor<5xi32>, tensor<?xi32>)

// -----
// nd.unique C1
%v:2 = "test.value"() : () -> (tensor<5xf32>, tensor<0xi32>)
// expected-error@below {{failed to verify that all of {positions, counts} have same element type}}
%r:3 = nd.unique %v#0, %v#1 : (tensor<5xf32>, tensor<0xi32>) -> (tensor<?xf32>, tensor<5xi32>, tensor<?xi64>)

// -----
// nd.unique C2
%v:2 = "test.value"() : () -> (tensor<5xf32>, tensor<0xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:3 = nd.unique %v#0, %v#1 : (tensor<5xf32>, tensor<0xf32>) -> (tensor<?xf32>, tensor<5xi32>, tensor<?xi32>)

// -----
// nd.list_diff C1
%v:2 = "test.value"() : () -> (tensor<5xf32>, tensor<2xi32>)
// expected-error@below {{failed to verify that all of {input, without, values} have same element type}}
%r:2 = nd.list_diff %v#0, %v#1 : (tensor<5xf32>, tensor<2xi32>) -> (tensor<?xf32>, tensor<?xi32>)

// -----
// nd.list_diff C2
%v:2 = "test.value"() : () -> (tensor<5xf32>, tensor<2xf32>)
// expected-error@below {{result #1 must be tensor of integers}}
%r:2 = nd.list_diff %v#0, %v#1 : (tensor<5xf32>, tensor<2xf32>) -> (tensor<?xf32>, tensor<?xf32>)
