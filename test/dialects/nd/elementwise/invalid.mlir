// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the nd elementwise ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// nd.neg C1
%v = "test.value"() : () -> tensor<2x?xi1>
// expected-error@below {{operand #0 must be tensor of numbers}}
%r = nd.neg %v : (tensor<2x?xi1>) -> tensor<2x?xi1>

// -----
// nd.neg C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.neg %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.abs C1
%v = "test.value"() : () -> tensor<2x?xcomplex<f32>>
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.abs %v : (tensor<2x?xcomplex<f32>>) -> tensor<2x?xcomplex<f32>>

// -----
// nd.abs C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.abs %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.sign C1
%v = "test.value"() : () -> tensor<2x?xi1>
// expected-error@below {{operand #0 must be tensor of numbers}}
%r = nd.sign %v : (tensor<2x?xi1>) -> tensor<2x?xi1>

// -----
// nd.sign C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.sign %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.sqrt C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = nd.sqrt %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.sqrt C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.sqrt %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.rsqrt C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = nd.rsqrt %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.rsqrt C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.rsqrt %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.exp C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = nd.exp %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.exp C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.exp %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.expm1 C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = nd.expm1 %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.expm1 C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.expm1 %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.log C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = nd.log %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.log C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.log %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.log1p C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = nd.log1p %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.log1p C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.log1p %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.tanh C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = nd.tanh %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.tanh C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.tanh %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.sigmoid C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = nd.sigmoid %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.sigmoid C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.sigmoid %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.sin C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = nd.sin %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.sin C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.sin %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.cos C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = nd.cos %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.cos C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.cos %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.floor C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = nd.floor %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.floor C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.floor %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.ceil C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = nd.ceil %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.ceil C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.ceil %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.round C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = nd.round %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// nd.round C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.round %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// nd.logical_not C1
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{operand #0 must be tensor of i1}}
%r = nd.logical_not %v : (tensor<2x?xf32>) -> tensor<2x?xf32>

// -----
// nd.logical_not C2
%v = "test.value"() : () -> tensor<2x?xi1>
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.logical_not %v : (tensor<2x?xi1>) -> tensor<2x?xf32>

// -----
// nd.is_nan C1
%v = "test.value"() : () -> tensor<4xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = nd.is_nan %v : (tensor<4xi32>) -> tensor<4xi1>

// -----
// nd.is_nan C2
%v = "test.value"() : () -> tensor<4xf32>
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.is_nan %v : (tensor<4xf32>) -> tensor<4xi32>

// -----
// nd.is_inf C1
%v = "test.value"() : () -> tensor<4xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = nd.is_inf %v : (tensor<4xi32>) -> tensor<4xi1>

// -----
// nd.is_inf C2
%v = "test.value"() : () -> tensor<4xf32>
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.is_inf %v : (tensor<4xf32>) -> tensor<4xi32>

// -----
// nd.is_finite C1
%v = "test.value"() : () -> tensor<4xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = nd.is_finite %v : (tensor<4xi32>) -> tensor<4xi1>

// -----
// nd.is_finite C2
%v = "test.value"() : () -> tensor<4xf32>
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.is_finite %v : (tensor<4xf32>) -> tensor<4xi32>

// -----
// nd.add C1
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<3xi1>)
// expected-error@below {{operand #0 must be tensor of numbers or strings}}
%r = nd.add %v#0, %v#1 : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>

// -----
// nd.add C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.add %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.sub C1
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<3xi1>)
// expected-error@below {{operand #0 must be tensor of numbers}}
%r = nd.sub %v#0, %v#1 : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>

// -----
// nd.sub C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.sub %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.mul C1
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<3xi1>)
// expected-error@below {{operand #0 must be tensor of numbers}}
%r = nd.mul %v#0, %v#1 : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>

// -----
// nd.mul C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.mul %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.div C1
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<3xi1>)
// expected-error@below {{operand #0 must be tensor of numbers}}
%r = nd.div %v#0, %v#1 : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>

// -----
// nd.div C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.div %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.div_no_nan C1
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi32>)
// expected-error@below {{operand #0 must be tensor of floats or complex numbers}}
%r = nd.div_no_nan %v#0, %v#1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>

// -----
// nd.div_no_nan C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.div_no_nan %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.floor_div C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<3xcomplex<f32>>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.floor_div %v#0, %v#1 : (tensor<2x3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>

// -----
// nd.floor_div C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.floor_div %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.floor_mod C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<3xcomplex<f32>>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.floor_mod %v#0, %v#1 : (tensor<2x3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>

// -----
// nd.floor_mod C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.floor_mod %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.trunc_mod C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<3xcomplex<f32>>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.trunc_mod %v#0, %v#1 : (tensor<2x3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>

// -----
// nd.trunc_mod C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.trunc_mod %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.pow C1
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<3xi1>)
// expected-error@below {{operand #0 must be tensor of numbers}}
%r = nd.pow %v#0, %v#1 : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>

// -----
// nd.pow C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.pow %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.maximum C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<3xcomplex<f32>>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.maximum %v#0, %v#1 : (tensor<2x3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>

// -----
// nd.maximum C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.maximum %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.minimum C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<3xcomplex<f32>>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.minimum %v#0, %v#1 : (tensor<2x3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>

// -----
// nd.minimum C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nd.minimum %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>

// -----
// nd.logical_and C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{operand #0 must be tensor of i1}}
%r = nd.logical_and %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

// -----
// nd.logical_and C2
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<3xi1>)
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.logical_and %v#0, %v#1 : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xf32>

// -----
// nd.logical_or C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{operand #0 must be tensor of i1}}
%r = nd.logical_or %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

// -----
// nd.logical_or C2
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<3xi1>)
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.logical_or %v#0, %v#1 : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xf32>

// -----
// nd.less C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.less %v#0, %v#1 : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x3xi1>

// -----
// nd.less C2
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i64>)
// expected-error@below {{failed to verify that all of {lhs, rhs} have same element type}}
%r = nd.less %v#0, %v#1 : (tensor<2x3xi32>, tensor<i64>) -> tensor<2x3xi1>

// -----
// nd.less C3
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.less %v#0, %v#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>

// -----
// nd.less_equal C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.less_equal %v#0, %v#1 : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x3xi1>

// -----
// nd.less_equal C2
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i64>)
// expected-error@below {{failed to verify that all of {lhs, rhs} have same element type}}
%r = nd.less_equal %v#0, %v#1 : (tensor<2x3xi32>, tensor<i64>) -> tensor<2x3xi1>

// -----
// nd.less_equal C3
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.less_equal %v#0, %v#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>

// -----
// nd.greater C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.greater %v#0, %v#1 : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x3xi1>

// -----
// nd.greater C2
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i64>)
// expected-error@below {{failed to verify that all of {lhs, rhs} have same element type}}
%r = nd.greater %v#0, %v#1 : (tensor<2x3xi32>, tensor<i64>) -> tensor<2x3xi1>

// -----
// nd.greater C3
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.greater %v#0, %v#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>

// -----
// nd.greater_equal C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.greater_equal %v#0, %v#1 : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x3xi1>

// -----
// nd.greater_equal C2
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i64>)
// expected-error@below {{failed to verify that all of {lhs, rhs} have same element type}}
%r = nd.greater_equal %v#0, %v#1 : (tensor<2x3xi32>, tensor<i64>) -> tensor<2x3xi1>

// -----
// nd.greater_equal C3
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.greater_equal %v#0, %v#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>

// -----
// nd.equal C1
%v:2 = "test.value"() : () -> (tensor<2x3xindex>, tensor<index>)
// expected-error@below {{operand #0 must be tensor of numbers, i1 or strings}}
%r = nd.equal %v#0, %v#1 : (tensor<2x3xindex>, tensor<index>) -> tensor<2x3xi1>

// -----
// nd.equal C2
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i64>)
// expected-error@below {{failed to verify that all of {lhs, rhs} have same element type}}
%r = nd.equal %v#0, %v#1 : (tensor<2x3xi32>, tensor<i64>) -> tensor<2x3xi1>

// -----
// nd.equal C3
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.equal %v#0, %v#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>

// -----
// nd.not_equal C1
%v:2 = "test.value"() : () -> (tensor<2x3xindex>, tensor<index>)
// expected-error@below {{operand #0 must be tensor of numbers, i1 or strings}}
%r = nd.not_equal %v#0, %v#1 : (tensor<2x3xindex>, tensor<index>) -> tensor<2x3xi1>

// -----
// nd.not_equal C2
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i64>)
// expected-error@below {{failed to verify that all of {lhs, rhs} have same element type}}
%r = nd.not_equal %v#0, %v#1 : (tensor<2x3xi32>, tensor<i64>) -> tensor<2x3xi1>

// -----
// nd.not_equal C3
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.not_equal %v#0, %v#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>

// -----
// nd.select C1
%v:3 = "test.value"() : () -> (tensor<i1>, tensor<4xf32>, tensor<4xf32>)
// expected-error@below {{failed to verify that all of {on_true, on_false, result} have same element type}}
%r = nd.select %v#0, %v#1, %v#2 {leading = false} : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf64>

// -----
// nd.select C2
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>)
// expected-error@below {{operand #0 must be tensor of i1}}
%r = nd.select %v#0, %v#1, %v#2 {leading = false} : (tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

// -----
// nd.cast C1
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{operand #0 must be tensor of numbers or i1}}
%r = nd.cast %v : (tensor<2x!nd.string>) -> tensor<2xf32>
