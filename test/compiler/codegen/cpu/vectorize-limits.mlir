// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops take two registers a step, and which dims become one loop.
// RUN: sluice-opt --codegen-vectorize-generics --canonicalize --cse %s | FileCheck %s
// RUN: sluice-opt --codegen-vectorize-generics %s | FileCheck %s --check-prefix=PLAIN

#id = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#swapped2 = affine_map<(d0, d1) -> (d1, d0)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#first3 = affine_map<(d0, d1, d2) -> (d0)>
#last3 = affine_map<(d0, d1, d2) -> (d2)>

// One whole step has no loop; a rest of 7 is 4, 2 and 1 elements.
// PLAIN-LABEL: func @rests
// PLAIN-NOT:     scf.for
// PLAIN:         return
// CHECK-LABEL: func @rests
// CHECK-NOT:     scf.for
// CHECK:         arith.negf {{.*}} vector<16xf32>
// CHECK:         arith.negf {{.*}} vector<4xf32>
// CHECK:         arith.negf {{.*}} vector<2xf32>
// CHECK:         arith.negf {{.*}} : f32
// CHECK-NOT:     arith.negf
// CHECK:         return
func.func @rests(%x: memref<23xf32>, %y: memref<23xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<23xf32>) outs(%y : memref<23xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// Two whole steps are a loop.
// CHECK-LABEL: func @steps
// CHECK-DAG:     %[[ALL:.*]] = arith.constant 32 : index
// CHECK-DAG:     %[[STEP:.*]] = arith.constant 16 : index
// CHECK:         scf.for {{.*}} to %[[ALL]] step %[[STEP]]
// CHECK:           arith.negf {{.*}} vector<16xf32>
// CHECK-NOT:     arith.negf
// CHECK:         return
func.func @steps(%x: memref<32xf32>, %y: memref<32xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<32xf32>) outs(%y : memref<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// A body of 24 ops, its end included, takes two.
// CHECK-LABEL: func @long
// CHECK:         arith.mulf {{.*}} vector<16xf32>
// CHECK:         return
func.func @long(%x: memref<64xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n0 = arith.mulf %a, %a : f32
    %n1 = arith.mulf %n0, %a : f32
    %n2 = arith.mulf %n1, %a : f32
    %n3 = arith.mulf %n2, %a : f32
    %n4 = arith.mulf %n3, %a : f32
    %n5 = arith.mulf %n4, %a : f32
    %n6 = arith.mulf %n5, %a : f32
    %n7 = arith.mulf %n6, %a : f32
    %n8 = arith.mulf %n7, %a : f32
    %n9 = arith.mulf %n8, %a : f32
    %n10 = arith.mulf %n9, %a : f32
    %n11 = arith.mulf %n10, %a : f32
    %n12 = arith.mulf %n11, %a : f32
    %n13 = arith.mulf %n12, %a : f32
    %n14 = arith.mulf %n13, %a : f32
    %n15 = arith.mulf %n14, %a : f32
    %n16 = arith.mulf %n15, %a : f32
    %n17 = arith.mulf %n16, %a : f32
    %n18 = arith.mulf %n17, %a : f32
    %n19 = arith.mulf %n18, %a : f32
    %n20 = arith.mulf %n19, %a : f32
    %n21 = arith.mulf %n20, %a : f32
    %n22 = arith.mulf %n21, %a : f32
    linalg.yield %n22 : f32
  }
  return
}

// One of 25 takes one.
// CHECK-LABEL: func @longer
// CHECK:         arith.mulf {{.*}} vector<8xf32>
// CHECK:         return
func.func @longer(%x: memref<64xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n0 = arith.mulf %a, %a : f32
    %n1 = arith.mulf %n0, %a : f32
    %n2 = arith.mulf %n1, %a : f32
    %n3 = arith.mulf %n2, %a : f32
    %n4 = arith.mulf %n3, %a : f32
    %n5 = arith.mulf %n4, %a : f32
    %n6 = arith.mulf %n5, %a : f32
    %n7 = arith.mulf %n6, %a : f32
    %n8 = arith.mulf %n7, %a : f32
    %n9 = arith.mulf %n8, %a : f32
    %n10 = arith.mulf %n9, %a : f32
    %n11 = arith.mulf %n10, %a : f32
    %n12 = arith.mulf %n11, %a : f32
    %n13 = arith.mulf %n12, %a : f32
    %n14 = arith.mulf %n13, %a : f32
    %n15 = arith.mulf %n14, %a : f32
    %n16 = arith.mulf %n15, %a : f32
    %n17 = arith.mulf %n16, %a : f32
    %n18 = arith.mulf %n17, %a : f32
    %n19 = arith.mulf %n18, %a : f32
    %n20 = arith.mulf %n19, %a : f32
    %n21 = arith.mulf %n20, %a : f32
    %n22 = arith.mulf %n21, %a : f32
    %n23 = arith.mulf %n22, %a : f32
    linalg.yield %n23 : f32
  }
  return
}

// Elements that are no neighbours have no use for two registers, whether they are read or written.
// CHECK-LABEL: func @reads_columns
// CHECK-NOT:     vector<16xf32>
// CHECK:         return
func.func @reads_columns(%x: memref<16x3xf32>, %y: memref<3x16xf32>) {
  linalg.generic {indexing_maps = [#swapped2, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<16x3xf32>) outs(%y : memref<3x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: func @writes_columns
// CHECK-NOT:     vector<16xf32>
// CHECK:         vector.load {{.*}} vector<8xf32>
// CHECK-COUNT-8: memref.store
// CHECK:         return
func.func @writes_columns(%x: memref<3x16xf32>, %y: memref<16x3xf32>) {
  linalg.generic {indexing_maps = [#id2, #swapped2], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<3x16xf32>) outs(%y : memref<16x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: func @writes_both
// CHECK-NOT:     vector<16xf32>
// CHECK:         return
func.func @writes_both(%x: memref<3x16xf32>, %y: memref<3x16xf32>, %z: memref<16x3xf32>) {
  linalg.generic {indexing_maps = [#id2, #id2, #swapped2], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<3x16xf32>) outs(%y, %z : memref<3x16xf32>, memref<16x3xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    linalg.yield %a, %a : f32, f32
  }
  return
}

// CHECK-LABEL: func @reads_both
// CHECK-NOT:     vector<16xf32>
// CHECK:         return
func.func @reads_both(%x: memref<3x16xf32>, %y: memref<16x3xf32>, %z: memref<3x16xf32>) {
  linalg.generic {indexing_maps = [#id2, #swapped2, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%x, %y : memref<3x16xf32>, memref<16x3xf32>) outs(%z : memref<3x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// Where an operand moves with the first dim alone, only the others become one; where one moves with the
// last alone, only the first ones do.
// CHECK-LABEL: func @joins_last
// CHECK:         memref.collapse_shape {{.*}} {{\[\[}}0], [1, 2]] : memref<5x4x8xf32> into memref<5x32xf32>
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK:           scf.for
// CHECK-NOT:         scf.for
// CHECK:         return
func.func @joins_last(%x: memref<5x4x8xf32>, %r: memref<5xf32>, %y: memref<5x4x8xf32>) {
  linalg.generic {indexing_maps = [#id3, #first3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %r : memref<5x4x8xf32>, memref<5xf32>) outs(%y : memref<5x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func @joins_first
// CHECK-DAG:     %[[ROWS:.*]] = arith.constant 20 : index
// CHECK:         memref.collapse_shape {{.*}} {{\[\[}}0, 1], [2]] : memref<5x4x8xf32> into memref<20x8xf32>
// CHECK:         scf.for {{.*}} to %[[ROWS]]
// CHECK-NOT:       scf.for
// CHECK:         return
func.func @joins_first(%x: memref<5x4x8xf32>, %r: memref<8xf32>, %y: memref<5x4x8xf32>) {
  linalg.generic {indexing_maps = [#id3, #last3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %r : memref<5x4x8xf32>, memref<8xf32>) outs(%y : memref<5x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// An index is 64 bits wide; what an output holds is read where the body looks at it.
// CHECK-LABEL: func @wide_index
// CHECK-NOT:     vector<16x
// CHECK:         vector.load {{.*}} vector<8xi32>
// CHECK:         arith.addi {{.*}} : vector<8xi32>
// CHECK-NOT:     vector<16x
// CHECK:         return
func.func @wide_index(%y: memref<16xi32>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%y : memref<16xi32>) {
  ^bb0(%o: i32):
    %j = linalg.index 0 : index
    %n = arith.index_cast %j : index to i32
    %s = arith.addi %n, %o : i32
    linalg.yield %s : i32
  }
  return
}
