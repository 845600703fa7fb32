// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the sci random ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// sci.random_key C1
%v = "test.value"() : () -> tensor<2xf32>
// expected-error@below {{operand #0 must be tensor of integers}}
%r:2 = sci.random_key %v : (tensor<2xf32>) -> (tensor<1xui64>, tensor<2xui64>)

// -----
// sci.random_key C2
%v = "test.value"() : () -> tensor<2xi64>
// expected-error@below {{result #0 must be tensor of ui64}}
%r:2 = sci.random_key %v : (tensor<2xi64>) -> (tensor<1xi64>, tensor<2xui64>)

// -----
// sci.random_key C2
%v = "test.value"() : () -> tensor<2xi64>
// expected-error@below {{result #1 must be tensor of ui64}}
%r:2 = sci.random_key %v : (tensor<2xi64>) -> (tensor<1xui64>, tensor<2xi64>)

// -----
// sci.random_stream C1
%v:3 = "test.value"() : () -> (tensor<1xi64>, tensor<2xui64>, tensor<i32>)
// expected-error@below {{operand #0 must be tensor of ui64}}
%r = sci.random_stream %v#0, %v#1, %v#2 : (tensor<1xi64>, tensor<2xui64>, tensor<i32>) -> tensor<3xi64>

// -----
// sci.random_stream C1
%v:3 = "test.value"() : () -> (tensor<1xui64>, tensor<2xi64>, tensor<i32>)
// expected-error@below {{operand #1 must be tensor of ui64}}
%r = sci.random_stream %v#0, %v#1, %v#2 : (tensor<1xui64>, tensor<2xi64>, tensor<i32>) -> tensor<3xi64>

// -----
// sci.random_stream C2
%v:3 = "test.value"() : () -> (tensor<1xui64>, tensor<2xui64>, tensor<i64>)
// expected-error@below {{operand #2 must be tensor of i32}}
%r = sci.random_stream %v#0, %v#1, %v#2 : (tensor<1xui64>, tensor<2xui64>, tensor<i64>) -> tensor<3xi64>

// -----
// sci.random_stream C3
%v:3 = "test.value"() : () -> (tensor<1xui64>, tensor<2xui64>, tensor<i32>)
// expected-error@below {{result #0 must be tensor of i64}}
%r = sci.random_stream %v#0, %v#1, %v#2 : (tensor<1xui64>, tensor<2xui64>, tensor<i32>) -> tensor<3xui64>

// -----
// sci.random_normal C1
%v:2 = "test.value"() : () -> (tensor<3xi32>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = sci.random_normal %v#0, %v#1 : (tensor<3xi32>, tensor<1xi32>) -> tensor<?xf32>

// -----
// sci.random_normal C2
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = sci.random_normal %v#0, %v#1 : (tensor<3xi64>, tensor<1xf32>) -> tensor<?xf32>

// -----
// sci.random_normal C3
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xi32>)
// expected-error@below {{result #0 must be tensor of floats}}
%r = sci.random_normal %v#0, %v#1 : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xi32>

// -----
// sci.random_truncated_normal C1
%v:2 = "test.value"() : () -> (tensor<3xi32>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = sci.random_truncated_normal %v#0, %v#1 : (tensor<3xi32>, tensor<1xi32>) -> tensor<?xf32>

// -----
// sci.random_truncated_normal C2
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = sci.random_truncated_normal %v#0, %v#1 : (tensor<3xi64>, tensor<1xf32>) -> tensor<?xf32>

// -----
// sci.random_truncated_normal C3
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xi32>)
// expected-error@below {{result #0 must be tensor of floats}}
%r = sci.random_truncated_normal %v#0, %v#1 : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xi32>

// -----
// sci.random_bits C1
%v:2 = "test.value"() : () -> (tensor<3xi32>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = sci.random_bits %v#0, %v#1 : (tensor<3xi32>, tensor<1xi32>) -> tensor<?xui64>

// -----
// sci.random_bits C2
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = sci.random_bits %v#0, %v#1 : (tensor<3xi64>, tensor<1xf32>) -> tensor<?xui64>

// -----
// sci.random_bits C3
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xi32>)
// expected-error@below {{result #0 must be tensor of integers}}
%r = sci.random_bits %v#0, %v#1 : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xf32>

// -----
// sci.random_int C1
%v:4 = "test.value"() : () -> (tensor<3xi32>, tensor<1xi32>, tensor<i32>, tensor<i32>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = sci.random_int %v#0, %v#1, %v#2, %v#3 : (tensor<3xi32>, tensor<1xi32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>

// -----
// sci.random_int C2
%v:4 = "test.value"() : () -> (tensor<3xi64>, tensor<1xf32>, tensor<i32>, tensor<i32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = sci.random_int %v#0, %v#1, %v#2, %v#3 : (tensor<3xi64>, tensor<1xf32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>

// -----
// sci.random_int C3
%v:4 = "test.value"() : () -> (tensor<3xi64>, tensor<1xi32>, tensor<i32>, tensor<i64>)
// expected-error@below {{failed to verify that all of {low, high, result} have same element type}}
%r = sci.random_int %v#0, %v#1, %v#2, %v#3 : (tensor<3xi64>, tensor<1xi32>, tensor<i32>, tensor<i64>) -> tensor<?xi32>

// -----
// sci.random_int C3
%v:4 = "test.value"() : () -> (tensor<3xi64>, tensor<1xi32>, tensor<f32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of integers}}
%r = sci.random_int %v#0, %v#1, %v#2, %v#3 : (tensor<3xi64>, tensor<1xi32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>

// -----
// sci.random_shuffle C1
%v:2 = "test.value"() : () -> (tensor<3xi32>, tensor<4xf32>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = sci.random_shuffle %v#0, %v#1 : (tensor<3xi32>, tensor<4xf32>) -> tensor<4xf32>

// -----
// sci.random_shuffle C2
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<4xf32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.random_shuffle %v#0, %v#1 : (tensor<3xi64>, tensor<4xf32>) -> tensor<4xf64>

// -----
// sci.random_choices C1
%v:3 = "test.value"() : () -> (tensor<3xi32>, tensor<4x9xf32>, tensor<i32>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = sci.random_choices %v#0, %v#1, %v#2 : (tensor<3xi32>, tensor<4x9xf32>, tensor<i32>) -> tensor<4x?xi64>

// -----
// sci.random_choices C2
%v:3 = "test.value"() : () -> (tensor<3xi64>, tensor<4x9xi32>, tensor<i32>)
// expected-error@below {{operand #1 must be tensor of floats}}
%r = sci.random_choices %v#0, %v#1, %v#2 : (tensor<3xi64>, tensor<4x9xi32>, tensor<i32>) -> tensor<4x?xi64>

// -----
// sci.random_choices C3
%v:3 = "test.value"() : () -> (tensor<3xi64>, tensor<4x9xf32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of integers}}
%r = sci.random_choices %v#0, %v#1, %v#2 : (tensor<3xi64>, tensor<4x9xf32>, tensor<f32>) -> tensor<4x?xi64>

// -----
// sci.random_choices C3
%v:3 = "test.value"() : () -> (tensor<3xi64>, tensor<4x9xf32>, tensor<i32>)
// expected-error@below {{result #0 must be tensor of integers}}
%r = sci.random_choices %v#0, %v#1, %v#2 : (tensor<3xi64>, tensor<4x9xf32>, tensor<i32>) -> tensor<4x?xf32>

// -----
// sci.random_gamma C1
%v:3 = "test.value"() : () -> (tensor<3xi32>, tensor<2xi32>, tensor<4xf32>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = sci.random_gamma %v#0, %v#1, %v#2 : (tensor<3xi32>, tensor<2xi32>, tensor<4xf32>) -> tensor<?x4xf32>

// -----
// sci.random_gamma C2
%v:3 = "test.value"() : () -> (tensor<3xi64>, tensor<2xf32>, tensor<4xf32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = sci.random_gamma %v#0, %v#1, %v#2 : (tensor<3xi64>, tensor<2xf32>, tensor<4xf32>) -> tensor<?x4xf32>

// -----
// sci.random_poisson C1
%v:3 = "test.value"() : () -> (tensor<3xi32>, tensor<2xi32>, tensor<4xf64>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = sci.random_poisson %v#0, %v#1, %v#2 : (tensor<3xi32>, tensor<2xi32>, tensor<4xf64>) -> tensor<?x4xf32>

// -----
// sci.random_poisson C2
%v:3 = "test.value"() : () -> (tensor<3xi64>, tensor<2xf32>, tensor<4xf64>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = sci.random_poisson %v#0, %v#1, %v#2 : (tensor<3xi64>, tensor<2xf32>, tensor<4xf64>) -> tensor<?x4xf32>

// -----
// sci.random_binomial C1
%v:4 = "test.value"() : () -> (tensor<3xi32>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = sci.random_binomial %v#0, %v#1, %v#2, %v#3 : (tensor<3xi32>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>

// -----
// sci.random_binomial C2
%v:4 = "test.value"() : () -> (tensor<3xi64>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = sci.random_binomial %v#0, %v#1, %v#2, %v#3 : (tensor<3xi64>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>

// -----
// sci.random_gamma C3
%v:3 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xi32>)
// expected-error@below {{operand #2 must be tensor of floats}}
%r = sci.random_gamma %v#0, %v#1, %v#2 : (tensor<3xi64>, tensor<2xi32>, tensor<4xi32>) -> tensor<?x4xi32>

// -----
// sci.random_gamma C3
%v:3 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>)
// expected-error@below {{failed to verify that all of {alpha, result} have same element type}}
%r = sci.random_gamma %v#0, %v#1, %v#2 : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>) -> tensor<?x4xf64>

// -----
// sci.random_poisson C3
%v:3 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>)
// expected-error@below {{operand #2 must be tensor of f64}}
%r = sci.random_poisson %v#0, %v#1, %v#2 : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>) -> tensor<?x4xf32>

// -----
// sci.random_poisson C4
%v:3 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xf64>)
// expected-error@below {{result #0 must be tensor of real numbers}}
%r = sci.random_poisson %v#0, %v#1, %v#2 : (tensor<3xi64>, tensor<2xi32>, tensor<4xf64>) -> tensor<?x4xi1>

// -----
// sci.random_binomial C3
%v:4 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xi32>, tensor<4xi32>)
// expected-error@below {{operand #2 must be tensor of floats}}
%r = sci.random_binomial %v#0, %v#1, %v#2, %v#3 : (tensor<3xi64>, tensor<2xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<?x4xf32>

// -----
// sci.random_binomial C3
%v:4 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf64>)
// expected-error@below {{failed to verify that all of {counts, probs} have same element type}}
%r = sci.random_binomial %v#0, %v#1, %v#2, %v#3 : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf64>) -> tensor<?x4xf32>

// -----
// sci.random_binomial C4
%v:4 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>)
// expected-error@below {{result #0 must be tensor of real numbers}}
%r = sci.random_binomial %v#0, %v#1, %v#2, %v#3 : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xi1>

// -----
// sci.random_index_shuffle C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<3xi32>, tensor<f32>)
// expected-error@below {{operand #0 must be tensor of integers}}
%r = sci.random_index_shuffle %v#0, %v#1, %v#2 {rounds = 4 : i64} : (tensor<f32>, tensor<3xi32>, tensor<f32>) -> (tensor<f32>)

// -----
// sci.random_index_shuffle C1
%v:3 = "test.value"() : () -> (tensor<i64>, tensor<3xi32>, tensor<i32>)
// expected-error@below {{failed to verify that all of {index, limit, result} have same element type}}
%r = sci.random_index_shuffle %v#0, %v#1, %v#2 {rounds = 4 : i64} : (tensor<i64>, tensor<3xi32>, tensor<i32>) -> (tensor<i64>)

// -----
// sci.random_index_shuffle C2
%v:3 = "test.value"() : () -> (tensor<i64>, tensor<3xf32>, tensor<i64>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = sci.random_index_shuffle %v#0, %v#1, %v#2 {rounds = 4 : i64} : (tensor<i64>, tensor<3xf32>, tensor<i64>) -> (tensor<i64>)

// -----
// sci.random_index_shuffle C3
%v:3 = "test.value"() : () -> (tensor<i64>, tensor<3xi32>, tensor<i64>)
// expected-error@below {{expected an even number of 4 or more rounds but got 5}}
%r = sci.random_index_shuffle %v#0, %v#1, %v#2 {rounds = 5 : i64} : (tensor<i64>, tensor<3xi32>, tensor<i64>) -> (tensor<i64>)

// -----
// sci.random_candidates C1
%v:2 = "test.value"() : () -> (tensor<3xi32>, tensor<2x1xi64>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r:3 = sci.random_candidates %v#0, %v#1 {count = 4 : i64, distribution = "uniform", range = 9 : i64, unique = true} : (tensor<3xi32>, tensor<2x1xi64>) -> (tensor<4xi64>, tensor<2x1xf32>, tensor<4xf32>)

// -----
// sci.random_candidates C1
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<2x1xi32>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r:3 = sci.random_candidates %v#0, %v#1 {count = 4 : i64, distribution = "uniform", range = 9 : i64, unique = true} : (tensor<3xi64>, tensor<2x1xi32>) -> (tensor<4xi64>, tensor<2x1xf32>, tensor<4xf32>)

// -----
// sci.random_candidates C1
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<2x1xi64>)
// expected-error@below {{result #0 must be tensor of i64}}
%r:3 = sci.random_candidates %v#0, %v#1 {count = 4 : i64, distribution = "uniform", range = 9 : i64, unique = true} : (tensor<3xi64>, tensor<2x1xi64>) -> (tensor<4xi32>, tensor<2x1xf32>, tensor<4xf32>)

// -----
// sci.random_candidates C2
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<2x1xi64>)
// expected-error@below {{result #1 must be tensor of f32}}
%r:3 = sci.random_candidates %v#0, %v#1 {count = 4 : i64, distribution = "uniform", range = 9 : i64, unique = true} : (tensor<3xi64>, tensor<2x1xi64>) -> (tensor<4xi64>, tensor<2x1xf64>, tensor<4xf32>)

// -----
// sci.random_candidates C3
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<2x1xi64>)
// expected-error@below {{expected 'uniform' or 'log_uniform' but got 'normal'}}
%r:3 = sci.random_candidates %v#0, %v#1 {count = 4 : i64, distribution = "normal", range = 9 : i64, unique = true} : (tensor<3xi64>, tensor<2x1xi64>) -> (tensor<4xi64>, tensor<2x1xf32>, tensor<4xf32>)

// -----
// sci.random_candidates C4
%v:2 = "test.value"() : () -> (tensor<3xi64>, tensor<2x1xi64>)
// expected-error@below {{expected a positive range and count but got 0 and 4}}
%r:3 = sci.random_candidates %v#0, %v#1 {count = 4 : i64, distribution = "uniform", range = 0 : i64, unique = true} : (tensor<3xi64>, tensor<2x1xi64>) -> (tensor<4xi64>, tensor<2x1xf32>, tensor<4xf32>)

// -----
// sci.random_bounded_normal C1
%v:6 = "test.value"() : () -> (tensor<3xi32>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = sci.random_bounded_normal %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 : (tensor<3xi32>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>

// -----
// sci.random_bounded_normal C2
%v:6 = "test.value"() : () -> (tensor<3xi64>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
// expected-error@below {{operand #1 must be tensor of integers}}
%r = sci.random_bounded_normal %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 : (tensor<3xi64>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>

// -----
// sci.random_bounded_normal C3
%v:6 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
// expected-error@below {{operand #2 must be tensor of floats}}
%r = sci.random_bounded_normal %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 : (tensor<3xi64>, tensor<2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<?x4xi32>

// -----
// sci.random_bounded_normal C3
%v:6 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf32>)
// expected-error@below {{failed to verify that all of {mean, deviation, low, high, result} have same element type}}
%r = sci.random_bounded_normal %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
