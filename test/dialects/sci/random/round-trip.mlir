// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every sci random op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0 = "test.value"() : () -> tensor<2xi64>
// CHECK: sci.random_key %{{.*}} : (tensor<2xi64>) -> (tensor<1xui64>, tensor<2xui64>)
%r0:2 = sci.random_key %v0 : (tensor<2xi64>) -> (tensor<1xui64>, tensor<2xui64>)

%v1:3 = "test.value"() : () -> (tensor<1xui64>, tensor<2xui64>, tensor<i32>)
// CHECK: sci.random_stream %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1xui64>, tensor<2xui64>, tensor<i32>) -> tensor<3xi64>
%r1 = sci.random_stream %v1#0, %v1#1, %v1#2 : (tensor<1xui64>, tensor<2xui64>, tensor<i32>) -> tensor<3xi64>

%v2:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xi32>)
// CHECK: sci.random_normal %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xf32>
%r2 = sci.random_normal %v2#0, %v2#1 : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xf32>

%v3:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xi32>)
// CHECK: sci.random_truncated_normal %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xf32>
%r3 = sci.random_truncated_normal %v3#0, %v3#1 : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xf32>

%v4:2 = "test.value"() : () -> (tensor<3xi64>, tensor<1xi32>)
// CHECK: sci.random_bits %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xui64>
%r4 = sci.random_bits %v4#0, %v4#1 : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xui64>

%v5:4 = "test.value"() : () -> (tensor<3xi64>, tensor<1xi32>, tensor<i32>, tensor<i32>)
// CHECK: sci.random_int %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<1xi32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
%r5 = sci.random_int %v5#0, %v5#1, %v5#2, %v5#3 : (tensor<3xi64>, tensor<1xi32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>

%v6:2 = "test.value"() : () -> (tensor<3xi64>, tensor<5x2xf32>)
// CHECK: sci.random_shuffle %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<5x2xf32>) -> tensor<5x2xf32>
%r6 = sci.random_shuffle %v6#0, %v6#1 : (tensor<3xi64>, tensor<5x2xf32>) -> tensor<5x2xf32>

%v7:3 = "test.value"() : () -> (tensor<3xi64>, tensor<4x9xf32>, tensor<i32>)
// CHECK: sci.random_choices %{{.*}}, %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<4x9xf32>, tensor<i32>) -> tensor<4x?xi64>
%r7 = sci.random_choices %v7#0, %v7#1, %v7#2 : (tensor<3xi64>, tensor<4x9xf32>, tensor<i32>) -> tensor<4x?xi64>

%v8:3 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>)
// CHECK: sci.random_gamma %{{.*}}, %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>) -> tensor<?x4xf32>
%r8 = sci.random_gamma %v8#0, %v8#1, %v8#2 : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>) -> tensor<?x4xf32>

%v9:3 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xf64>)
// CHECK: sci.random_poisson %{{.*}}, %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<2xi32>, tensor<4xf64>) -> tensor<?x4xi32>
%r9 = sci.random_poisson %v9#0, %v9#1, %v9#2 : (tensor<3xi64>, tensor<2xi32>, tensor<4xf64>) -> tensor<?x4xi32>

%v10:4 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>)
// CHECK: sci.random_binomial %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xi32>
%r10 = sci.random_binomial %v10#0, %v10#1, %v10#2, %v10#3 : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xi32>

%v11:3 = "test.value"() : () -> (tensor<i64>, tensor<3xi32>, tensor<i64>)
// CHECK: sci.random_index_shuffle %{{.*}}, %{{.*}}, %{{.*}} {rounds = 4 : i64} : (tensor<i64>, tensor<3xi32>, tensor<i64>) -> tensor<i64>
%r11 = sci.random_index_shuffle %v11#0, %v11#1, %v11#2 {rounds = 4 : i64} : (tensor<i64>, tensor<3xi32>, tensor<i64>) -> tensor<i64>

%v12:2 = "test.value"() : () -> (tensor<3xi64>, tensor<2x1xi64>)
// CHECK: sci.random_candidates %{{.*}}, %{{.*}} {count = 4 : i64, distribution = "uniform", range = 9 : i64, unique = true} : (tensor<3xi64>, tensor<2x1xi64>) -> (tensor<4xi64>, tensor<2x1xf32>, tensor<4xf32>)
%r12:3 = sci.random_candidates %v12#0, %v12#1 {count = 4 : i64, distribution = "uniform", range = 9 : i64, unique = true} : (tensor<3xi64>, tensor<2x1xi64>) -> (tensor<4xi64>, tensor<2x1xf32>, tensor<4xf32>)

%v13:6 = "test.value"() : () -> (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK: sci.random_bounded_normal %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
%r13 = sci.random_bounded_normal %v13#0, %v13#1, %v13#2, %v13#3, %v13#4, %v13#5 : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
