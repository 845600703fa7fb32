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
