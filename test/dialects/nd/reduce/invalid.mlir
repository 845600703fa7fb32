// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the nd reduce ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// nd.reduce_sum C1
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of numbers}}
%r = nd.reduce_sum %v#0, %v#1 {keep_dims = false} : (tensor<2x3xi1>, tensor<1xi32>) -> tensor<2xi1>

// -----
// nd.reduce_sum C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.reduce_sum %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf64>

// -----
// nd.reduce_sum C3
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.reduce_sum %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2xf32>

// -----
// nd.reduce_mean C1
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of numbers}}
%r = nd.reduce_mean %v#0, %v#1 {keep_dims = false} : (tensor<2x3xi1>, tensor<1xi32>) -> tensor<2xi1>

// -----
// nd.reduce_mean C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.reduce_mean %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf64>

// -----
// nd.reduce_mean C3
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.reduce_mean %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2xf32>

// -----
// nd.reduce_prod C1
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of numbers}}
%r = nd.reduce_prod %v#0, %v#1 {keep_dims = false} : (tensor<2x3xi1>, tensor<1xi32>) -> tensor<2xi1>

// -----
// nd.reduce_prod C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.reduce_prod %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf64>

// -----
// nd.reduce_prod C3
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.reduce_prod %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2xf32>

// -----
// nd.reduce_max C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.reduce_max %v#0, %v#1 {keep_dims = false} : (tensor<2x3xcomplex<f32>>, tensor<1xi32>) -> tensor<2xcomplex<f32>>

// -----
// nd.reduce_max C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.reduce_max %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf64>

// -----
// nd.reduce_max C3
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.reduce_max %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2xf32>

// -----
// nd.reduce_min C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.reduce_min %v#0, %v#1 {keep_dims = false} : (tensor<2x3xcomplex<f32>>, tensor<1xi32>) -> tensor<2xcomplex<f32>>

// -----
// nd.reduce_min C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.reduce_min %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf64>

// -----
// nd.reduce_min C3
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.reduce_min %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2xf32>

// -----
// nd.reduce_all C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of i1}}
%r = nd.reduce_all %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>

// -----
// nd.reduce_all C2
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<1xi32>)
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.reduce_all %v#0, %v#1 {keep_dims = false} : (tensor<2x3xi1>, tensor<1xi32>) -> tensor<2xf32>

// -----
// nd.reduce_all C3
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.reduce_all %v#0, %v#1 {keep_dims = false} : (tensor<2x3xi1>, tensor<1xf32>) -> tensor<2xi1>

// -----
// nd.reduce_any C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of i1}}
%r = nd.reduce_any %v#0, %v#1 {keep_dims = false} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2xf32>

// -----
// nd.reduce_any C2
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<1xi32>)
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.reduce_any %v#0, %v#1 {keep_dims = false} : (tensor<2x3xi1>, tensor<1xi32>) -> tensor<2xf32>

// -----
// nd.reduce_any C3
%v:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.reduce_any %v#0, %v#1 {keep_dims = false} : (tensor<2x3xi1>, tensor<1xf32>) -> tensor<2xi1>

// -----
// nd.arg_max C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<i32>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.arg_max %v#0, %v#1 : (tensor<2x3xcomplex<f32>>, tensor<i32>) -> tensor<2xi64>

// -----
// nd.arg_max C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.arg_max %v#0, %v#1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xi64>

// -----
// nd.arg_min C1
%v:2 = "test.value"() : () -> (tensor<2x3xcomplex<f32>>, tensor<i32>)
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nd.arg_min %v#0, %v#1 : (tensor<2x3xcomplex<f32>>, tensor<i32>) -> tensor<2xi64>

// -----
// nd.arg_min C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.arg_min %v#0, %v#1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xi64>

// -----
// nd.cumsum C1
%v:2 = "test.value"() : () -> (tensor<4xf32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.cumsum %v#0, %v#1 {exclusive = false, reverse = false} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf64>

// -----
// nd.cumsum C2
%v:2 = "test.value"() : () -> (tensor<4xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.cumsum %v#0, %v#1 {exclusive = false, reverse = false} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>

// -----
// nd.cumprod C1
%v:2 = "test.value"() : () -> (tensor<4xf32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.cumprod %v#0, %v#1 {exclusive = false, reverse = false} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf64>

// -----
// nd.cumprod C2
%v:2 = "test.value"() : () -> (tensor<4xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nd.cumprod %v#0, %v#1 {exclusive = false, reverse = false} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>

// -----
// nd.l2_loss C1
%v = "test.value"() : () -> tensor<2x3xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nd.l2_loss %v : (tensor<2x3xf32>) -> tensor<f64>

// -----
// nd.top_k C1
%v:2 = "test.value"() : () -> (tensor<2x5xf32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {input, values} have same element type}}
%r:2 = nd.top_k %v#0, %v#1 : (tensor<2x5xf32>, tensor<i32>) -> (tensor<2x?xf64>, tensor<2x?xi32>)

// -----
// nd.top_k C2
%v:2 = "test.value"() : () -> (tensor<2x5xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = nd.top_k %v#0, %v#1 : (tensor<2x5xf32>, tensor<f32>) -> (tensor<2x?xf32>, tensor<2x?xi32>)

// -----
// nd.top_k C3
%v:2 = "test.value"() : () -> (tensor<2x5xf32>, tensor<i32>)
// expected-error@below {{result #1 must be tensor of i32}}
%r:2 = nd.top_k %v#0, %v#1 : (tensor<2x5xf32>, tensor<i32>) -> (tensor<2x?xf32>, tensor<2x?xi64>)
