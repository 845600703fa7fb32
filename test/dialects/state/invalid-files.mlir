// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the state ops on files, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// state.read_file C1
%v = "test.value"() : () -> tensor<i32>
// expected-error@below {{operand #0 must be tensor of strings}}
%x, %t = state.read_file %v : (tensor<i32>) -> (tensor<!nd.string>, !flow.token)

// -----
// state.write_file C1
%v:2 = "test.value"() : () -> (tensor<!nd.string>, tensor<i32>)
// expected-error@below {{operand #1 must be tensor of strings}}
%t = state.write_file %v#0, %v#1 : (tensor<!nd.string>, tensor<i32>) -> !flow.token

// -----
// state.matching_files C1
%v = "test.value"() : () -> tensor<!nd.string>
// expected-error@below {{result #0 must be tensor of strings}}
%x, %t = state.matching_files %v : (tensor<!nd.string>) -> (tensor<?xi32>, !flow.token)
