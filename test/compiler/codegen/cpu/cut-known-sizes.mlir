// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A large generic of known sizes is a function of a box, which the runtime calls for all of them.
// RUN: sluice-opt --codegen-cut-generics --canonicalize --split-input-file %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// Joined dims are one loop; the number of operations of an iteration counts accesses as well.
// CHECK-LABEL: func @joined
// CHECK-DAG:     %[[FUNCTION:.*]] = constant @joined_boxes
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG:     %[[WORK:.*]] = arith.constant 17 : i64
// CHECK-DAG:     %[[SIZE:.*]] = arith.constant 16777216 : i64
// CHECK-DAG:     %[[CONTEXT:.*]] = llvm.alloca %[[ONE]] x !llvm.struct
// CHECK-DAG:     %[[SIZES:.*]] = llvm.alloca %[[ONE]] x !llvm.array<1 x i64>
// CHECK-DAG:     memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<4096x4096xf32> into memref<16777216xf32>
// CHECK:         llvm.store %[[SIZE]], %[[SIZES]] : i64
// CHECK:         %[[ADDRESS:.*]] = builtin.unrealized_conversion_cast %[[FUNCTION]]
// CHECK:         llvm.call @sluice_run_boxes(%[[ONE]], %[[SIZES]], %[[WORK]], %[[ADDRESS]], %[[CONTEXT]])
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @joined(%x: memref<4096x4096xf32>, %y: memref<4096x4096xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<4096x4096xf32>) outs(%y : memref<4096x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// CHECK-LABEL: func private @joined_boxes
// CHECK-SAME:      (%[[CONTEXT:.*]]: !llvm.ptr, %[[RANGES:.*]]: !llvm.ptr) attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK:         %[[X:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<16777216xf32>
// CHECK:         %[[Y:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<16777216xf32>
// CHECK:         %[[B:.*]] = llvm.load %[[RANGES]] : !llvm.ptr -> i64
// CHECK:         %[[BEGIN:.*]] = arith.index_cast %[[B]]
// CHECK:         %[[N:.*]] = llvm.getelementptr inbounds %[[RANGES]][1]
// CHECK:         %[[L:.*]] = llvm.load %[[N]]
// CHECK:         %[[LENGTH:.*]] = arith.index_cast %[[L]]
// CHECK:         %[[PART:.*]] = memref.subview %[[X]][%[[BEGIN]]] [%[[LENGTH]]] [1]
// CHECK:         %[[TO:.*]] = memref.subview %[[Y]][%[[BEGIN]]] [%[[LENGTH]]] [1]
// CHECK:         linalg.generic {{.*}} ins(%[[PART]] : {{.*}}) outs(%[[TO]] :
// CHECK:           arith.negf
// CHECK:         return

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// An inner loop that fits into a box keeps its size. Scalars travel as they are, and constants stay
// constants.
// CHECK-LABEL: func @rows
// CHECK-DAG:     %[[WORK:.*]] = arith.constant 3726 : i64
// CHECK-DAG:     %[[SIZE:.*]] = arith.constant 50000 : i64
// CHECK:         llvm.store %[[SIZE]]
// CHECK:         llvm.call @sluice_run_boxes(%{{.*}}, %{{.*}}, %[[WORK]],
// CHECK:       func private @rows_boxes
// CHECK-DAG:     %[[HALF:.*]] = arith.constant 5.0
// CHECK-DAG:     %[[SCALAR:.*]] = llvm.load {{.*}} -> f32
// CHECK-DAG:     memref.subview %{{.*}}[%{{.*}}, 0] [%{{.*}}, 138] [1, 1] : memref<50000x138xf32> to memref<?x138xf32, strided<[138, 1], offset: ?>>
// CHECK:         linalg.generic
// CHECK-SAME:      memref<?x138xf32, strided<[138, 1], offset: ?>>, memref<138xf32>
// CHECK:           arith.mulf %{{.*}}, %[[SCALAR]]
// CHECK:           arith.mulf %{{.*}}, %[[HALF]]
func.func @rows(%x: memref<50000x138xf32>, %r: memref<138xf32>, %s: f32, %y: memref<50000x138xf32>) {
  %half = arith.constant 0.5 : f32
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %r : memref<50000x138xf32>, memref<138xf32>) outs(%y : memref<50000x138xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    %u = arith.mulf %t, %s : f32
    %v = arith.mulf %u, %half : f32
    linalg.yield %v : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A body that asks where it is gets the answer for all loops; what it reads travels.
// CHECK-LABEL: func @positions
// CHECK-NOT:     collapse_shape
// CHECK:       func private @positions_boxes
// CHECK-DAG:     %[[FROM:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<9000xi32>
// CHECK:         %[[BEGIN:.*]] = arith.index_cast
// CHECK:         linalg.generic
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[AT:.*]] = arith.addi %[[I]], %[[BEGIN]]
// CHECK:           memref.load %[[FROM]][%[[AT]]]
// CHECK:           linalg.index 1
func.func @positions(%from: memref<9000xi32>, %y: memref<9000x200xi32>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
    outs(%y : memref<9000x200xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %a = memref.load %from[%i] : memref<9000xi32>
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %s = arith.addi %a, %n : i32
    linalg.yield %s : i32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>

// What lies apart in memory is cut along an outer loop. In a loop, the structure's memory is taken
// once.
// CHECK-LABEL: func @moved_in_loop
// CHECK:         llvm.alloca
// CHECK:         scf.for
// CHECK-NOT:       llvm.alloca
// CHECK:           llvm.call @sluice_run_boxes
// CHECK:       func private @moved_in_loop_boxes
// CHECK:         memref.subview %{{.*}}[0, %[[I:.*]]] [2000, %[[N:.*]]] [1, 1] : memref<2000x3000xf64>
// CHECK:         memref.subview %{{.*}}[%[[I]], 0] [%[[N]], 2000] [1, 1] : memref<3000x2000xf64>
func.func @moved_in_loop(%x: memref<2000x3000xf64>, %y: memref<3000x2000xf64>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<2000x3000xf64>) outs(%y : memref<3000x2000xf64>) {
    ^bb0(%a: f64, %o: f64):
      linalg.yield %a : f64
    }
  }
  return
}
