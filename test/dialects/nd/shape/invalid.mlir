// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the nd shape ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// nd.constant C1
// expected-error@below {{failed to verify that all of {value, result} have same type}}
%c = nd.constant {value = dense<1.0> : tensor<2xf32>} : () -> tensor<?xf32>

// -----
// nd.shape C1
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{result #0 must be tensor of integers}}
%r = nd.shape %v : (tensor<2x?xf32>) -> tensor<2xf32>

// -----
// nd.rank C1
%v = "test.value"() : () -> tensor<*xf32>
// expected-error@below {{result #0 must be tensor of integers}}
%r = nd.rank %v : (tensor<*xf32>) -> tensor<f32>

// -----
// nd.size C1
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{result #0 must be tensor of integers}}
%r = nd.size %v : (tensor<2x?xf32>) -> tensor<f32>

// -----
// nd.reshape C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.reshape %v#0, %v#1 : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<6xf64>

// -----
// nd.reshape C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.reshape %v#0, %v#1 : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<6xf32>

// -----
// nd.expand_dims C1
%v:2 = "test.value"() : () -> (tensor<3xf32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.expand_dims %v#0, %v#1 : (tensor<3xf32>, tensor<i32>) -> tensor<1x3xf64>

// -----
// nd.expand_dims C2
%v:2 = "test.value"() : () -> (tensor<3xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.expand_dims %v#0, %v#1 : (tensor<3xf32>, tensor<f32>) -> tensor<1x3xf32>

// -----
// nd.squeeze C1
%v = "test.value"() : () -> tensor<1x3xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.squeeze %v {axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<3xf64>

// -----
// nd.stop_gradient C1
%v = "test.value"() : () -> tensor<3xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.stop_gradient %v : (tensor<3xf32>) -> tensor<3xf64>

// -----
// nd.assume_shape C1
%v = "test.value"() : () -> tensor<3xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.assume_shape %v : (tensor<3xf32>) -> tensor<3xf64>

// -----
// nd.broadcast_to C1
%v:2 = "test.value"() : () -> (tensor<3xf32>, tensor<2xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.broadcast_to %v#0, %v#1 : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf64>

// -----
// nd.broadcast_to C2
%v:2 = "test.value"() : () -> (tensor<3xf32>, tensor<2xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.broadcast_to %v#0, %v#1 : (tensor<3xf32>, tensor<2xf32>) -> tensor<2x3xf32>

// -----
// nd.broadcast_args C1
%v:2 = "test.value"() : () -> (tensor<2xi32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.broadcast_args %v#0, %v#1 : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi64>

// -----
// nd.broadcast_gradient_args C1
%v:2 = "test.value"() : () -> (tensor<2xi32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, lhs_axes, rhs_axes} have same element type}}
%r:2 = nd.broadcast_gradient_args %v#0, %v#1 : (tensor<2xi32>, tensor<1xi32>) -> (tensor<?xi64>, tensor<?xi32>)

// -----
// nd.concat_offset C1
%v:2 = "test.value"() : () -> (tensor<i32>, tensor<2xi32>)
// expected-error@below {{expected as many results as shapes but got 2 results and 1 shapes}}
%r:2 = nd.concat_offset %v#0, %v#1 : (tensor<i32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)

// -----
// nd.concat_offset C2
%v:3 = "test.value"() : () -> (tensor<i32>, tensor<2xf32>, tensor<2xi32>)
// expected-error@below {{operand #1 must be variadic of tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = nd.concat_offset %v#0, %v#1, %v#2 : (tensor<i32>, tensor<2xf32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)

// -----
// nd.invert_permutation C1
%v = "test.value"() : () -> tensor<3xi32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.invert_permutation %v : (tensor<3xi32>) -> tensor<3xi64>

// -----
// nd.match_shape C1
%v:2 = "test.value"() : () -> (tensor<?xf32>, tensor<3xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.match_shape %v#0, %v#1 : (tensor<?xf32>, tensor<3xi32>) -> tensor<3xi32>
