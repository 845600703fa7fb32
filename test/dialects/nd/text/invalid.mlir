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

// -----
// nd.substring C1
%v:3 = "test.value"() : () -> (tensor<2xi32>, tensor<i32>, tensor<i32>)
// expected-error@below {{operand #0 must be tensor of strings}}
%r = nd.substring %v#0, %v#1, %v#2 {unit = "byte"} : (tensor<2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x!nd.string>

// -----
// nd.substring C2
%v:3 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<i32>, tensor<i64>)
// expected-error@below {{failed to verify that all of {positions, lengths} have same element type}}
%r = nd.substring %v#0, %v#1, %v#2 {unit = "byte"} : (tensor<2x!nd.string>, tensor<i32>, tensor<i64>) -> tensor<2x!nd.string>

// -----
// nd.substring C3
%v:3 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<i32>, tensor<i32>)
// expected-error@below {{expected 'byte' or 'character' but got 'word'}}
%r = nd.substring %v#0, %v#1, %v#2 {unit = "word"} : (tensor<2x!nd.string>, tensor<i32>, tensor<i32>) -> tensor<2x!nd.string>

// -----
// nd.as_text C1
%v = "test.value"() : () -> tensor<2xindex>
// expected-error@below {{operand #0 must be tensor of numbers, i1 or strings}}
%r = nd.as_text %v {fill = "", form = "decimal", precision = -1 : i64, width = -1 : i64} : (tensor<2xindex>) -> tensor<2x!nd.string>

// -----
// nd.as_text C2
%v = "test.value"() : () -> tensor<2xf32>
// expected-error@below {{result #0 must be tensor of strings}}
%r = nd.as_text %v {fill = "", form = "decimal", precision = -1 : i64, width = -1 : i64} : (tensor<2xf32>) -> tensor<2xf32>

// -----
// nd.as_text C3
%v = "test.value"() : () -> tensor<2xf32>
// expected-error@below {{expected 'decimal' or 'scientific' or 'shortest' but got 'long'}}
%r = nd.as_text %v {fill = "", form = "long", precision = -1 : i64, width = -1 : i64} : (tensor<2xf32>) -> tensor<2x!nd.string>

// -----
// nd.as_text C3
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{expected the form 'decimal' for integers but got 'shortest'}}
%r = nd.as_text %v {fill = "", form = "shortest", precision = -1 : i64, width = -1 : i64} : (tensor<2xi32>) -> tensor<2x!nd.string>

// -----
// nd.as_text C4
%v = "test.value"() : () -> tensor<2xf32>
// expected-error@below {{expected a width from -1 to 1000 but got 1001}}
%r = nd.as_text %v {fill = "", form = "decimal", precision = -1 : i64, width = 1001 : i64} : (tensor<2xf32>) -> tensor<2x!nd.string>

// -----
// nd.as_text C4
%v = "test.value"() : () -> tensor<2xf32>
// expected-error@below {{expected a precision from -1 to 1000 but got -2}}
%r = nd.as_text %v {fill = "", form = "decimal", precision = -2 : i64, width = -1 : i64} : (tensor<2xf32>) -> tensor<2x!nd.string>

// -----
// nd.as_text C4
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{expected no precision for integers but got 2}}
%r = nd.as_text %v {fill = "", form = "decimal", precision = 2 : i64, width = -1 : i64} : (tensor<2xi32>) -> tensor<2x!nd.string>

// -----
// nd.as_text C5
%v = "test.value"() : () -> tensor<2xf32>
// expected-error@below {{to fill but got 'x'}}
%r = nd.as_text %v {fill = "x", form = "decimal", precision = -1 : i64, width = -1 : i64} : (tensor<2xf32>) -> tensor<2x!nd.string>

// -----
// nd.parse_number C1
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{operand #0 must be tensor of strings}}
%r = nd.parse_number %v : (tensor<2xi32>) -> tensor<2xf32>

// -----
// nd.parse_number C2
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{result #0 must be tensor of f32, f64, i32, i64, ui32 or ui64}}
%r = nd.parse_number %v : (tensor<2x!nd.string>) -> tensor<2xf16>

// -----
// nd.hash_bucket C1
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{operand #0 must be tensor of strings}}
%r = nd.hash_bucket %v {buckets = 10 : i64, key = array<i64>, method = "fingerprint"} : (tensor<2xi32>) -> tensor<2xi64>

// -----
// nd.hash_bucket C2
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{result #0 must be tensor of i64}}
%r = nd.hash_bucket %v {buckets = 10 : i64, key = array<i64>, method = "fingerprint"} : (tensor<2x!nd.string>) -> tensor<2xi32>

// -----
// nd.hash_bucket C3
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{expected at least 1 bucket but got 0}}
%r = nd.hash_bucket %v {buckets = 0 : i64, key = array<i64>, method = "fingerprint"} : (tensor<2x!nd.string>) -> tensor<2xi64>

// -----
// nd.hash_bucket C4
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{expected 'fingerprint' or 'murmur' or 'keyed' but got 'sum'}}
%r = nd.hash_bucket %v {buckets = 10 : i64, key = array<i64>, method = "sum"} : (tensor<2x!nd.string>) -> tensor<2xi64>

// -----
// nd.hash_bucket C5
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{expected 2 numbers as key but got 0}}
%r = nd.hash_bucket %v {buckets = 10 : i64, key = array<i64>, method = "keyed"} : (tensor<2x!nd.string>) -> tensor<2xi64>

// -----
// nd.split_texts C1
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<i32>)
// expected-error@below {{operand #1 must be tensor of strings}}
%r:3 = nd.split_texts %v#0, %v#1 {at = "whole", keep_empty = true, limit = -1 : i64} : (tensor<2x!nd.string>, tensor<i32>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)

// -----
// nd.split_texts C2
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<!nd.string>)
// expected-error@below {{result #0 must be tensor of i64}}
%r:3 = nd.split_texts %v#0, %v#1 {at = "whole", keep_empty = true, limit = -1 : i64} : (tensor<2x!nd.string>, tensor<!nd.string>) -> (tensor<?x2xi32>, tensor<?x!nd.string>, tensor<2xi64>)

// -----
// nd.split_texts C3
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<!nd.string>)
// expected-error@below {{expected 'whole' or 'bytes' but got 'lines'}}
%r:3 = nd.split_texts %v#0, %v#1 {at = "lines", keep_empty = true, limit = -1 : i64} : (tensor<2x!nd.string>, tensor<!nd.string>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)

// -----
// nd.split_texts C4
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<!nd.string>)
// expected-error@below {{expected the limit -1 for separators of bytes but got 2}}
%r:3 = nd.split_texts %v#0, %v#1 {at = "bytes", keep_empty = true, limit = 2 : i64} : (tensor<2x!nd.string>, tensor<!nd.string>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)

// -----
// nd.edit_texts C1
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{operand #0 must be tensor of strings}}
%r = nd.edit_texts %v {how = "strip"} : (tensor<2xi32>) -> tensor<2x!nd.string>

// -----
// nd.edit_texts C2
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{or 'decode_base64' but got 'turn'}}
%r = nd.edit_texts %v {how = "turn"} : (tensor<2x!nd.string>) -> tensor<2x!nd.string>

// -----
// nd.text_length C1
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{operand #0 must be tensor of strings}}
%r = nd.text_length %v {unit = "byte"} : (tensor<2xi32>) -> tensor<2xi32>

// -----
// nd.text_length C2
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{result #0 must be tensor of i32}}
%r = nd.text_length %v {unit = "byte"} : (tensor<2x!nd.string>) -> tensor<2xi64>

// -----
// nd.text_length C3
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{expected 'byte' or 'character' but got 'word'}}
%r = nd.text_length %v {unit = "word"} : (tensor<2x!nd.string>) -> tensor<2xi32>

// -----
// nd.format_text C1
%v = "test.value"() : () -> tensor<2xf32>
// expected-error@below {{result #0 must be tensor of strings}}
%r = nd.format_text %v {pattern = "{}", placeholder = "{}", summarize = 3 : i64} : (tensor<2xf32>) -> tensor<f32>

// -----
// nd.format_text C2
%v = "test.value"() : () -> tensor<2xf32>
// expected-error@below {{expected a placeholder but got ''}}
%r = nd.format_text %v {pattern = "{}", placeholder = "", summarize = 3 : i64} : (tensor<2xf32>) -> tensor<!nd.string>

// -----
// nd.format_text C2
%v = "test.value"() : () -> tensor<2xf32>
// expected-error@below {{expected as many placeholders as data (1) but got 2}}
%r = nd.format_text %v {pattern = "{} and {}", placeholder = "{}", summarize = 3 : i64} : (tensor<2xf32>) -> tensor<!nd.string>

// -----
// nd.reduce_join C1
%v:2 = "test.value"() : () -> (tensor<2xi32>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of strings}}
%r = nd.reduce_join %v#0, %v#1 {keep_dims = false, separator = ","} : (tensor<2xi32>, tensor<1xi32>) -> tensor<!nd.string>

// -----
// nd.reduce_join C2
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1xi64>)
// expected-error@below {{operand #1 must be tensor of i32}}
%r = nd.reduce_join %v#0, %v#1 {keep_dims = false, separator = ","} : (tensor<2x!nd.string>, tensor<1xi64>) -> tensor<!nd.string>

// -----
// nd.ngrams C1
%v:2 = "test.value"() : () -> (tensor<4xi32>, tensor<3xi64>)
// expected-error@below {{operand #0 must be tensor of strings}}
%r:2 = nd.ngrams %v#0, %v#1 {keep_short = false, left_pad = "", padding = 0 : i64, right_pad = "", separator = " ", widths = array<i64: 2>} : (tensor<4xi32>, tensor<3xi64>) -> (tensor<?x!nd.string>, tensor<3xi64>)

// -----
// nd.ngrams C2
%v:2 = "test.value"() : () -> (tensor<4x!nd.string>, tensor<3xi16>)
// expected-error@below {{operand #1 must be tensor of i32 or i64}}
%r:2 = nd.ngrams %v#0, %v#1 {keep_short = false, left_pad = "", padding = 0 : i64, right_pad = "", separator = " ", widths = array<i64: 2>} : (tensor<4x!nd.string>, tensor<3xi16>) -> (tensor<?x!nd.string>, tensor<3xi16>)

// -----
// nd.ngrams C3
%v:2 = "test.value"() : () -> (tensor<4x!nd.string>, tensor<3xi64>)
// expected-error@below {{failed to verify that all of {splits, ends} have same element type}}
%r:2 = nd.ngrams %v#0, %v#1 {keep_short = false, left_pad = "", padding = 0 : i64, right_pad = "", separator = " ", widths = array<i64: 2>} : (tensor<4x!nd.string>, tensor<3xi64>) -> (tensor<?x!nd.string>, tensor<3xi32>)

// -----
// nd.ngrams C4
%v:2 = "test.value"() : () -> (tensor<4x!nd.string>, tensor<3xi64>)
// expected-error@below {{expected widths of at least 1 but got 0}}
%r:2 = nd.ngrams %v#0, %v#1 {keep_short = false, left_pad = "", padding = 0 : i64, right_pad = "", separator = " ", widths = array<i64: 2, 0>} : (tensor<4x!nd.string>, tensor<3xi64>) -> (tensor<?x!nd.string>, tensor<3xi64>)

// -----
// nd.ngrams C5
%v:2 = "test.value"() : () -> (tensor<4x!nd.string>, tensor<3xi64>)
// expected-error@below {{expected a padding of at least -1 but got -2}}
%r:2 = nd.ngrams %v#0, %v#1 {keep_short = false, left_pad = "", padding = -2 : i64, right_pad = "", separator = " ", widths = array<i64: 2>} : (tensor<4x!nd.string>, tensor<3xi64>) -> (tensor<?x!nd.string>, tensor<3xi64>)
