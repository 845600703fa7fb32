// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on readers as their records show them: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

// CHECK: state.object @r {key = "r", kind = "reader"}
state.object @r {key = "r", kind = "reader"}

// CHECK: state.reader_handle  {compression = "", footer_bytes = 0 : i64, form = "lines", header_bytes = 0 : i64, hop_bytes = 0 : i64, name = "r", object = @r, record_bytes = 0 : i64, skipped_lines = 1 : i64} : () -> (!state.object<"reader">, !flow.token)
%q0:2 = state.reader_handle  {compression = "", footer_bytes = 0 : i64, form = "lines", header_bytes = 0 : i64, hop_bytes = 0 : i64, name = "r", object = @r, record_bytes = 0 : i64, skipped_lines = 1 : i64} : () -> (!state.object<"reader">, !flow.token)

%w1:3 = "test.value"() : () -> (!state.object<"reader">, !state.object<"queue">, tensor<i64>)
// CHECK: state.reader_await %{{.*}}, %{{.*}}, %{{.*}} : (!state.object<"reader">, !state.object<"queue">, tensor<i64>) -> !flow.token
%q1 = state.reader_await %w1#0, %w1#1, %w1#2 : (!state.object<"reader">, !state.object<"queue">, tensor<i64>) -> !flow.token

%w2:2 = "test.value"() : () -> (!state.object<"reader">, tensor<i64>)
// CHECK: state.reader_read %{{.*}}, %{{.*}} : (!state.object<"reader">, tensor<i64>) -> (tensor<i1>, tensor<?x!nd.string>, tensor<?x!nd.string>, !flow.token)
%q2:4 = state.reader_read %w2#0, %w2#1 : (!state.object<"reader">, tensor<i64>) -> (tensor<i1>, tensor<?x!nd.string>, tensor<?x!nd.string>, !flow.token)

%w3 = "test.value"() : () -> !state.object<"reader">
// CHECK: state.reader_count %{{.*}} {what = "files"} : (!state.object<"reader">) -> (tensor<i64>, !flow.token)
%q3:2 = state.reader_count %w3 {what = "files"} : (!state.object<"reader">) -> (tensor<i64>, !flow.token)

%w4 = "test.value"() : () -> !state.object<"reader">
// CHECK: state.reader_save %{{.*}} : (!state.object<"reader">) -> (tensor<!nd.string>, !flow.token)
%q4:2 = state.reader_save %w4 : (!state.object<"reader">) -> (tensor<!nd.string>, !flow.token)

%w5:2 = "test.value"() : () -> (!state.object<"reader">, tensor<!nd.string>)
// CHECK: state.reader_restore %{{.*}}, %{{.*}} : (!state.object<"reader">, tensor<!nd.string>) -> !flow.token
%q5 = state.reader_restore %w5#0, %w5#1 : (!state.object<"reader">, tensor<!nd.string>) -> !flow.token

%w6 = "test.value"() : () -> !state.object<"reader">
// CHECK: state.reader_reset %{{.*}} : (!state.object<"reader">) -> !flow.token
%q6 = state.reader_reset %w6 : (!state.object<"reader">) -> !flow.token
