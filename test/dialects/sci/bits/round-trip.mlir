// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every sci bits op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi32>)
// CHECK: sci.bit_and %{{.*}}, %{{.*}} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
%r0 = sci.bit_and %v0#0, %v0#1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>

%v1:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi32>)
// CHECK: sci.bit_or %{{.*}}, %{{.*}} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
%r1 = sci.bit_or %v1#0, %v1#1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>

%v2:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi32>)
// CHECK: sci.bit_xor %{{.*}}, %{{.*}} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
%r2 = sci.bit_xor %v2#0, %v2#1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>

%v3:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi32>)
// CHECK: sci.shift_left %{{.*}}, %{{.*}} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
%r3 = sci.shift_left %v3#0, %v3#1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>

%v4:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi32>)
// CHECK: sci.shift_right %{{.*}}, %{{.*}} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
%r4 = sci.shift_right %v4#0, %v4#1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>

%v5 = "test.value"() : () -> tensor<4xi32>
// CHECK: sci.population_count %{{.*}} : (tensor<4xi32>) -> tensor<4xui8>
%r5 = sci.population_count %v5 : (tensor<4xi32>) -> tensor<4xui8>

%v6 = "test.value"() : () -> tensor<4xf32>
// CHECK: sci.bitcast %{{.*}} : (tensor<4xf32>) -> tensor<4x4xui8>
%r6 = sci.bitcast %v6 : (tensor<4xf32>) -> tensor<4x4xui8>

%v7 = "test.value"() : () -> tensor<2x4xui8>
// CHECK: sci.bitcast %{{.*}} : (tensor<2x4xui8>) -> tensor<2xf32>
%r7 = sci.bitcast %v7 : (tensor<2x4xui8>) -> tensor<2xf32>
