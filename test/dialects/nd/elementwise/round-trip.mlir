// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every nd elementwise op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.neg %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r0 = nd.neg %v0 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v1 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.abs %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r1 = nd.abs %v1 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v2 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.sign %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r2 = nd.sign %v2 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v3 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.sqrt %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r3 = nd.sqrt %v3 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v4 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.rsqrt %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r4 = nd.rsqrt %v4 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v5 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.exp %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r5 = nd.exp %v5 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v6 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.expm1 %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r6 = nd.expm1 %v6 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v7 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.log %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r7 = nd.log %v7 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v8 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.log1p %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r8 = nd.log1p %v8 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v9 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.tanh %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r9 = nd.tanh %v9 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v10 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.sigmoid %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r10 = nd.sigmoid %v10 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v11 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.sin %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r11 = nd.sin %v11 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v12 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.cos %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r12 = nd.cos %v12 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v13 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.floor %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r13 = nd.floor %v13 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v14 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.ceil %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r14 = nd.ceil %v14 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v15 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: nd.round %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r15 = nd.round %v15 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v16 = "test.value"() : () -> tensor<2x?xi1>
// CHECK: nd.logical_not %{{.*}} : (tensor<2x?xi1>) -> tensor<2x?xi1>
%r16 = nd.logical_not %v16 : (tensor<2x?xi1>) -> tensor<2x?xi1>

%v17 = "test.value"() : () -> tensor<4xf32>
// CHECK: nd.is_nan %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
%r17 = nd.is_nan %v17 : (tensor<4xf32>) -> tensor<4xi1>

%v18 = "test.value"() : () -> tensor<4xf32>
// CHECK: nd.is_inf %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
%r18 = nd.is_inf %v18 : (tensor<4xf32>) -> tensor<4xi1>

%v19 = "test.value"() : () -> tensor<4xf32>
// CHECK: nd.is_finite %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
%r19 = nd.is_finite %v19 : (tensor<4xf32>) -> tensor<4xi1>

%v20:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: nd.add %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r20 = nd.add %v20#0, %v20#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v21:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: nd.sub %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r21 = nd.sub %v21#0, %v21#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v22:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: nd.mul %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r22 = nd.mul %v22#0, %v22#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v23:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: nd.div %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r23 = nd.div %v23#0, %v23#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v24:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: nd.div_no_nan %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r24 = nd.div_no_nan %v24#0, %v24#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v25:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: nd.floor_div %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r25 = nd.floor_div %v25#0, %v25#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v26:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: nd.floor_mod %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r26 = nd.floor_mod %v26#0, %v26#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v27:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: nd.trunc_mod %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r27 = nd.trunc_mod %v27#0, %v27#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v28:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: nd.pow %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r28 = nd.pow %v28#0, %v28#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v29:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: nd.maximum %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r29 = nd.maximum %v29#0, %v29#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v30:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: nd.minimum %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r30 = nd.minimum %v30#0, %v30#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v31:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<3xi1>)
// CHECK: nd.logical_and %{{.*}}, %{{.*}} : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
%r31 = nd.logical_and %v31#0, %v31#1 : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>

%v32:2 = "test.value"() : () -> (tensor<2x3xi1>, tensor<3xi1>)
// CHECK: nd.logical_or %{{.*}}, %{{.*}} : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
%r32 = nd.logical_or %v32#0, %v32#1 : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>

%v33:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// CHECK: nd.less %{{.*}}, %{{.*}} : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>
%r33 = nd.less %v33#0, %v33#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>

%v34:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// CHECK: nd.less_equal %{{.*}}, %{{.*}} : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>
%r34 = nd.less_equal %v34#0, %v34#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>

%v35:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// CHECK: nd.greater %{{.*}}, %{{.*}} : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>
%r35 = nd.greater %v35#0, %v35#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>

%v36:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// CHECK: nd.greater_equal %{{.*}}, %{{.*}} : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>
%r36 = nd.greater_equal %v36#0, %v36#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>

%v37:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// CHECK: nd.equal %{{.*}}, %{{.*}} : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>
%r37 = nd.equal %v37#0, %v37#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>

%v38:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<i32>)
// CHECK: nd.not_equal %{{.*}}, %{{.*}} : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>
%r38 = nd.not_equal %v38#0, %v38#1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>

%v39:3 = "test.value"() : () -> (tensor<i1>, tensor<4xf32>, tensor<4xf32>)
// CHECK: nd.select %{{.*}}, %{{.*}}, %{{.*}} {leading = false} : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
%r39 = nd.select %v39#0, %v39#1, %v39#2 {leading = false} : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

%v40 = "test.value"() : () -> tensor<2xi32>
// CHECK: nd.cast %{{.*}} : (tensor<2xi32>) -> tensor<2xf32>
%r40 = nd.cast %v40 : (tensor<2xi32>) -> tensor<2xf32>
