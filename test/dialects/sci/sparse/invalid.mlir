// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the sci ops of sparse tensors, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// sci.row_order C1
%v = "test.value"() : () -> tensor<4x2xf32>
// expected-error@below {{operand #0 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = sci.row_order %v : (tensor<4x2xf32>) -> tensor<4xi64>

// -----
// sci.row_order C2
%v = "test.value"() : () -> tensor<4x2xi64>
// expected-error@below {{result #0 must be tensor of i64}}
%r = sci.row_order %v : (tensor<4x2xi64>) -> tensor<4xi32>

// -----
// sci.set_operation C1
%v:6 = "test.value"() : () -> (tensor<3x2xi32>, tensor<3xi32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi32>, tensor<2xi64>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r:3 = sci.set_operation %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {checked = true, how = "union"} : (tensor<3x2xi32>, tensor<3xi32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi32>, tensor<2xi64>) -> (tensor<?x2xi64>, tensor<?xi32>, tensor<2xi64>)

// -----
// sci.set_operation C2
%v:6 = "test.value"() : () -> (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi16>, tensor<2xi64>)
// expected-error@below {{failed to verify that all of {firstValues, secondValues, values} have same element type}}
%r:3 = sci.set_operation %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {checked = true, how = "union"} : (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi16>, tensor<2xi64>) -> (tensor<?x2xi64>, tensor<?xi32>, tensor<2xi64>)

// -----
// sci.set_operation C3
%v:6 = "test.value"() : () -> (tensor<3x2xi64>, tensor<3xf32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi32>, tensor<2xi64>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16) or strings}}
%r:3 = sci.set_operation %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {checked = true, how = "union"} : (tensor<3x2xi64>, tensor<3xf32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi32>, tensor<2xi64>) -> (tensor<?x2xi64>, tensor<?xi32>, tensor<2xi64>)

// -----
// sci.set_operation C4
%v:6 = "test.value"() : () -> (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi32>, tensor<2xi64>)
// expected-error@below {{but got 'sum'}}
%r:3 = sci.set_operation %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {checked = true, how = "sum"} : (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi32>, tensor<2xi64>) -> (tensor<?x2xi64>, tensor<?xi32>, tensor<2xi64>)

// -----
// sci.set_size C1
%v:3 = "test.value"() : () -> (tensor<3x2xi32>, tensor<3xi32>, tensor<2xi64>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = sci.set_size %v#0, %v#1, %v#2 {checked = true} : (tensor<3x2xi32>, tensor<3xi32>, tensor<2xi64>) -> tensor<?xi32>

// -----
// sci.set_size C2
%v:3 = "test.value"() : () -> (tensor<3x2xi64>, tensor<3xf32>, tensor<2xi64>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16) or strings}}
%r = sci.set_size %v#0, %v#1, %v#2 {checked = true} : (tensor<3x2xi64>, tensor<3xf32>, tensor<2xi64>) -> tensor<?xi32>

// -----
// sci.set_size C3
%v:3 = "test.value"() : () -> (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>)
// expected-error@below {{result #0 must be tensor of i32}}
%r = sci.set_size %v#0, %v#1, %v#2 {checked = true} : (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>) -> tensor<?xi64>

// -----
// sci.sparse_cross C1
%v:6 = "test.value"() : () -> (tensor<i64>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>)
// expected-error@below {{operand #0 must be tensor of strings}}
%r:3 = sci.sparse_cross %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {how = "join", sparse = 1 : i64} : (tensor<i64>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)

// -----
// sci.sparse_cross C2
%v:6 = "test.value"() : () -> (tensor<!nd.string>, tensor<3xi32>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r:3 = sci.sparse_cross %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {how = "join", sparse = 1 : i64} : (tensor<!nd.string>, tensor<3xi32>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)

// -----
// sci.sparse_cross C3
%v:6 = "test.value"() : () -> (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xf32>)
// expected-error@below {{operand #5 must be variadic of tensor of i64 or strings}}
%r:3 = sci.sparse_cross %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {how = "join", sparse = 1 : i64} : (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xf32>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)

// -----
// sci.sparse_cross C4
%v:6 = "test.value"() : () -> (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>)
// expected-error@below {{expected 'join', 'seeded', 'plain' or 'keyed' but got 'sum'}}
%r:3 = sci.sparse_cross %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {how = "sum", sparse = 1 : i64} : (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)

// -----
// sci.sparse_cross C5
%v:6 = "test.value"() : () -> (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>)
// expected-error@below {{expected columns, of which 2 are sparse with 3 operands each, but got 4 operands}}
%r:3 = sci.sparse_cross %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {how = "join", sparse = 2 : i64} : (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)

// -----
// sci.sparse_cross C6
%v:6 = "test.value"() : () -> (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>)
// expected-error@below {{expected strings as values for 'join'}}
%r:3 = sci.sparse_cross %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {how = "join", sparse = 1 : i64} : (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>) -> (tensor<?x2xi64>, tensor<?xi64>, tensor<2xi64>)

// -----
// sci.sparse_cross C7
%v:6 = "test.value"() : () -> (tensor<!nd.string>, tensor<3xi64>, tensor<3x2x!nd.string>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>)
// expected-error@below {{expected i64 as indices and dims of sparse columns but got}}
%r:3 = sci.sparse_cross %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {how = "join", sparse = 1 : i64} : (tensor<!nd.string>, tensor<3xi64>, tensor<3x2x!nd.string>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)
