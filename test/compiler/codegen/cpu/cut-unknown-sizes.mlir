// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where sizes are not known, the code looks whether the loops are large; small ones run as ever.
// RUN: sluice-opt --codegen-cut-generics --canonicalize --cse --split-input-file %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @unknown
// CHECK-SAME:      (%[[X:.*]]: memref<?x16xf32>, %[[Y:.*]]: memref<?x16xf32>)
// CHECK-DAG:     %[[WORTH:.*]] = arith.constant 2097152 : index
// CHECK-DAG:     %[[OF_ROW:.*]] = arith.constant 272 : index
// CHECK-DAG:     %[[WORK:.*]] = arith.constant 17 : i64
// CHECK:         %[[N:.*]] = memref.dim %[[Y]]
// CHECK:         %[[ALL:.*]] = arith.muli %[[N]], %[[OF_ROW]]
// CHECK:         %[[LARGE:.*]] = arith.cmpi sge, %[[ALL]], %[[WORTH]]
// CHECK:         scf.if %[[LARGE]] {
// CHECK:           memref.collapse_shape
// CHECK:           llvm.call @sluice_run_boxes(%{{.*}}, %{{.*}}, %[[WORK]],
// CHECK:         } else {
// CHECK:           linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[Y]] :
// CHECK:         }
// CHECK:       func private @unknown_boxes
func.func @unknown(%x: memref<?x16xf32>, %y: memref<?x16xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<?x16xf32>) outs(%y : memref<?x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>

// Boxes have ranges of both loops.
// CHECK-LABEL: func @two
// CHECK:         scf.if
// CHECK:           %[[TWO:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (i64,
// CHECK:       func private @two_boxes
// CHECK:         memref.subview %{{.*}}[%[[I:.*]], %[[J:.*]]] [%[[M:.*]], %[[N:.*]]] [1, 1]
// CHECK:         memref.subview %{{.*}}[%[[I]], 0] [%[[M]], 1] [1, 1] : memref<?x1xf32>
func.func @two(%x: memref<?x?xf32>, %c: memref<?x1xf32>, %y: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %c : memref<?x?xf32>, memref<?x1xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.subf %a, %b : f32
    linalg.yield %n : f32
  }
  return
}
