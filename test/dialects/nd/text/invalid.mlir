// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the nd text ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// nd.join_texts C1
%v:2 = "test.value"() : () -> (tensor<!nd.string>, tensor<2xi32>)
// expected-error@below {{operand #1 must be variadic of tensor of strings}}
%r = nd.join_texts %v#0, %v#1 {separator = "/"} : (tensor<!nd.string>, tensor<2xi32>) -> tensor<2x!nd.string>

// -----
// nd.join_texts C2
// expected-error@below {{expected an operand but got none}}
%r = nd.join_texts {separator = "/"} : () -> tensor<!nd.string>

// -----
// nd.decimal C1
%v = "test.value"() : () -> tensor<2xf32>
// expected-error@below {{operand #0 must be tensor of integers}}
%r = nd.decimal %v {width = 5 : i64} : (tensor<2xf32>) -> tensor<2x!nd.string>

// -----
// nd.decimal C2
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{result #0 must be tensor of strings}}
%r = nd.decimal %v {width = 5 : i64} : (tensor<2xi32>) -> tensor<2xi32>

// -----
// nd.decimal C3
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{expected a width from 0 to 1000 but got -1}}
%r = nd.decimal %v {width = -1 : i64} : (tensor<2xi32>) -> tensor<2x!nd.string>

// -----
// nd.match_pattern C1
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<i32>)
// expected-error@below {{operand #1 must be tensor of strings}}
%r = nd.match_pattern %v#0, %v#1 : (tensor<2x!nd.string>, tensor<i32>) -> tensor<2xi1>

// -----
// nd.match_pattern C2
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<!nd.string>)
// expected-error@below {{result #0 must be tensor of i1}}
%r = nd.match_pattern %v#0, %v#1 : (tensor<2x!nd.string>, tensor<!nd.string>) -> tensor<2xi32>

// -----
// nd.replace_pattern C1
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<i32>)
// expected-error@below {{operand #2 must be tensor of strings}}
%r = nd.replace_pattern %v#0, %v#0, %v#1 {every = true} : (tensor<2x!nd.string>, tensor<2x!nd.string>, tensor<i32>) -> tensor<2x!nd.string>
