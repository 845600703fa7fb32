// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op that has code without guards can be in a branch or loop that is collapsed, with each kind of
// element that it has code for, and the whole gets code.
// RUN: sluice-opt --codegen-choose-loops %s | FileCheck %s
// RUN: sluice-opt --codegen-choose-loops --codegen-form-codelets --codegen-emit-codelets %s | FileCheck %s --check-prefix=CODE

// CHECK: flow.cond {{.*}} {codegen.collapse}
// CODE: func.func @{{.*}}_body(
flow.graph @main {
  %x0 = flow.feed {name = "x0"} : () -> tensor<16x8xf32>
  %x1 = flow.feed {name = "x1"} : () -> tensor<16x8xf64>
  %x2 = flow.feed {name = "x2"} : () -> tensor<16x8xi8>
  %x3 = flow.feed {name = "x3"} : () -> tensor<16x8xi16>
  %x4 = flow.feed {name = "x4"} : () -> tensor<16x8xi32>
  %x5 = flow.feed {name = "x5"} : () -> tensor<16x8xi64>
  %x6 = flow.feed {name = "x6"} : () -> tensor<16x8xui8>
  %x7 = flow.feed {name = "x7"} : () -> tensor<16x8xui16>
  %x8 = flow.feed {name = "x8"} : () -> tensor<16x8xui32>
  %x9 = flow.feed {name = "x9"} : () -> tensor<16x8xui64>
  %x10 = flow.feed {name = "x10"} : () -> tensor<16x8xi1>
  %x11 = flow.feed {name = "x11"} : () -> tensor<16xi1>
  %x12 = flow.feed {name = "x12"} : () -> tensor<8x40xf32>
  %x13 = flow.feed {name = "x13"} : () -> tensor<16xi32>
  %x14 = flow.feed {name = "x14"} : () -> tensor<f32>
  %x15 = flow.feed {name = "x15"} : () -> tensor<i32>
  %x16 = flow.feed {name = "x16"} : () -> tensor<8xf32>
  %x17 = flow.feed {name = "x17"} : () -> tensor<2x40xf32>
  %x18 = flow.feed {name = "x18"} : () -> tensor<16x1xf32>
  %x19 = flow.feed {name = "x19"} : () -> tensor<1x16x8xf32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %y = flow.cond %p (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15, %x16, %x17, %x18, %x19) : (tensor<i1>, tensor<16x8xf32>, tensor<16x8xf64>, tensor<16x8xi8>, tensor<16x8xi16>, tensor<16x8xi32>, tensor<16x8xi64>, tensor<16x8xui8>, tensor<16x8xui16>, tensor<16x8xui32>, tensor<16x8xui64>, tensor<16x8xi1>, tensor<16xi1>, tensor<8x40xf32>, tensor<16xi32>, tensor<f32>, tensor<i32>, tensor<8xf32>, tensor<2x40xf32>, tensor<16x1xf32>, tensor<1x16x8xf32>) -> tensor<i32> on_true {
  ^bb0(%a0: tensor<16x8xf32>, %a1: tensor<16x8xf64>, %a2: tensor<16x8xi8>, %a3: tensor<16x8xi16>, %a4: tensor<16x8xi32>, %a5: tensor<16x8xi64>, %a6: tensor<16x8xui8>, %a7: tensor<16x8xui16>, %a8: tensor<16x8xui32>, %a9: tensor<16x8xui64>, %a10: tensor<16x8xi1>, %a11: tensor<16xi1>, %a12: tensor<8x40xf32>, %a13: tensor<16xi32>, %a14: tensor<f32>, %a15: tensor<i32>, %a16: tensor<8xf32>, %a17: tensor<2x40xf32>, %a18: tensor<16x1xf32>, %a19: tensor<1x16x8xf32>):
    %c0 = nd.constant {value = dense<[-1]> : tensor<1xi32>} : () -> tensor<1xi32>
    %c1 = nd.constant {value = dense<8> : tensor<i32>} : () -> tensor<i32>
    %c2 = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c3 = nd.constant {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c4 = nd.constant {value = dense<[15, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c5 = nd.constant {value = dense<[-16, 7]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c6 = nd.constant {value = dense<[15, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c7 = nd.constant {value = dense<[2, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c8 = nd.constant {value = dense<[3, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c9 = nd.constant {value = dense<[4, 8]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c10 = nd.constant {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
    %c11 = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %c12 = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %c13 = nd.constant {value = dense<[10, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c14 = nd.constant {value = dense<[[1, 0], [0, 2]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
    %c15 = nd.constant {value = dense<[2, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c16 = nd.constant {value = dense<[16, 8]> : tensor<2xi32>} : () -> tensor<2xi32>
    %c17 = nd.constant {value = dense<[8, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %r0 = nd.neg %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r1 = nd.abs %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r2 = nd.sign %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r3 = nd.sqrt %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r4 = nd.rsqrt %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r5 = nd.exp %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r6 = nd.expm1 %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r7 = nd.log %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r8 = nd.log1p %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r9 = nd.tanh %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r10 = nd.sigmoid %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r11 = nd.sin %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r12 = nd.cos %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r13 = nd.floor %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r14 = nd.ceil %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r15 = nd.round %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r16 = nd.is_nan %a0 : (tensor<16x8xf32>) -> tensor<16x8xi1>
    %r17 = nd.is_inf %a0 : (tensor<16x8xf32>) -> tensor<16x8xi1>
    %r18 = nd.is_finite %a0 : (tensor<16x8xf32>) -> tensor<16x8xi1>
    %r19 = nd.add %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r20 = nd.sub %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r21 = nd.mul %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r22 = nd.div %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r23 = nd.div_no_nan %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r24 = nd.floor_div %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r25 = nd.floor_mod %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r26 = nd.trunc_mod %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r27 = nd.pow %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r28 = nd.maximum %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r29 = nd.minimum %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r30 = nd.less %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
    %r31 = nd.less_equal %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
    %r32 = nd.greater %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
    %r33 = nd.greater_equal %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
    %r34 = nd.equal %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
    %r35 = nd.not_equal %a0, %a0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
    %r36 = nd.neg %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r37 = nd.abs %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r38 = nd.sign %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r39 = nd.sqrt %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r40 = nd.rsqrt %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r41 = nd.exp %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r42 = nd.expm1 %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r43 = nd.log %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r44 = nd.log1p %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r45 = nd.tanh %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r46 = nd.sigmoid %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r47 = nd.sin %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r48 = nd.cos %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r49 = nd.floor %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r50 = nd.ceil %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r51 = nd.round %a1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
    %r52 = nd.is_nan %a1 : (tensor<16x8xf64>) -> tensor<16x8xi1>
    %r53 = nd.is_inf %a1 : (tensor<16x8xf64>) -> tensor<16x8xi1>
    %r54 = nd.is_finite %a1 : (tensor<16x8xf64>) -> tensor<16x8xi1>
    %r55 = nd.add %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
    %r56 = nd.sub %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
    %r57 = nd.mul %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
    %r58 = nd.div %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
    %r59 = nd.div_no_nan %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
    %r60 = nd.floor_div %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
    %r61 = nd.floor_mod %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
    %r62 = nd.trunc_mod %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
    %r63 = nd.pow %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
    %r64 = nd.maximum %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
    %r65 = nd.minimum %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
    %r66 = nd.less %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
    %r67 = nd.less_equal %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
    %r68 = nd.greater %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
    %r69 = nd.greater_equal %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
    %r70 = nd.equal %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
    %r71 = nd.not_equal %a1, %a1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
    %r72 = nd.neg %a2 : (tensor<16x8xi8>) -> tensor<16x8xi8>
    %r73 = nd.neg %a3 : (tensor<16x8xi16>) -> tensor<16x8xi16>
    %r74 = nd.neg %a4 : (tensor<16x8xi32>) -> tensor<16x8xi32>
    %r75 = nd.sign %a4 : (tensor<16x8xi32>) -> tensor<16x8xi32>
    %r76 = nd.abs %a4 : (tensor<16x8xi32>) -> tensor<16x8xi32>
    %r77 = nd.add %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
    %r78 = nd.sub %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
    %r79 = nd.mul %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
    %r80 = nd.div %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
    %r81 = nd.floor_div %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
    %r82 = nd.floor_mod %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
    %r83 = nd.trunc_mod %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
    %r84 = nd.pow %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
    %r85 = nd.maximum %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
    %r86 = nd.minimum %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
    %r87 = nd.less %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
    %r88 = nd.less_equal %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
    %r89 = nd.greater %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
    %r90 = nd.greater_equal %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
    %r91 = nd.equal %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
    %r92 = nd.not_equal %a4, %a4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
    %r93 = nd.neg %a5 : (tensor<16x8xi64>) -> tensor<16x8xi64>
    %r94 = nd.neg %a6 : (tensor<16x8xui8>) -> tensor<16x8xui8>
    %r95 = nd.sign %a6 : (tensor<16x8xui8>) -> tensor<16x8xui8>
    %r96 = nd.abs %a6 : (tensor<16x8xui8>) -> tensor<16x8xui8>
    %r97 = nd.add %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
    %r98 = nd.sub %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
    %r99 = nd.mul %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
    %r100 = nd.div %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
    %r101 = nd.floor_div %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
    %r102 = nd.floor_mod %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
    %r103 = nd.trunc_mod %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
    %r104 = nd.pow %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
    %r105 = nd.maximum %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
    %r106 = nd.minimum %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
    %r107 = nd.less %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
    %r108 = nd.less_equal %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
    %r109 = nd.greater %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
    %r110 = nd.greater_equal %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
    %r111 = nd.equal %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
    %r112 = nd.not_equal %a6, %a6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
    %r113 = nd.neg %a7 : (tensor<16x8xui16>) -> tensor<16x8xui16>
    %r114 = nd.neg %a8 : (tensor<16x8xui32>) -> tensor<16x8xui32>
    %r115 = nd.neg %a9 : (tensor<16x8xui64>) -> tensor<16x8xui64>
    %r116 = nd.logical_not %a10 : (tensor<16x8xi1>) -> tensor<16x8xi1>
    %r117 = nd.logical_and %a10, %a10 : (tensor<16x8xi1>, tensor<16x8xi1>) -> tensor<16x8xi1>
    %r118 = nd.logical_or %a10, %a10 : (tensor<16x8xi1>, tensor<16x8xi1>) -> tensor<16x8xi1>
    %r119 = nd.equal %a10, %a10 : (tensor<16x8xi1>, tensor<16x8xi1>) -> tensor<16x8xi1>
    %r120 = nd.select %a10, %a0, %a0 {leading = false} : (tensor<16x8xi1>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r121 = nd.select %a11, %a0, %a0 {leading = true} : (tensor<16xi1>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %r122 = nd.cast %a0 {truncate = false} : (tensor<16x8xf32>) -> tensor<16x8xi32>
    %r123 = nd.cast %a4 {truncate = false} : (tensor<16x8xi32>) -> tensor<16x8xf32>
    %r124 = nd.cast %a0 {truncate = false} : (tensor<16x8xf32>) -> tensor<16x8xf64>
    %r125 = nd.cast %a1 {truncate = false} : (tensor<16x8xf64>) -> tensor<16x8xf32>
    %r126 = nd.cast %a10 {truncate = false} : (tensor<16x8xi1>) -> tensor<16x8xui8>
    %r127 = nd.cast %a0 {truncate = false} : (tensor<16x8xf32>) -> tensor<16x8xi1>
    %r128 = nd.cast %a5 {truncate = false} : (tensor<16x8xi64>) -> tensor<16x8xi8>
    %r129 = nd.reduce_sum %a0, %c0 {keep_dims = false} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16xf32>
    %r130 = nd.reduce_mean %a0, %c0 {keep_dims = false} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16xf32>
    %r131 = nd.reduce_prod %a0, %c0 {keep_dims = false} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16xf32>
    %r132 = nd.reduce_max %a0, %c0 {keep_dims = false} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16xf32>
    %r133 = nd.reduce_min %a0, %c0 {keep_dims = false} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16xf32>
    %r134 = nd.reduce_max %a0, %c0 {keep_dims = true} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16x1xf32>
    %r135 = nd.reduce_all %a10, %c0 {keep_dims = false} : (tensor<16x8xi1>, tensor<1xi32>) -> tensor<16xi1>
    %r136 = nd.reduce_any %a10, %c0 {keep_dims = false} : (tensor<16x8xi1>, tensor<1xi32>) -> tensor<16xi1>
    %r137 = nd.matmul %a0, %a12 {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<16x8xf32>, tensor<8x40xf32>) -> tensor<16x40xf32>
    %r138 = nd.matmul %a1, %a1 {transpose_lhs = false, transpose_rhs = true, adjoint_lhs = false, adjoint_rhs = false} : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x16xf64>
    %r139 = nd.one_hot %a13, %c1, %a14, %a14 {axis = -1} : (tensor<16xi32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<16x8xf32>
    %r140 = nd.row %a0, %a15 : (tensor<16x8xf32>, tensor<i32>) -> tensor<8xf32>
    %r141 = nd.set_row %a0, %a15, %a16 : (tensor<16x8xf32>, tensor<i32>, tensor<8xf32>) -> tensor<16x8xf32>
    %r142 = nd.transpose %a0, %c2 {conjugate = false} : (tensor<16x8xf32>, tensor<2xi32>) -> tensor<8x16xf32>
    %r143 = nd.reverse %a0, %c0 : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16x8xf32>
    %r144 = nd.slice %a0, %c3, %c4 : (tensor<16x8xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<15x6xf32>
    %r145 = nd.strided_slice %a0, %c5, %c6, %c7 {begin_mask = 0, end_mask = 0, ellipsis_mask = 0, new_axis_mask = 0, shrink_axis_mask = 0} : (tensor<16x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<8x7xf32>
    %r146 = nd.strided_slice %a0, %c8, %c9, %c10 {begin_mask = 0, end_mask = 0, ellipsis_mask = 0, new_axis_mask = 0, shrink_axis_mask = 1} : (tensor<16x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<8xf32>
    %r147 = nd.concat %a0, %a0, %c11 : (tensor<16x8xf32>, tensor<16x8xf32>, tensor<i32>) -> tensor<16x16xf32>
    %r148 = nd.pack %a0, %a0 {axis = 1} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x2x8xf32>
    %r149, %r150 = nd.unpack %a17 {axis = 0} : (tensor<2x40xf32>) -> (tensor<40xf32>, tensor<40xf32>)
    %r151, %r152 = nd.split %a0, %c12 : (tensor<16x8xf32>, tensor<i32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
    %r153, %r154 = nd.split_v %a0, %c13, %c12 : (tensor<16x8xf32>, tensor<2xi32>, tensor<i32>) -> (tensor<10x8xf32>, tensor<6x8xf32>)
    %r155 = nd.pad %a0, %c14, %a14 : (tensor<16x8xf32>, tensor<2x2xi32>, tensor<f32>) -> tensor<17x10xf32>
    %r156 = nd.tile %a0, %c15 : (tensor<16x8xf32>, tensor<2xi32>) -> tensor<32x8xf32>
    %r157 = nd.broadcast_to %a18, %c16 : (tensor<16x1xf32>, tensor<2xi32>) -> tensor<16x8xf32>
    %r158 = nd.fill %c16, %a14 : (tensor<2xi32>, tensor<f32>) -> tensor<16x8xf32>
    %r159 = nd.shape %a19 : (tensor<1x16x8xf32>) -> tensor<3xi32>
    %r160 = nd.rank %a0 : (tensor<16x8xf32>) -> tensor<i32>
    %r161 = nd.size %a0 : (tensor<16x8xf32>) -> tensor<i32>
    %r162 = nd.reshape %a0, %c17 : (tensor<16x8xf32>, tensor<2xi32>) -> tensor<8x16xf32>
    %r163 = nd.expand_dims %a0, %c11 : (tensor<16x8xf32>, tensor<i32>) -> tensor<16x1x8xf32>
    %r164 = nd.squeeze %a19 {axes = array<i64: 0>} : (tensor<1x16x8xf32>) -> tensor<16x8xf32>
    %r165 = nd.stop_gradient %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %r165a = nd.assume_shape %a0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    flow.yield %r161 : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%b0: tensor<16x8xf32>, %b1: tensor<16x8xf64>, %b2: tensor<16x8xi8>, %b3: tensor<16x8xi16>, %b4: tensor<16x8xi32>, %b5: tensor<16x8xi64>, %b6: tensor<16x8xui8>, %b7: tensor<16x8xui16>, %b8: tensor<16x8xui32>, %b9: tensor<16x8xui64>, %b10: tensor<16x8xi1>, %b11: tensor<16xi1>, %b12: tensor<8x40xf32>, %b13: tensor<16xi32>, %b14: tensor<f32>, %b15: tensor<i32>, %b16: tensor<8xf32>, %b17: tensor<2x40xf32>, %b18: tensor<16x1xf32>, %b19: tensor<1x16x8xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    flow.yield %zero : (tensor<i32>) -> ()
  }
  flow.fetch %y {name = "y"} : (tensor<i32>) -> ()
}
