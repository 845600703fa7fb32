// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ops on readers must be, one negative test for each constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// state.reader_handle C1
// expected-error@below {{expected the name of a state.object of kind "reader" but got @r}}
%r:2 = state.reader_handle {compression = "", footer_bytes = 0 : i64, form = "lines", header_bytes = 0 : i64, hop_bytes = 0 : i64, name = "r", object = @r, record_bytes = 0 : i64, skipped_lines = 1 : i64} : () -> (!state.object<"reader">, !flow.token)

// -----
// state.reader_handle C1
// expected-note@below {{this one is a queue}}
state.object @r {key = "r", kind = "queue"}
// expected-error@below {{expected the name of a state.object of kind "reader" but got @r}}
%r:2 = state.reader_handle {compression = "", footer_bytes = 0 : i64, form = "lines", header_bytes = 0 : i64, hop_bytes = 0 : i64, name = "r", object = @r, record_bytes = 0 : i64, skipped_lines = 1 : i64} : () -> (!state.object<"reader">, !flow.token)

// -----
// state.reader_handle C2
state.object @r {key = "r", kind = "reader"}
// expected-error@below {{expected form "names", "whole", "lines", "fixed" or "records" but got "words"}}
%r:2 = state.reader_handle {compression = "", footer_bytes = 0 : i64, form = "words", header_bytes = 0 : i64, hop_bytes = 0 : i64, name = "r", object = @r, record_bytes = 0 : i64, skipped_lines = 1 : i64} : () -> (!state.object<"reader">, !flow.token)

// -----
// state.reader_handle C3
state.object @r {key = "r", kind = "reader"}
// expected-error@below {{expected compression "", "ZLIB" or "GZIP" but got "BZIP"}}
%r:2 = state.reader_handle {compression = "BZIP", footer_bytes = 0 : i64, form = "lines", header_bytes = 0 : i64, hop_bytes = 0 : i64, name = "r", object = @r, record_bytes = 0 : i64, skipped_lines = 1 : i64} : () -> (!state.object<"reader">, !flow.token)

// -----
// state.reader_await C1
%v:3 = "test.value"() : () -> (tensor<i64>, !state.object<"queue">, tensor<i64>)
// expected-error@below {{operand #0 must be reader handle}}
%r = state.reader_await %v#0, %v#1, %v#2 : (tensor<i64>, !state.object<"queue">, tensor<i64>) -> !flow.token

// -----
// state.reader_await C2
%v:3 = "test.value"() : () -> (!state.object<"reader">, tensor<i64>, tensor<i64>)
// expected-error@below {{operand #1 must be queue handle}}
%r = state.reader_await %v#0, %v#1, %v#2 : (!state.object<"reader">, tensor<i64>, tensor<i64>) -> !flow.token

// -----
// state.reader_await C3
%v:3 = "test.value"() : () -> (!state.object<"reader">, !state.object<"queue">, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of i64}}
%r = state.reader_await %v#0, %v#1, %v#2 : (!state.object<"reader">, !state.object<"queue">, tensor<f32>) -> !flow.token

// -----
// state.reader_read C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<i64>)
// expected-error@below {{operand #0 must be reader handle}}
%r:4 = state.reader_read %v#0, %v#1 : (tensor<i64>, tensor<i64>) -> (tensor<i1>, tensor<?x!nd.string>, tensor<?x!nd.string>, !flow.token)

// -----
// state.reader_read C2
%v:2 = "test.value"() : () -> (!state.object<"reader">, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r:4 = state.reader_read %v#0, %v#1 : (!state.object<"reader">, tensor<f32>) -> (tensor<i1>, tensor<?x!nd.string>, tensor<?x!nd.string>, !flow.token)

// -----
// state.reader_read C3
%v:2 = "test.value"() : () -> (!state.object<"reader">, tensor<i64>)
// expected-error@below {{result #0 must be tensor of i1}}
%r:4 = state.reader_read %v#0, %v#1 : (!state.object<"reader">, tensor<i64>) -> (tensor<f32>, tensor<?x!nd.string>, tensor<?x!nd.string>, !flow.token)

// -----
// state.reader_read C4
%v:2 = "test.value"() : () -> (!state.object<"reader">, tensor<i64>)
// expected-error@below {{result #1 must be tensor of strings}}
%r:4 = state.reader_read %v#0, %v#1 : (!state.object<"reader">, tensor<i64>) -> (tensor<i1>, tensor<f32>, tensor<?x!nd.string>, !flow.token)

// -----
// state.reader_read C4
%v:2 = "test.value"() : () -> (!state.object<"reader">, tensor<i64>)
// expected-error@below {{result #2 must be tensor of strings}}
%r:4 = state.reader_read %v#0, %v#1 : (!state.object<"reader">, tensor<i64>) -> (tensor<i1>, tensor<?x!nd.string>, tensor<f32>, !flow.token)

// -----
// state.reader_count C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be reader handle}}
%r:2 = state.reader_count %v {what = "files"} : (tensor<i64>) -> (tensor<i64>, !flow.token)

// -----
// state.reader_count C2
%v = "test.value"() : () -> !state.object<"reader">
// expected-error@below {{expected what "records" or "files" but got "bytes"}}
%r:2 = state.reader_count %v {what = "bytes"} : (!state.object<"reader">) -> (tensor<i64>, !flow.token)

// -----
// state.reader_count C3
%v = "test.value"() : () -> !state.object<"reader">
// expected-error@below {{result #0 must be tensor of i64}}
%r:2 = state.reader_count %v {what = "files"} : (!state.object<"reader">) -> (tensor<f32>, !flow.token)

// -----
// state.reader_save C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be reader handle}}
%r:2 = state.reader_save %v : (tensor<i64>) -> (tensor<!nd.string>, !flow.token)

// -----
// state.reader_save C2
%v = "test.value"() : () -> !state.object<"reader">
// expected-error@below {{result #0 must be tensor of strings}}
%r:2 = state.reader_save %v : (!state.object<"reader">) -> (tensor<f32>, !flow.token)

// -----
// state.reader_restore C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<!nd.string>)
// expected-error@below {{operand #0 must be reader handle}}
%r = state.reader_restore %v#0, %v#1 : (tensor<i64>, tensor<!nd.string>) -> !flow.token

// -----
// state.reader_restore C2
%v:2 = "test.value"() : () -> (!state.object<"reader">, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of strings}}
%r = state.reader_restore %v#0, %v#1 : (!state.object<"reader">, tensor<f32>) -> !flow.token

// -----
// state.reader_reset C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be reader handle}}
%r = state.reader_reset %v : (tensor<i64>) -> !flow.token
