// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many elementwise ops one loop has at most, and what is no part of it.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets --split-input-file %s | FileCheck %s

// A chain of 48 is one.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
%x0 = "test.inputs"() : () -> (tensor<1000xf32>)
%r = flow.codelet (%x0) : (tensor<1000xf32>) -> tensor<1000xf32> {
^bb0(%a0: tensor<1000xf32>):
  %n0 = nd.neg %a0 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n1 = nd.neg %n0 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n2 = nd.neg %n1 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n3 = nd.neg %n2 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n4 = nd.neg %n3 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n5 = nd.neg %n4 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n6 = nd.neg %n5 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n7 = nd.neg %n6 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n8 = nd.neg %n7 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n9 = nd.neg %n8 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n10 = nd.neg %n9 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n11 = nd.neg %n10 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n12 = nd.neg %n11 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n13 = nd.neg %n12 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n14 = nd.neg %n13 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n15 = nd.neg %n14 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n16 = nd.neg %n15 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n17 = nd.neg %n16 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n18 = nd.neg %n17 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n19 = nd.neg %n18 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n20 = nd.neg %n19 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n21 = nd.neg %n20 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n22 = nd.neg %n21 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n23 = nd.neg %n22 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n24 = nd.neg %n23 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n25 = nd.neg %n24 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n26 = nd.neg %n25 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n27 = nd.neg %n26 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n28 = nd.neg %n27 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n29 = nd.neg %n28 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n30 = nd.neg %n29 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n31 = nd.neg %n30 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n32 = nd.neg %n31 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n33 = nd.neg %n32 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n34 = nd.neg %n33 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n35 = nd.neg %n34 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n36 = nd.neg %n35 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n37 = nd.neg %n36 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n38 = nd.neg %n37 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n39 = nd.neg %n38 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n40 = nd.neg %n39 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n41 = nd.neg %n40 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n42 = nd.neg %n41 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n43 = nd.neg %n42 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n44 = nd.neg %n43 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n45 = nd.neg %n44 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n46 = nd.neg %n45 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n47 = nd.neg %n46 : (tensor<1000xf32>) -> tensor<1000xf32>
  flow.yield %n47 : (tensor<1000xf32>) -> ()
}

// -----

// A chain of 49 is two.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         codegen.arena_bytes = 4032
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
%x0 = "test.inputs"() : () -> (tensor<1000xf32>)
%r = flow.codelet (%x0) : (tensor<1000xf32>) -> tensor<1000xf32> {
^bb0(%a0: tensor<1000xf32>):
  %n0 = nd.neg %a0 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n1 = nd.neg %n0 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n2 = nd.neg %n1 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n3 = nd.neg %n2 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n4 = nd.neg %n3 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n5 = nd.neg %n4 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n6 = nd.neg %n5 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n7 = nd.neg %n6 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n8 = nd.neg %n7 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n9 = nd.neg %n8 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n10 = nd.neg %n9 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n11 = nd.neg %n10 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n12 = nd.neg %n11 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n13 = nd.neg %n12 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n14 = nd.neg %n13 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n15 = nd.neg %n14 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n16 = nd.neg %n15 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n17 = nd.neg %n16 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n18 = nd.neg %n17 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n19 = nd.neg %n18 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n20 = nd.neg %n19 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n21 = nd.neg %n20 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n22 = nd.neg %n21 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n23 = nd.neg %n22 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n24 = nd.neg %n23 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n25 = nd.neg %n24 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n26 = nd.neg %n25 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n27 = nd.neg %n26 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n28 = nd.neg %n27 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n29 = nd.neg %n28 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n30 = nd.neg %n29 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n31 = nd.neg %n30 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n32 = nd.neg %n31 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n33 = nd.neg %n32 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n34 = nd.neg %n33 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n35 = nd.neg %n34 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n36 = nd.neg %n35 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n37 = nd.neg %n36 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n38 = nd.neg %n37 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n39 = nd.neg %n38 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n40 = nd.neg %n39 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n41 = nd.neg %n40 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n42 = nd.neg %n41 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n43 = nd.neg %n42 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n44 = nd.neg %n43 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n45 = nd.neg %n44 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n46 = nd.neg %n45 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n47 = nd.neg %n46 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n48 = nd.neg %n47 : (tensor<1000xf32>) -> tensor<1000xf32>
  flow.yield %n48 : (tensor<1000xf32>) -> ()
}

// -----

// Two chains that meet are one if they are of 48 together with the op in which they do.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
%x0, %x1 = "test.inputs"() : () -> (tensor<1000xf32>, tensor<1000xf32>)
%r = flow.codelet (%x0, %x1) : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32> {
^bb0(%a0: tensor<1000xf32>, %a1: tensor<1000xf32>):
  %n0 = nd.neg %a0 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n1 = nd.neg %n0 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n2 = nd.neg %n1 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n3 = nd.neg %n2 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n4 = nd.neg %n3 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n5 = nd.neg %n4 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n6 = nd.neg %n5 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n7 = nd.neg %n6 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n8 = nd.neg %n7 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n9 = nd.neg %n8 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n10 = nd.neg %n9 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n11 = nd.neg %n10 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n12 = nd.neg %n11 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n13 = nd.neg %n12 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n14 = nd.neg %n13 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n15 = nd.neg %n14 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n16 = nd.neg %n15 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n17 = nd.neg %n16 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n18 = nd.neg %n17 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n19 = nd.neg %n18 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n20 = nd.neg %n19 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n21 = nd.neg %n20 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n22 = nd.neg %n21 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n23 = nd.neg %n22 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m0 = nd.neg %a1 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m1 = nd.neg %m0 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m2 = nd.neg %m1 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m3 = nd.neg %m2 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m4 = nd.neg %m3 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m5 = nd.neg %m4 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m6 = nd.neg %m5 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m7 = nd.neg %m6 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m8 = nd.neg %m7 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m9 = nd.neg %m8 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m10 = nd.neg %m9 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m11 = nd.neg %m10 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m12 = nd.neg %m11 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m13 = nd.neg %m12 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m14 = nd.neg %m13 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m15 = nd.neg %m14 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m16 = nd.neg %m15 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m17 = nd.neg %m16 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m18 = nd.neg %m17 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m19 = nd.neg %m18 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m20 = nd.neg %m19 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m21 = nd.neg %m20 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m22 = nd.neg %m21 : (tensor<1000xf32>) -> tensor<1000xf32>
  %s = nd.add %n23, %m22 : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  flow.yield %s : (tensor<1000xf32>) -> ()
}

// -----

// They stay two if they are of 49.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
%x0, %x1 = "test.inputs"() : () -> (tensor<1000xf32>, tensor<1000xf32>)
%r = flow.codelet (%x0, %x1) : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32> {
^bb0(%a0: tensor<1000xf32>, %a1: tensor<1000xf32>):
  %n0 = nd.neg %a0 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n1 = nd.neg %n0 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n2 = nd.neg %n1 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n3 = nd.neg %n2 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n4 = nd.neg %n3 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n5 = nd.neg %n4 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n6 = nd.neg %n5 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n7 = nd.neg %n6 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n8 = nd.neg %n7 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n9 = nd.neg %n8 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n10 = nd.neg %n9 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n11 = nd.neg %n10 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n12 = nd.neg %n11 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n13 = nd.neg %n12 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n14 = nd.neg %n13 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n15 = nd.neg %n14 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n16 = nd.neg %n15 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n17 = nd.neg %n16 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n18 = nd.neg %n17 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n19 = nd.neg %n18 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n20 = nd.neg %n19 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n21 = nd.neg %n20 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n22 = nd.neg %n21 : (tensor<1000xf32>) -> tensor<1000xf32>
  %n23 = nd.neg %n22 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m0 = nd.neg %a1 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m1 = nd.neg %m0 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m2 = nd.neg %m1 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m3 = nd.neg %m2 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m4 = nd.neg %m3 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m5 = nd.neg %m4 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m6 = nd.neg %m5 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m7 = nd.neg %m6 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m8 = nd.neg %m7 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m9 = nd.neg %m8 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m10 = nd.neg %m9 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m11 = nd.neg %m10 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m12 = nd.neg %m11 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m13 = nd.neg %m12 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m14 = nd.neg %m13 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m15 = nd.neg %m14 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m16 = nd.neg %m15 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m17 = nd.neg %m16 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m18 = nd.neg %m17 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m19 = nd.neg %m18 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m20 = nd.neg %m19 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m21 = nd.neg %m20 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m22 = nd.neg %m21 : (tensor<1000xf32>) -> tensor<1000xf32>
  %m23 = nd.neg %m22 : (tensor<1000xf32>) -> tensor<1000xf32>
  %s = nd.add %n23, %m23 : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  flow.yield %s : (tensor<1000xf32>) -> ()
}

// -----

// What may fail begins a loop, after its divisors have been looked at, and others join it.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         linalg.generic
// CHECK:           arith.subi
// CHECK:           linalg.yield
// CHECK:         scf.for
// CHECK:           arith.cmpi eq
// CHECK:         cf.cond_br
// CHECK:         linalg.generic
// CHECK:           arith.divsi
// CHECK:           arith.addi
// CHECK-NOT:     linalg.generic
%x, %y = "test.inputs"() : () -> (tensor<1000xi32>, tensor<1000xi32>)
%r = flow.codelet (%x, %y) : (tensor<1000xi32>, tensor<1000xi32>) -> tensor<1000xi32> {
^bb0(%a: tensor<1000xi32>, %b: tensor<1000xi32>):
  %n = nd.neg %a : (tensor<1000xi32>) -> tensor<1000xi32>
  %d = nd.div %n, %b : (tensor<1000xi32>, tensor<1000xi32>) -> tensor<1000xi32>
  %s = nd.add %d, %a : (tensor<1000xi32>, tensor<1000xi32>) -> tensor<1000xi32>
  flow.yield %s : (tensor<1000xi32>) -> ()
}

// -----

// By constants that are no 0 it cannot fail; a repeated element needs no memory, and neither does
// another name for what is there.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-SAME:    codegen.arena_bytes = 0
// CHECK-NOT:     scf.for
// CHECK:         linalg.generic
// CHECK-SAME:      ins({{.*}} : i32, memref<1000xi32>, i32)
// CHECK:           arith.divsi
// CHECK-NOT:     linalg.generic
%x, %y = "test.inputs"() : () -> (tensor<1000xi32>, tensor<i32>)
%r = flow.codelet (%x, %y) : (tensor<1000xi32>, tensor<i32>) -> tensor<1000xi32> {
^bb0(%a: tensor<1000xi32>, %b: tensor<i32>):
  %size = nd.constant {value = dense<1000> : tensor<1xi32>} : () -> tensor<1xi32>
  %three = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %f = nd.fill %size, %b : (tensor<1xi32>, tensor<i32>) -> tensor<1000xi32>
  %g = nd.stop_gradient %a : (tensor<1000xi32>) -> tensor<1000xi32>
  %s = nd.add %f, %g : (tensor<1000xi32>, tensor<1000xi32>) -> tensor<1000xi32>
  %d = nd.div %s, %three : (tensor<1000xi32>, tensor<i32>) -> tensor<1000xi32>
  flow.yield %d : (tensor<1000xi32>) -> ()
}

// -----

// Results of other dims are no part of it.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         linalg.generic
// CHECK-SAME:      outs({{.*}} : memref<100xf32>)
// CHECK:         linalg.generic
// CHECK-SAME:      outs({{.*}} : memref<10x100xf32>)
// CHECK-NOT:     linalg.generic
%x, %y = "test.inputs"() : () -> (tensor<100xf32>, tensor<10x100xf32>)
%r = flow.codelet (%x, %y) : (tensor<100xf32>, tensor<10x100xf32>) -> tensor<10x100xf32> {
^bb0(%a: tensor<100xf32>, %b: tensor<10x100xf32>):
  %n = nd.neg %a : (tensor<100xf32>) -> tensor<100xf32>
  %s = nd.add %n, %b : (tensor<100xf32>, tensor<10x100xf32>) -> tensor<10x100xf32>
  flow.yield %s : (tensor<10x100xf32>) -> ()
}
