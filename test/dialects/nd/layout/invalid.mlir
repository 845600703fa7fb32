// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the nd layout ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// nd.pack C1
// expected-error@below {{expected at least one operand}}
%r = nd.pack {axis = 0 : i64} : () -> tensor<0xf32>

// -----
// nd.pack C2
%v:2 = "test.value"() : () -> (tensor<3xf32>, tensor<3xf32>)
// expected-error@below {{expected one element type but got 'f32' and 'f64'}}
%r = nd.pack %v#0, %v#1 {axis = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.unpack C1
%v = "test.value"() : () -> tensor<2x3xf32>
// expected-error@below {{expected one element type but got 'f32' and 'f64'}}
%r:2 = nd.unpack %v {axis = 0 : i64} : (tensor<2x3xf32>) -> (tensor<3xf64>, tensor<3xf32>)

// -----
// nd.concat C1
%v = "test.value"() : () -> tensor<i32>
// expected-error@below {{expected at least one operand before the axis}}
%r = nd.concat %v : (tensor<i32>) -> tensor<f32>

// -----
// nd.concat C2
%v:3 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>)
// expected-error@below {{expected one element type but got 'f32' and 'f64'}}
%r = nd.concat %v#0, %v#1, %v#2 : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>) -> tensor<3x3xf64>

// -----
// nd.concat C3
%v:3 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1x3xf32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.concat %v#0, %v#1, %v#2 : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<f32>) -> tensor<3x3xf32>

// -----
// nd.split C1
%v:2 = "test.value"() : () -> (tensor<4xf32>, tensor<i32>)
// expected-error@below {{expected at least one result}}
nd.split %v#0, %v#1 : (tensor<4xf32>, tensor<i32>) -> ()

// -----
// nd.split C2
%v:2 = "test.value"() : () -> (tensor<4x3xf32>, tensor<i32>)
// expected-error@below {{expected one element type but got 'f32' and 'f64'}}
%r:2 = nd.split %v#0, %v#1 : (tensor<4x3xf32>, tensor<i32>) -> (tensor<2x3xf64>, tensor<2x3xf32>)

// -----
// nd.split C3
%v:2 = "test.value"() : () -> (tensor<4x3xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = nd.split %v#0, %v#1 : (tensor<4x3xf32>, tensor<f32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)

// -----
// nd.split_v C1
%v:3 = "test.value"() : () -> (tensor<4xf32>, tensor<0xi32>, tensor<i32>)
// expected-error@below {{expected at least one result}}
nd.split_v %v#0, %v#1, %v#2 : (tensor<4xf32>, tensor<0xi32>, tensor<i32>) -> ()

// -----
// nd.split_v C2
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<2xi32>, tensor<i32>)
// expected-error@below {{expected one element type but got 'f32' and 'f64'}}
%r:2 = nd.split_v %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<2xi32>, tensor<i32>) -> (tensor<?x3xf64>, tensor<?x3xf32>)

// -----
// nd.split_v C3
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<2xi32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = nd.split_v %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<2xi32>, tensor<f32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)

// -----
// nd.slice C1
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<2xi32>, tensor<2xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.slice %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf64>

// -----
// nd.slice C2
%v:3 = "test.value"() : () -> (tensor<4x3xf32>, tensor<2xi32>, tensor<2xf32>)
// expected-error@below {{operand #2 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.slice %v#0, %v#1, %v#2 : (tensor<4x3xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<?x?xf32>

// -----
// nd.strided_slice C1
%v:4 = "test.value"() : () -> (tensor<4x3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.strided_slice %v#0, %v#1, %v#2, %v#3 {begin_mask = 0 : i64, end_mask = 0 : i64, ellipsis_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<4x3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x3xf64>

// -----
// nd.strided_slice C2
%v:4 = "test.value"() : () -> (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {begin, end, strides} have same element type}}
%r = nd.strided_slice %v#0, %v#1, %v#2, %v#3 {begin_mask = 0 : i64, end_mask = 0 : i64, ellipsis_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x3xf32>

// -----
// nd.strided_slice C3
%v:4 = "test.value"() : () -> (tensor<4x3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
// expected-error@below {{expected at most one bit in ellipsis_mask but got 3}}
%r = nd.strided_slice %v#0, %v#1, %v#2, %v#3 {begin_mask = 0 : i64, end_mask = 0 : i64, ellipsis_mask = 3 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<4x3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x3xf32>

// -----
// nd.strided_slice_grad C1
%v:5 = "test.value"() : () -> (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2x3xf32>)
// expected-error@below {{failed to verify that all of {gradient, result} have same element type}}
%r = nd.strided_slice_grad %v#0, %v#1, %v#2, %v#3, %v#4 {begin_mask = 0 : i64, end_mask = 0 : i64, ellipsis_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2x3xf32>) -> tensor<?x?xf64>

// -----
// nd.strided_slice_grad C2
%v:5 = "test.value"() : () -> (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xf32>, tensor<2x3xf32>)
// expected-error@below {{operand #3 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.strided_slice_grad %v#0, %v#1, %v#2, %v#3, %v#4 {begin_mask = 0 : i64, end_mask = 0 : i64, ellipsis_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xf32>, tensor<2x3xf32>) -> tensor<?x?xf32>

// -----
// nd.strided_slice_grad C3
%v:5 = "test.value"() : () -> (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2x3xf32>)
// expected-error@below {{expected at most one bit in ellipsis_mask but got 3}}
%r = nd.strided_slice_grad %v#0, %v#1, %v#2, %v#3, %v#4 {begin_mask = 0 : i64, end_mask = 0 : i64, ellipsis_mask = 3 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2x3xf32>) -> tensor<?x?xf32>

// -----
// nd.transpose C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<2xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.transpose %v#0, %v#1 {conjugate = false} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf64>

// -----
// nd.transpose C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<2xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.transpose %v#0, %v#1 {conjugate = false} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<3x2xf32>

// -----
// nd.tile C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<2xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.tile %v#0, %v#1 : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf64>

// -----
// nd.tile C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<2xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.tile %v#0, %v#1 : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<?x?xf32>

// -----
// nd.pad C1
%v:3 = "test.value"() : () -> (tensor<2xf32>, tensor<1x2xi32>, tensor<f32>)
// expected-error@below {{failed to verify that all of {input, value, result} have same element type}}
%r = nd.pad %v#0, %v#1, %v#2 : (tensor<2xf32>, tensor<1x2xi32>, tensor<f32>) -> tensor<?xf64>

// -----
// nd.pad C2
%v:3 = "test.value"() : () -> (tensor<2xf32>, tensor<1x2xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.pad %v#0, %v#1, %v#2 : (tensor<2xf32>, tensor<1x2xf32>, tensor<f32>) -> tensor<?xf32>

// -----
// nd.fill C1
%v:2 = "test.value"() : () -> (tensor<2xi32>, tensor<f32>)
// expected-error@below {{failed to verify that all of {value, result} have same element type}}
%r = nd.fill %v#0, %v#1 : (tensor<2xi32>, tensor<f32>) -> tensor<?x?xf64>

// -----
// nd.fill C2
%v:2 = "test.value"() : () -> (tensor<2xf32>, tensor<f32>)
// expected-error@below {{operand #0 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.fill %v#0, %v#1 : (tensor<2xf32>, tensor<f32>) -> tensor<?x?xf32>

// -----
// nd.range C1
%v:3 = "test.value"() : () -> (tensor<i32>, tensor<i32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {start, limit, delta, result} have same element type}}
%r = nd.range %v#0, %v#1, %v#2 : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi64>

// -----
// nd.reverse C1
%v:2 = "test.value"() : () -> (tensor<4xf32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.reverse %v#0, %v#1 : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf64>

// -----
// nd.reverse C2
%v:2 = "test.value"() : () -> (tensor<4xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.reverse %v#0, %v#1 : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
