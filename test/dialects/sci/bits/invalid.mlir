// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the sci bits ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// sci.bit_and C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{operand #0 must be tensor of integers}}
%r = sci.bit_and %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

// -----
// sci.bit_and C2
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.bit_and %v#0, %v#1 : (tensor<2x3xi32>, tensor<3xi64>) -> tensor<2x3xi32>

// -----
// sci.bit_or C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{operand #0 must be tensor of integers}}
%r = sci.bit_or %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

// -----
// sci.bit_or C2
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.bit_or %v#0, %v#1 : (tensor<2x3xi32>, tensor<3xi64>) -> tensor<2x3xi32>

// -----
// sci.bit_xor C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{operand #0 must be tensor of integers}}
%r = sci.bit_xor %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

// -----
// sci.bit_xor C2
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.bit_xor %v#0, %v#1 : (tensor<2x3xi32>, tensor<3xi64>) -> tensor<2x3xi32>

// -----
// sci.shift_left C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{operand #0 must be tensor of integers}}
%r = sci.shift_left %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

// -----
// sci.shift_left C2
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.shift_left %v#0, %v#1 : (tensor<2x3xi32>, tensor<3xi64>) -> tensor<2x3xi32>

// -----
// sci.shift_right C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// expected-error@below {{operand #0 must be tensor of integers}}
%r = sci.shift_right %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

// -----
// sci.shift_right C2
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.shift_right %v#0, %v#1 : (tensor<2x3xi32>, tensor<3xi64>) -> tensor<2x3xi32>

// -----
// sci.population_count C1
%v = "test.value"() : () -> tensor<4xf32>
// expected-error@below {{operand #0 must be tensor of integers}}
%r = sci.population_count %v : (tensor<4xf32>) -> tensor<4xui8>

// -----
// sci.population_count C2
%v = "test.value"() : () -> tensor<4xi32>
// expected-error@below {{result #0 must be tensor of ui8}}
%r = sci.population_count %v : (tensor<4xi32>) -> tensor<4xi32>

// -----
// sci.bitcast C1
%v = "test.value"() : () -> tensor<4xi1>
// expected-error@below {{operand #0 must be tensor of numbers}}
%r = sci.bitcast %v : (tensor<4xi1>) -> tensor<4xui8>

// -----
// sci.bitcast C1
%v = "test.value"() : () -> tensor<4xui8>
// expected-error@below {{result #0 must be tensor of numbers}}
%r = sci.bitcast %v : (tensor<4xui8>) -> tensor<4xi1>
