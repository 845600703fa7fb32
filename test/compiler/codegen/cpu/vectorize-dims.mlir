// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dims become one loop where all operands allow it, and what the innermost loop does not move is
// loaded before it.
// RUN: sluice-opt --codegen-vectorize-generics --canonicalize --cse %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func @contiguous
// CHECK:         memref.collapse_shape {{.*}} : memref<?x?xf32> into memref<?xf32>
// CHECK:         scf.for
// CHECK-NOT:       scf.for
// CHECK:           vector.store
func.func @contiguous(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// A row that all rows take, and an element for each row.
// CHECK-LABEL: func @broadcast
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[C:.*]] = memref.load %{{.*}}[%[[I]], %{{.*}}] : memref<4x1xf32>
// CHECK:           vector.load {{.*}} : memref<4x8xf32>, vector<8xf32>
// CHECK:           vector.load {{.*}} : memref<8xf32>, vector<8xf32>
// CHECK:           vector.broadcast %[[C]] : f32 to vector<8xf32>
func.func @broadcast(%x: memref<4x8xf32>, %r: memref<8xf32>, %c: memref<4x1xf32>, %y: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %r, %c : memref<4x8xf32>, memref<8xf32>, memref<4x1xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.mulf %s, %d : f32
    linalg.yield %t : f32
  }
  return
}

// Elements that are no neighbours in memory come one by one; the store is a vector all the same.
// CHECK-LABEL: func @transposed
// CHECK:         scf.for
// CHECK-COUNT-8:   memref.load
// CHECK:           vector.from_elements
// CHECK:           vector.store {{.*}} vector<8xf32>
func.func @transposed(%x: memref<8x3xf32>, %y: memref<3x8xf32>) {
  linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<8x3xf32>) outs(%y : memref<3x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// Rows of a larger buffer stay two loops.
// CHECK-LABEL: func @view
// CHECK-NOT:     collapse_shape
// CHECK:         scf.for
// CHECK:           vector.store {{.*}} : memref<4x8xf32, strided<[20, 1], offset: 5>>, vector<8xf32>
func.func @view(%x: memref<4x8xf32>, %y: memref<4x8xf32, strided<[20, 1], offset: 5>>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32, strided<[20, 1], offset: 5>>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// A body that asks for its position keeps its loops.
// CHECK-LABEL: func @position
// CHECK-NOT:     collapse_shape
// CHECK:         arith.constant dense<[0, 1, 2, 3]> : vector<4xi64>
func.func @position(%y: memref<4x4xi64>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
    outs(%y : memref<4x4xi64>) {
  ^bb0(%o: i64):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i64
    linalg.yield %n : i64
  }
  return
}
