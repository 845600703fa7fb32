// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every sci op of sparse tensors as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0 = "test.value"() : () -> tensor<4x2xi64>
// CHECK: sci.row_order %{{.*}} : (tensor<4x2xi64>) -> tensor<4xi64>
%r0 = sci.row_order %v0 : (tensor<4x2xi64>) -> tensor<4xi64>

%v1:6 = "test.value"() : () -> (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi32>, tensor<2xi64>)
// CHECK: sci.set_operation %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {checked = true, how = "union"} : (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi32>, tensor<2xi64>) -> (tensor<?x2xi64>, tensor<?xi32>, tensor<2xi64>)
%r1:3 = sci.set_operation %v1#0, %v1#1, %v1#2, %v1#3, %v1#4, %v1#5 {how = "union", checked = true} : (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi32>, tensor<2xi64>) -> (tensor<?x2xi64>, tensor<?xi32>, tensor<2xi64>)

%v2:3 = "test.value"() : () -> (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>)
// CHECK: sci.set_size %{{.*}}, %{{.*}}, %{{.*}} {checked = true} : (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>) -> tensor<?xi32>
%r2 = sci.set_size %v2#0, %v2#1, %v2#2 {checked = true} : (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>) -> tensor<?xi32>

%vcross:6 = "test.value"() : () -> (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>)
// CHECK: sci.sparse_cross %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {how = "join", sparse = 1 : i64} : (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)
%rcross:3 = sci.sparse_cross %vcross#0, %vcross#1, %vcross#2, %vcross#3, %vcross#4, %vcross#5 {how = "join", sparse = 1 : i64} : (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)
