// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op on maps as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0 = "test.value"() : () -> tensor<i32>
// CHECK: list.map_make {{.*}} : (tensor<i32>) -> !list.of<!list.any>
%r0 = list.map_make %v0 : (tensor<i32>) -> !list.of<!list.any>

%v1:3 = "test.value"() : () -> (!list.of<!list.any>, tensor<i32>, tensor<4xf32>)
// CHECK: list.map_insert {{.*}} : (!list.of<!list.any>, tensor<i32>, tensor<4xf32>) -> !list.of<!list.any>
%r1 = list.map_insert %v1#0, %v1#1, %v1#2 : (!list.of<!list.any>, tensor<i32>, tensor<4xf32>) -> !list.of<!list.any>

%v2:2 = "test.value"() : () -> (!list.of<!list.any>, tensor<i32>)
// CHECK: list.map_lookup {{.*}} : (!list.of<!list.any>, tensor<i32>) -> tensor<*xf32>
%r2 = list.map_lookup %v2#0, %v2#1 : (!list.of<!list.any>, tensor<i32>) -> tensor<*xf32>

%v3:3 = "test.value"() : () -> (!list.of<!list.any>, tensor<i32>, tensor<4xf32>)
// CHECK: list.map_lookup_or {{.*}} : (!list.of<!list.any>, tensor<i32>, tensor<4xf32>) -> tensor<*xf32>
%r3 = list.map_lookup_or %v3#0, %v3#1, %v3#2 : (!list.of<!list.any>, tensor<i32>, tensor<4xf32>) -> tensor<*xf32>

%v4:2 = "test.value"() : () -> (!list.of<!list.any>, tensor<i32>)
// CHECK: list.map_erase {{.*}} {required = true} : (!list.of<!list.any>, tensor<i32>) -> !list.of<!list.any>
%r4 = list.map_erase %v4#0, %v4#1 {required = true} : (!list.of<!list.any>, tensor<i32>) -> !list.of<!list.any>

%v5:2 = "test.value"() : () -> (!list.of<!list.any>, tensor<i32>)
// CHECK: list.map_has_key {{.*}} : (!list.of<!list.any>, tensor<i32>) -> tensor<i1>
%r5 = list.map_has_key %v5#0, %v5#1 : (!list.of<!list.any>, tensor<i32>) -> tensor<i1>

%v6 = "test.value"() : () -> !list.of<!list.any>
// CHECK: list.map_size {{.*}} : (!list.of<!list.any>) -> tensor<i32>
%r6 = list.map_size %v6 : (!list.of<!list.any>) -> tensor<i32>

%v7 = "test.value"() : () -> !list.of<!list.any>
// CHECK: list.map_keys {{.*}} : (!list.of<!list.any>) -> tensor<*xi32>
%r7 = list.map_keys %v7 : (!list.of<!list.any>) -> tensor<*xi32>
