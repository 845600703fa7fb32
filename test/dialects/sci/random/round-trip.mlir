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
