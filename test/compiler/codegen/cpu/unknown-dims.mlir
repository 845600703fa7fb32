// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that are not known: what usual ones have in common follows from the ops, so all of these are
// code, and the guards of usual ones hold: no kernel has to run.
// DEFINE: %{matrix} = 8x8xf32=0,1,2,3,4,5,6,0,1,2,3,4,5,6,0,1,2,3,4,5,6,0,1,2,3,4,5,6,0,1,2,3,4,5,6,0,1,2,3,4,5,6,0,1,2,3,4,5,6,0,1,2,3,4,5,6,0,1,2,3,4,5,6,0
// DEFINE: %{row} = 8xf32=1,2,3,4,5,6,7,8
// DEFINE: %{batch} = 2x2x8xf32=0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1
// RUN: sluicec %s -o %t
// RUN: %t --input x=%{matrix} --input y=%{matrix} --input v=%{row} --input w=%{matrix} --input u=1x%{row} --input i=3xi32=1,0,7 --input b=8xbool=1,0,1,0,1,1,1,0 --input k=i32=7 --input s=f32=2 --input batch=%{batch} --input table=%{matrix} --stats-json 2>&1 >%t.results | FileCheck %s

// CHECK: "kernels":0,
// CHECK-SAME: "codelets":42,"codelet_bails":0,
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<?x?xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<?x?xf32>
  %v = flow.feed {name = "v:0"} : () -> tensor<?xf32>
  %w = flow.feed {name = "w:0"} : () -> tensor<?x8xf32>
  %u = flow.feed {name = "u:0"} : () -> tensor<1x?xf32>
  %i = flow.feed {name = "i:0"} : () -> tensor<?xi32>
  %b = flow.feed {name = "b:0"} : () -> tensor<?xi1>
  %k = flow.feed {name = "k:0"} : () -> tensor<i32>
  %s = flow.feed {name = "s:0"} : () -> tensor<f32>
  %batch = flow.feed {name = "batch:0"} : () -> tensor<?x2x?xf32>
  %table = flow.feed {name = "table:0"} : () -> tensor<?x?xf32>
  %c0 = nd.constant {value = dense<-1> : tensor<1xi32>} : () -> tensor<1xi32>
  %c1 = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %c2 = nd.constant {value = dense<-1> : tensor<i32>} : () -> tensor<i32>
  %c3 = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %c4 = nd.constant {value = dense<9> : tensor<i32>} : () -> tensor<i32>
  %c5 = nd.constant {value = dense<[-1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c6 = nd.constant {value = dense<[1, -2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c7 = nd.constant {value = dense<[4, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c8 = nd.constant {value = dense<[-1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c9 = nd.constant {value = dense<[16, 4]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c10 = nd.constant {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c11 = nd.constant {value = dense<[3, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c12 = nd.constant {value = dense<[1, -3]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c13 = nd.constant {value = dense<[-1, 7]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c14 = nd.constant {value = dense<[2, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c15 = nd.constant {value = dense<[1, 3]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c16 = nd.constant {value = dense<0> : tensor<2xi32>} : () -> tensor<2xi32>
  %c17 = nd.constant {value = dense<[1, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c18 = nd.constant {value = dense<[0, 5]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c19 = nd.constant {value = dense<[0, 6]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c20 = nd.constant {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
  %c21 = nd.constant {value = dense<-2> : tensor<i32>} : () -> tensor<i32>
  %c22 = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %c23 = nd.constant {value = dense<[3, 5]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c24 = nd.constant {value = dense<[[1, 0], [0, 2]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
  %c25 = nd.constant {value = dense<[3, 8]> : tensor<2xi32>} : () -> tensor<2xi32>
  %r0 = nd.add %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r1 = nd.mul %x, %v : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %r2 = nd.sub %v, %w : (tensor<?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r3 = nd.maximum %u, %w : (tensor<1x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r4 = nd.select %b, %x, %y {leading = true} : (tensor<?xi1>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r5 = nd.reduce_sum %x, %c0 {keep_dims = false} : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %r6 = nd.reduce_max %x, %c1 {keep_dims = true} : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<1x?xf32>
  %r7 = nd.matmul %table, %w {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r8 = nd.matmul %x, %y {transpose_lhs = true, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r9 = nd.matmul %x, %y {transpose_lhs = false, transpose_rhs = true, adjoint_lhs = false, adjoint_rhs = false} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r10 = nd.matmul %batch, %w {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<?x2x?xf32>, tensor<?x8xf32>) -> tensor<?x2x8xf32>
  %r11 = nd.gather %x, %i, %c2 {batch_dims = 0} : (tensor<?x?xf32>, tensor<?xi32>, tensor<i32>) -> tensor<?x?xf32>
  %r12 = nd.gather %x, %i, %c3 {batch_dims = 0} : (tensor<?x?xf32>, tensor<?xi32>, tensor<i32>) -> tensor<?x?xf32>
  %r13 = nd.one_hot %i, %c4, %s, %s {axis = -1} : (tensor<?xi32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<?x9xf32>
  %r14 = nd.one_hot %i, %c4, %s, %s {axis = 0} : (tensor<?xi32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<9x?xf32>
  %r15 = nd.row %x, %k : (tensor<?x?xf32>, tensor<i32>) -> tensor<?xf32>
  %r16 = nd.set_row %x, %k, %v : (tensor<?x?xf32>, tensor<i32>, tensor<?xf32>) -> tensor<?x?xf32>
  %r17 = nd.transpose %x, %c5 {conjugate = false} : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %r18 = nd.reverse %x, %c6 : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %r19 = nd.expand_dims %x, %c2 : (tensor<?x?xf32>, tensor<i32>) -> tensor<?x?x1xf32>
  %n20 = nd.neg %r19 : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %r20 = nd.squeeze %u {axes = array<i64: -2>} : (tensor<1x?xf32>) -> tensor<?xf32>
  %n21 = nd.neg %r20 : (tensor<?xf32>) -> tensor<?xf32>
  %r21 = nd.reshape %w, %c7 : (tensor<?x8xf32>, tensor<2xi32>) -> tensor<4x?xf32>
  %n22 = nd.neg %r21 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %r22 = nd.reshape %w, %c8 : (tensor<?x8xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  %n23 = nd.neg %r22 : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %r23 = nd.reshape %w, %c9 : (tensor<?x8xf32>, tensor<2xi32>) -> tensor<16x4xf32>
  %n24 = nd.neg %r23 : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %r24 = nd.slice %x, %c10, %c11 : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3x?xf32>
  %r25 = nd.strided_slice %x, %c12, %c13, %c14 {begin_mask = 0, end_mask = 0, ellipsis_mask = 0, new_axis_mask = 0, shrink_axis_mask = 0} : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %r26 = nd.strided_slice %x, %c12, %c13, %c15 {begin_mask = 1, end_mask = 2, ellipsis_mask = 0, new_axis_mask = 0, shrink_axis_mask = 0} : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %r27 = nd.strided_slice %x, %c5, %c16, %c17 {begin_mask = 2, end_mask = 2, ellipsis_mask = 0, new_axis_mask = 0, shrink_axis_mask = 1} : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?xf32>
  %r28 = nd.strided_slice %x, %c18, %c19, %c20 {begin_mask = 0, end_mask = 0, ellipsis_mask = 1, new_axis_mask = 0, shrink_axis_mask = 0} : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x1xf32>
  %r29 = nd.concat %x, %y, %c21 : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<i32>) -> tensor<?x?xf32>
  %r30 = nd.concat %w, %x, %w, %c22 : (tensor<?x8xf32>, tensor<?x?xf32>, tensor<?x8xf32>, tensor<i32>) -> tensor<?x?xf32>
  %r31 = nd.pack %x, %y {axis = -1} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x2xf32>
  %r32, %r33 = nd.unpack %batch {axis = 1} : (tensor<?x2x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %r34, %r35, %r36, %r37 = nd.split %x, %c2 : (tensor<?x?xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
  %r38, %r39 = nd.split_v %x, %c11, %c3 : (tensor<?x?xf32>, tensor<2xi32>, tensor<i32>) -> (tensor<3x?xf32>, tensor<?x?xf32>)
  %r40, %r41 = nd.split_v %x, %c23, %c3 : (tensor<?x?xf32>, tensor<2xi32>, tensor<i32>) -> (tensor<3x?xf32>, tensor<5x?xf32>)
  %r42 = nd.pad %x, %c24, %s : (tensor<?x?xf32>, tensor<2x2xi32>, tensor<f32>) -> tensor<?x?xf32>
  %r43 = nd.tile %x, %c14 : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %r44 = nd.broadcast_to %v, %c25 : (tensor<?xf32>, tensor<2xi32>) -> tensor<3x8xf32>
  %r45 = nd.shape %x : (tensor<?x?xf32>) -> tensor<2xi32>
  %r46 = nd.size %x : (tensor<?x?xf32>) -> tensor<i32>
  %r47 = nd.rank %x : (tensor<?x?xf32>) -> tensor<i32>
  %flat = nd.constant {value = dense<-1> : tensor<1xi32>} : () -> tensor<1xi32>
  %line = nd.reshape %x, %flat : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %negated = nd.neg %line : (tensor<?xf32>) -> tensor<?xf32>
  flow.fetch %negated {name = "line:0"} : (tensor<?xf32>) -> ()
  flow.fetch %r0 {name = "r0:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r1 {name = "r1:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r2 {name = "r2:0"} : (tensor<?x8xf32>) -> ()
  flow.fetch %r3 {name = "r3:0"} : (tensor<?x8xf32>) -> ()
  flow.fetch %r4 {name = "r4:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r5 {name = "r5:0"} : (tensor<?xf32>) -> ()
  flow.fetch %r6 {name = "r6:0"} : (tensor<1x?xf32>) -> ()
  flow.fetch %r7 {name = "r7:0"} : (tensor<?x8xf32>) -> ()
  flow.fetch %r8 {name = "r8:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r9 {name = "r9:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r10 {name = "r10:0"} : (tensor<?x2x8xf32>) -> ()
  flow.fetch %r11 {name = "r11:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r12 {name = "r12:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r13 {name = "r13:0"} : (tensor<?x9xf32>) -> ()
  flow.fetch %r14 {name = "r14:0"} : (tensor<9x?xf32>) -> ()
  flow.fetch %r15 {name = "r15:0"} : (tensor<?xf32>) -> ()
  flow.fetch %r16 {name = "r16:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r17 {name = "r17:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r18 {name = "r18:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %n20 {name = "r19:0"} : (tensor<?x?x1xf32>) -> ()
  flow.fetch %n21 {name = "r20:0"} : (tensor<?xf32>) -> ()
  flow.fetch %n22 {name = "r21:0"} : (tensor<4x?xf32>) -> ()
  flow.fetch %n23 {name = "r22:0"} : (tensor<?x2xf32>) -> ()
  flow.fetch %n24 {name = "r23:0"} : (tensor<16x4xf32>) -> ()
  flow.fetch %r24 {name = "r24:0"} : (tensor<3x?xf32>) -> ()
  flow.fetch %r25 {name = "r25:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r26 {name = "r26:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r27 {name = "r27:0"} : (tensor<?xf32>) -> ()
  flow.fetch %r28 {name = "r28:0"} : (tensor<?x1xf32>) -> ()
  flow.fetch %r29 {name = "r29:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r30 {name = "r30:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r31 {name = "r31:0"} : (tensor<?x?x2xf32>) -> ()
  flow.fetch %r32 {name = "r32:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r33 {name = "r33:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r34 {name = "r34:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r35 {name = "r35:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r36 {name = "r36:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r37 {name = "r37:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r38 {name = "r38:0"} : (tensor<3x?xf32>) -> ()
  flow.fetch %r39 {name = "r39:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r40 {name = "r40:0"} : (tensor<3x?xf32>) -> ()
  flow.fetch %r41 {name = "r41:0"} : (tensor<5x?xf32>) -> ()
  flow.fetch %r42 {name = "r42:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r43 {name = "r43:0"} : (tensor<?x?xf32>) -> ()
  flow.fetch %r44 {name = "r44:0"} : (tensor<3x8xf32>) -> ()
  flow.fetch %r45 {name = "r45:0"} : (tensor<2xi32>) -> ()
  flow.fetch %r46 {name = "r46:0"} : (tensor<i32>) -> ()
  flow.fetch %r47 {name = "r47:0"} : (tensor<i32>) -> ()
}
