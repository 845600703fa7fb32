// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op that has code, with each kind of element that it has code for: none is left to its kernel,
// and each gets code of its own.
// RUN: sluice-opt --codegen-form-codelets %s | FileCheck --strict-whitespace %s
// RUN: sluice-opt --codegen-form-codelets --codegen-emit-codelets %s | FileCheck %s --check-prefix=CODE

// CHECK: flow.graph
// CHECK-NOT: {{^    %.* = nd[.]}}
// CHECK: flow.fetch
// CODE-COUNT-160: func.func @{{.*}}_body(
// CODE-NOT: func.func @{{.*}}_body(
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
  %x17 = flow.feed {name = "x17"} : () -> tensor<40xi32>
  %x18 = flow.feed {name = "x18"} : () -> tensor<2x40xf32>
  %x19 = flow.feed {name = "x19"} : () -> tensor<16x1xf32>
  %x20 = flow.feed {name = "x20"} : () -> tensor<1x16x8xf32>
  %c0 = nd.constant {value = dense<[-1]> : tensor<1xi32>} : () -> tensor<1xi32>
  %c1 = nd.constant {value = dense<8> : tensor<i32>} : () -> tensor<i32>
  %c2 = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %c3 = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c4 = nd.constant {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c5 = nd.constant {value = dense<[15, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c6 = nd.constant {value = dense<[-16, 7]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c7 = nd.constant {value = dense<[15, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c8 = nd.constant {value = dense<[2, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c9 = nd.constant {value = dense<[3, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c10 = nd.constant {value = dense<[4, 8]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c11 = nd.constant {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
  %c12 = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %c13 = nd.constant {value = dense<[10, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c14 = nd.constant {value = dense<[[1, 0], [0, 2]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
  %c15 = nd.constant {value = dense<[2, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c16 = nd.constant {value = dense<[16, 8]> : tensor<2xi32>} : () -> tensor<2xi32>
  %r0 = nd.neg %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r1 = nd.abs %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r2 = nd.sign %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r3 = nd.sqrt %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r4 = nd.rsqrt %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r5 = nd.exp %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r6 = nd.expm1 %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r7 = nd.log %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r8 = nd.log1p %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r9 = nd.tanh %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r10 = nd.sigmoid %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r11 = nd.sin %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r12 = nd.cos %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r13 = nd.floor %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r14 = nd.ceil %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r15 = nd.round %x0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %r16 = nd.is_nan %x0 : (tensor<16x8xf32>) -> tensor<16x8xi1>
  %r17 = nd.is_inf %x0 : (tensor<16x8xf32>) -> tensor<16x8xi1>
  %r18 = nd.is_finite %x0 : (tensor<16x8xf32>) -> tensor<16x8xi1>
  %r19 = nd.add %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r20 = nd.sub %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r21 = nd.mul %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r22 = nd.div %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r23 = nd.div_no_nan %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r24 = nd.floor_div %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r25 = nd.floor_mod %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r26 = nd.trunc_mod %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r27 = nd.pow %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r28 = nd.maximum %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r29 = nd.minimum %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r30 = nd.less %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
  %r31 = nd.less_equal %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
  %r32 = nd.greater %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
  %r33 = nd.greater_equal %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
  %r34 = nd.equal %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
  %r35 = nd.not_equal %x0, %x0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
  %r36 = nd.neg %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r37 = nd.abs %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r38 = nd.sign %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r39 = nd.sqrt %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r40 = nd.rsqrt %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r41 = nd.exp %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r42 = nd.expm1 %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r43 = nd.log %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r44 = nd.log1p %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r45 = nd.tanh %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r46 = nd.sigmoid %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r47 = nd.sin %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r48 = nd.cos %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r49 = nd.floor %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r50 = nd.ceil %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r51 = nd.round %x1 : (tensor<16x8xf64>) -> tensor<16x8xf64>
  %r52 = nd.is_nan %x1 : (tensor<16x8xf64>) -> tensor<16x8xi1>
  %r53 = nd.is_inf %x1 : (tensor<16x8xf64>) -> tensor<16x8xi1>
  %r54 = nd.is_finite %x1 : (tensor<16x8xf64>) -> tensor<16x8xi1>
  %r55 = nd.add %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %r56 = nd.sub %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %r57 = nd.mul %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %r58 = nd.div %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %r59 = nd.div_no_nan %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %r60 = nd.floor_div %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %r61 = nd.floor_mod %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %r62 = nd.trunc_mod %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %r63 = nd.pow %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %r64 = nd.maximum %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %r65 = nd.minimum %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %r66 = nd.less %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
  %r67 = nd.less_equal %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
  %r68 = nd.greater %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
  %r69 = nd.greater_equal %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
  %r70 = nd.equal %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
  %r71 = nd.not_equal %x1, %x1 : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x8xi1>
  %r72 = nd.neg %x2 : (tensor<16x8xi8>) -> tensor<16x8xi8>
  %r73 = nd.neg %x3 : (tensor<16x8xi16>) -> tensor<16x8xi16>
  %r74 = nd.neg %x4 : (tensor<16x8xi32>) -> tensor<16x8xi32>
  %r75 = nd.sign %x4 : (tensor<16x8xi32>) -> tensor<16x8xi32>
  %r76 = nd.abs %x4 : (tensor<16x8xi32>) -> tensor<16x8xi32>
  %r77 = nd.add %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
  %r78 = nd.sub %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
  %r79 = nd.mul %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
  %r80 = nd.div %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
  %r81 = nd.floor_div %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
  %r82 = nd.floor_mod %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
  %r83 = nd.trunc_mod %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
  %r84 = nd.pow %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
  %r85 = nd.maximum %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
  %r86 = nd.minimum %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
  %r87 = nd.less %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
  %r88 = nd.less_equal %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
  %r89 = nd.greater %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
  %r90 = nd.greater_equal %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
  %r91 = nd.equal %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
  %r92 = nd.not_equal %x4, %x4 : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
  %r93 = nd.neg %x5 : (tensor<16x8xi64>) -> tensor<16x8xi64>
  %r94 = nd.neg %x6 : (tensor<16x8xui8>) -> tensor<16x8xui8>
  %r95 = nd.sign %x6 : (tensor<16x8xui8>) -> tensor<16x8xui8>
  %r96 = nd.abs %x6 : (tensor<16x8xui8>) -> tensor<16x8xui8>
  %r97 = nd.add %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
  %r98 = nd.sub %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
  %r99 = nd.mul %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
  %r100 = nd.div %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
  %r101 = nd.floor_div %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
  %r102 = nd.floor_mod %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
  %r103 = nd.trunc_mod %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
  %r104 = nd.pow %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
  %r105 = nd.maximum %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
  %r106 = nd.minimum %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xui8>
  %r107 = nd.less %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
  %r108 = nd.less_equal %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
  %r109 = nd.greater %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
  %r110 = nd.greater_equal %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
  %r111 = nd.equal %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
  %r112 = nd.not_equal %x6, %x6 : (tensor<16x8xui8>, tensor<16x8xui8>) -> tensor<16x8xi1>
  %r113 = nd.neg %x7 : (tensor<16x8xui16>) -> tensor<16x8xui16>
  %r114 = nd.neg %x8 : (tensor<16x8xui32>) -> tensor<16x8xui32>
  %r115 = nd.neg %x9 : (tensor<16x8xui64>) -> tensor<16x8xui64>
  %r116 = nd.logical_not %x10 : (tensor<16x8xi1>) -> tensor<16x8xi1>
  %r117 = nd.logical_and %x10, %x10 : (tensor<16x8xi1>, tensor<16x8xi1>) -> tensor<16x8xi1>
  %r118 = nd.logical_or %x10, %x10 : (tensor<16x8xi1>, tensor<16x8xi1>) -> tensor<16x8xi1>
  %r119 = nd.equal %x10, %x10 : (tensor<16x8xi1>, tensor<16x8xi1>) -> tensor<16x8xi1>
  %r120 = nd.select %x10, %x0, %x0 {leading = false} : (tensor<16x8xi1>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r121 = nd.select %x11, %x0, %x0 {leading = true} : (tensor<16xi1>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %r122 = nd.cast %x0 {truncate = false} : (tensor<16x8xf32>) -> tensor<16x8xi32>
  %r123 = nd.cast %x4 {truncate = false} : (tensor<16x8xi32>) -> tensor<16x8xf32>
  %r124 = nd.cast %x0 {truncate = false} : (tensor<16x8xf32>) -> tensor<16x8xf64>
  %r125 = nd.cast %x1 {truncate = false} : (tensor<16x8xf64>) -> tensor<16x8xf32>
  %r126 = nd.cast %x10 {truncate = false} : (tensor<16x8xi1>) -> tensor<16x8xui8>
  %r127 = nd.cast %x0 {truncate = false} : (tensor<16x8xf32>) -> tensor<16x8xi1>
  %r128 = nd.cast %x5 {truncate = false} : (tensor<16x8xi64>) -> tensor<16x8xi8>
  %r129 = nd.reduce_sum %x0, %c0 {keep_dims = false} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16xf32>
  %r130 = nd.reduce_mean %x0, %c0 {keep_dims = false} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16xf32>
  %r131 = nd.reduce_prod %x0, %c0 {keep_dims = false} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16xf32>
  %r132 = nd.reduce_max %x0, %c0 {keep_dims = false} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16xf32>
  %r133 = nd.reduce_min %x0, %c0 {keep_dims = false} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16xf32>
  %r134 = nd.reduce_max %x0, %c0 {keep_dims = true} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16x1xf32>
  %r135 = nd.reduce_all %x10, %c0 {keep_dims = false} : (tensor<16x8xi1>, tensor<1xi32>) -> tensor<16xi1>
  %r136 = nd.reduce_any %x10, %c0 {keep_dims = false} : (tensor<16x8xi1>, tensor<1xi32>) -> tensor<16xi1>
  %r137 = nd.matmul %x0, %x12 {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<16x8xf32>, tensor<8x40xf32>) -> tensor<16x40xf32>
  %r138 = nd.matmul %x1, %x1 {transpose_lhs = false, transpose_rhs = true, adjoint_lhs = false, adjoint_rhs = false} : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<16x16xf64>
  %r139 = nd.one_hot %x13, %c1, %x14, %x14 {axis = -1} : (tensor<16xi32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<16x8xf32>
  %r140 = nd.row %x0, %x15 : (tensor<16x8xf32>, tensor<i32>) -> tensor<8xf32>
  %r141 = nd.set_row %x0, %x15, %x16 : (tensor<16x8xf32>, tensor<i32>, tensor<8xf32>) -> tensor<16x8xf32>
  %r142 = nd.gather %x0, %x17, %c2 {batch_dims = 0} : (tensor<16x8xf32>, tensor<40xi32>, tensor<i32>) -> tensor<16x40xf32>
  %r143 = nd.transpose %x0, %c3 {conjugate = false} : (tensor<16x8xf32>, tensor<2xi32>) -> tensor<8x16xf32>
  %r144 = nd.reverse %x0, %c0 : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16x8xf32>
  %r145 = nd.slice %x0, %c4, %c5 : (tensor<16x8xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<15x6xf32>
  %r146 = nd.strided_slice %x0, %c6, %c7, %c8 {begin_mask = 0, end_mask = 0, ellipsis_mask = 0, new_axis_mask = 0, shrink_axis_mask = 0} : (tensor<16x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<8x7xf32>
  %r147 = nd.strided_slice %x0, %c9, %c10, %c11 {begin_mask = 0, end_mask = 0, ellipsis_mask = 0, new_axis_mask = 0, shrink_axis_mask = 1} : (tensor<16x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<8xf32>
  %r148 = nd.concat %x0, %x0, %c2 : (tensor<16x8xf32>, tensor<16x8xf32>, tensor<i32>) -> tensor<16x16xf32>
  %r149 = nd.pack %x0, %x0 {axis = 1} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x2x8xf32>
  %r150, %r151 = nd.unpack %x18 {axis = 0} : (tensor<2x40xf32>) -> (tensor<40xf32>, tensor<40xf32>)
  %r152, %r153 = nd.split %x0, %c12 : (tensor<16x8xf32>, tensor<i32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %r154, %r155 = nd.split_v %x0, %c13, %c12 : (tensor<16x8xf32>, tensor<2xi32>, tensor<i32>) -> (tensor<10x8xf32>, tensor<6x8xf32>)
  %r156 = nd.pad %x0, %c14, %x14 : (tensor<16x8xf32>, tensor<2x2xi32>, tensor<f32>) -> tensor<17x10xf32>
  %r157 = nd.tile %x0, %c15 : (tensor<16x8xf32>, tensor<2xi32>) -> tensor<32x8xf32>
  %r158 = nd.broadcast_to %x19, %c16 : (tensor<16x1xf32>, tensor<2xi32>) -> tensor<16x8xf32>
  %r159 = nd.fill %c16, %x14 : (tensor<2xi32>, tensor<f32>) -> tensor<16x8xf32>
  %r160 = nd.shape %x20 : (tensor<1x16x8xf32>) -> tensor<3xi32>
  %r161 = nd.rank %x0 : (tensor<16x8xf32>) -> tensor<i32>
  %r162 = nd.size %x0 : (tensor<16x8xf32>) -> tensor<i32>
  flow.fetch %r0 {name = "r0"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r1 {name = "r1"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r2 {name = "r2"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r3 {name = "r3"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r4 {name = "r4"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r5 {name = "r5"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r6 {name = "r6"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r7 {name = "r7"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r8 {name = "r8"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r9 {name = "r9"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r10 {name = "r10"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r11 {name = "r11"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r12 {name = "r12"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r13 {name = "r13"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r14 {name = "r14"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r15 {name = "r15"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r16 {name = "r16"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r17 {name = "r17"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r18 {name = "r18"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r19 {name = "r19"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r20 {name = "r20"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r21 {name = "r21"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r22 {name = "r22"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r23 {name = "r23"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r24 {name = "r24"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r25 {name = "r25"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r26 {name = "r26"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r27 {name = "r27"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r28 {name = "r28"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r29 {name = "r29"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r30 {name = "r30"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r31 {name = "r31"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r32 {name = "r32"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r33 {name = "r33"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r34 {name = "r34"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r35 {name = "r35"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r36 {name = "r36"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r37 {name = "r37"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r38 {name = "r38"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r39 {name = "r39"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r40 {name = "r40"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r41 {name = "r41"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r42 {name = "r42"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r43 {name = "r43"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r44 {name = "r44"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r45 {name = "r45"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r46 {name = "r46"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r47 {name = "r47"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r48 {name = "r48"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r49 {name = "r49"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r50 {name = "r50"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r51 {name = "r51"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r52 {name = "r52"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r53 {name = "r53"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r54 {name = "r54"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r55 {name = "r55"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r56 {name = "r56"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r57 {name = "r57"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r58 {name = "r58"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r59 {name = "r59"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r60 {name = "r60"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r61 {name = "r61"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r62 {name = "r62"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r63 {name = "r63"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r64 {name = "r64"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r65 {name = "r65"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r66 {name = "r66"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r67 {name = "r67"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r68 {name = "r68"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r69 {name = "r69"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r70 {name = "r70"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r71 {name = "r71"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r72 {name = "r72"} : (tensor<16x8xi8>) -> ()
  flow.fetch %r73 {name = "r73"} : (tensor<16x8xi16>) -> ()
  flow.fetch %r74 {name = "r74"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r75 {name = "r75"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r76 {name = "r76"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r77 {name = "r77"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r78 {name = "r78"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r79 {name = "r79"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r80 {name = "r80"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r81 {name = "r81"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r82 {name = "r82"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r83 {name = "r83"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r84 {name = "r84"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r85 {name = "r85"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r86 {name = "r86"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r87 {name = "r87"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r88 {name = "r88"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r89 {name = "r89"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r90 {name = "r90"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r91 {name = "r91"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r92 {name = "r92"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r93 {name = "r93"} : (tensor<16x8xi64>) -> ()
  flow.fetch %r94 {name = "r94"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r95 {name = "r95"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r96 {name = "r96"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r97 {name = "r97"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r98 {name = "r98"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r99 {name = "r99"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r100 {name = "r100"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r101 {name = "r101"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r102 {name = "r102"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r103 {name = "r103"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r104 {name = "r104"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r105 {name = "r105"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r106 {name = "r106"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r107 {name = "r107"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r108 {name = "r108"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r109 {name = "r109"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r110 {name = "r110"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r111 {name = "r111"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r112 {name = "r112"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r113 {name = "r113"} : (tensor<16x8xui16>) -> ()
  flow.fetch %r114 {name = "r114"} : (tensor<16x8xui32>) -> ()
  flow.fetch %r115 {name = "r115"} : (tensor<16x8xui64>) -> ()
  flow.fetch %r116 {name = "r116"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r117 {name = "r117"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r118 {name = "r118"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r119 {name = "r119"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r120 {name = "r120"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r121 {name = "r121"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r122 {name = "r122"} : (tensor<16x8xi32>) -> ()
  flow.fetch %r123 {name = "r123"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r124 {name = "r124"} : (tensor<16x8xf64>) -> ()
  flow.fetch %r125 {name = "r125"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r126 {name = "r126"} : (tensor<16x8xui8>) -> ()
  flow.fetch %r127 {name = "r127"} : (tensor<16x8xi1>) -> ()
  flow.fetch %r128 {name = "r128"} : (tensor<16x8xi8>) -> ()
  flow.fetch %r129 {name = "r129"} : (tensor<16xf32>) -> ()
  flow.fetch %r130 {name = "r130"} : (tensor<16xf32>) -> ()
  flow.fetch %r131 {name = "r131"} : (tensor<16xf32>) -> ()
  flow.fetch %r132 {name = "r132"} : (tensor<16xf32>) -> ()
  flow.fetch %r133 {name = "r133"} : (tensor<16xf32>) -> ()
  flow.fetch %r134 {name = "r134"} : (tensor<16x1xf32>) -> ()
  flow.fetch %r135 {name = "r135"} : (tensor<16xi1>) -> ()
  flow.fetch %r136 {name = "r136"} : (tensor<16xi1>) -> ()
  flow.fetch %r137 {name = "r137"} : (tensor<16x40xf32>) -> ()
  flow.fetch %r138 {name = "r138"} : (tensor<16x16xf64>) -> ()
  flow.fetch %r139 {name = "r139"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r140 {name = "r140"} : (tensor<8xf32>) -> ()
  flow.fetch %r141 {name = "r141"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r142 {name = "r142"} : (tensor<16x40xf32>) -> ()
  flow.fetch %r143 {name = "r143"} : (tensor<8x16xf32>) -> ()
  flow.fetch %r144 {name = "r144"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r145 {name = "r145"} : (tensor<15x6xf32>) -> ()
  flow.fetch %r146 {name = "r146"} : (tensor<8x7xf32>) -> ()
  flow.fetch %r147 {name = "r147"} : (tensor<8xf32>) -> ()
  flow.fetch %r148 {name = "r148"} : (tensor<16x16xf32>) -> ()
  flow.fetch %r149 {name = "r149"} : (tensor<16x2x8xf32>) -> ()
  flow.fetch %r150 {name = "r150"} : (tensor<40xf32>) -> ()
  flow.fetch %r151 {name = "r151"} : (tensor<40xf32>) -> ()
  flow.fetch %r152 {name = "r152"} : (tensor<8x8xf32>) -> ()
  flow.fetch %r153 {name = "r153"} : (tensor<8x8xf32>) -> ()
  flow.fetch %r154 {name = "r154"} : (tensor<10x8xf32>) -> ()
  flow.fetch %r155 {name = "r155"} : (tensor<6x8xf32>) -> ()
  flow.fetch %r156 {name = "r156"} : (tensor<17x10xf32>) -> ()
  flow.fetch %r157 {name = "r157"} : (tensor<32x8xf32>) -> ()
  flow.fetch %r158 {name = "r158"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r159 {name = "r159"} : (tensor<16x8xf32>) -> ()
  flow.fetch %r160 {name = "r160"} : (tensor<3xi32>) -> ()
  flow.fetch %r161 {name = "r161"} : (tensor<i32>) -> ()
  flow.fetch %r162 {name = "r162"} : (tensor<i32>) -> ()
}
