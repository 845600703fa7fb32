// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every nd text op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0:2 = "test.value"() : () -> (tensor<!nd.string>, tensor<2x!nd.string>)
// CHECK: nd.join_texts %{{.*}}, %{{.*}} {separator = "/"} : (tensor<!nd.string>, tensor<2x!nd.string>) -> tensor<2x!nd.string>
%r0 = nd.join_texts %v0#0, %v0#1 {separator = "/"} : (tensor<!nd.string>, tensor<2x!nd.string>) -> tensor<2x!nd.string>

%v1 = "test.value"() : () -> tensor<2xi32>
// CHECK: nd.decimal %{{.*}} {width = 5 : i64} : (tensor<2xi32>) -> tensor<2x!nd.string>
%r1 = nd.decimal %v1 {width = 5 : i64} : (tensor<2xi32>) -> tensor<2x!nd.string>

%v2:3 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<!nd.string>, tensor<!nd.string>)
// CHECK: nd.match_pattern %{{.*}}, %{{.*}} : (tensor<2x!nd.string>, tensor<!nd.string>) -> tensor<2xi1>
%r2 = nd.match_pattern %v2#0, %v2#1 : (tensor<2x!nd.string>, tensor<!nd.string>) -> tensor<2xi1>

// CHECK: nd.replace_pattern %{{.*}}, %{{.*}}, %{{.*}} {every = true} : (tensor<2x!nd.string>, tensor<!nd.string>, tensor<!nd.string>) -> tensor<2x!nd.string>
%r3 = nd.replace_pattern %v2#0, %v2#1, %v2#2 {every = true} : (tensor<2x!nd.string>, tensor<!nd.string>, tensor<!nd.string>) -> tensor<2x!nd.string>

%v10:3 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<i32>, tensor<i32>)
// CHECK: nd.substring %{{.*}}, %{{.*}}, %{{.*}} {unit = "byte"} : (tensor<2x!nd.string>, tensor<i32>, tensor<i32>) -> tensor<2x!nd.string>
%r10 = nd.substring %v10#0, %v10#1, %v10#2 {unit = "byte"} : (tensor<2x!nd.string>, tensor<i32>, tensor<i32>) -> tensor<2x!nd.string>

%v11 = "test.value"() : () -> tensor<2xf32>
// CHECK: nd.as_text %{{.*}} {fill = "0", form = "decimal", precision = 2 : i64, width = 8 : i64} : (tensor<2xf32>) -> tensor<2x!nd.string>
%r11 = nd.as_text %v11 {fill = "0", form = "decimal", precision = 2 : i64, width = 8 : i64} : (tensor<2xf32>) -> tensor<2x!nd.string>

%v12 = "test.value"() : () -> tensor<2x!nd.string>
// CHECK: nd.parse_number %{{.*}} : (tensor<2x!nd.string>) -> tensor<2xf32>
%r12 = nd.parse_number %v12 : (tensor<2x!nd.string>) -> tensor<2xf32>

%v13 = "test.value"() : () -> tensor<2x!nd.string>
// CHECK: nd.hash_bucket %{{.*}} {buckets = 10 : i64, key = array<i64>, method = "fingerprint"} : (tensor<2x!nd.string>) -> tensor<2xi64>
%r13 = nd.hash_bucket %v13 {buckets = 10 : i64, key = array<i64>, method = "fingerprint"} : (tensor<2x!nd.string>) -> tensor<2xi64>

%v14:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<!nd.string>)
// CHECK: nd.split_texts %{{.*}}, %{{.*}} {at = "whole", keep_empty = true, limit = -1 : i64} : (tensor<2x!nd.string>, tensor<!nd.string>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)
%r14:3 = nd.split_texts %v14#0, %v14#1 {at = "whole", keep_empty = true, limit = -1 : i64} : (tensor<2x!nd.string>, tensor<!nd.string>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)

%v15 = "test.value"() : () -> tensor<2x!nd.string>
// CHECK: nd.edit_texts %{{.*}} {how = "strip"} : (tensor<2x!nd.string>) -> tensor<2x!nd.string>
%r15 = nd.edit_texts %v15 {how = "strip"} : (tensor<2x!nd.string>) -> tensor<2x!nd.string>

%v16 = "test.value"() : () -> tensor<2x!nd.string>
// CHECK: nd.text_length %{{.*}} {unit = "byte"} : (tensor<2x!nd.string>) -> tensor<2xi32>
%r16 = nd.text_length %v16 {unit = "byte"} : (tensor<2x!nd.string>) -> tensor<2xi32>

%v17 = "test.value"() : () -> tensor<2xf32>
// CHECK: nd.format_text %{{.*}} {pattern = "x = {}", placeholder = "{}", summarize = 3 : i64} : (tensor<2xf32>) -> tensor<!nd.string>
%r17 = nd.format_text %v17 {pattern = "x = {}", placeholder = "{}", summarize = 3 : i64} : (tensor<2xf32>) -> tensor<!nd.string>

%v18:2 = "test.value"() : () -> (tensor<2x3x!nd.string>, tensor<1xi32>)
// CHECK: nd.reduce_join %{{.*}}, %{{.*}} {keep_dims = false, separator = ","} : (tensor<2x3x!nd.string>, tensor<1xi32>) -> tensor<?x!nd.string>
%r18 = nd.reduce_join %v18#0, %v18#1 {keep_dims = false, separator = ","} : (tensor<2x3x!nd.string>, tensor<1xi32>) -> tensor<?x!nd.string>

%v17g:2 = "test.value"() : () -> (tensor<4x!nd.string>, tensor<3xi64>)
// CHECK: nd.ngrams %{{.*}}, %{{.*}} {keep_short = false, left_pad = "", padding = 0 : i64, right_pad = "", separator = " ", widths = array<i64: 2>} : (tensor<4x!nd.string>, tensor<3xi64>) -> (tensor<?x!nd.string>, tensor<3xi64>)
%r17g:2 = nd.ngrams %v17g#0, %v17g#1 {keep_short = false, left_pad = "", padding = 0 : i64, right_pad = "", separator = " ", widths = array<i64: 2>} : (tensor<4x!nd.string>, tensor<3xi64>) -> (tensor<?x!nd.string>, tensor<3xi64>)
