// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The innermost loop runs in whole vectors; what is left takes the same operations with fewer lanes.
// RUN: sluice-opt --codegen-vectorize-generics --canonicalize %s | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// Of unknown size: two registers a step, then one, then single elements.
// CHECK-LABEL: func @unknown_size
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : index
// CHECK:         scf.for {{.*}} step %[[C16]]
// CHECK:           vector.load {{.*}} vector<16xf32>
// CHECK:           arith.mulf {{.*}} vector<16xf32>
// CHECK:           vector.store
// CHECK:         scf.for {{.*}} step %[[C8]]
// CHECK:           arith.mulf {{.*}} vector<8xf32>
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK:           arith.mulf {{.*}} : f32
// CHECK:           memref.store
func.func @unknown_size(%x: memref<?xf32>, %factor: f32, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]}
    ins(%x, %factor : memref<?xf32>, f32) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %f: f32, %o: f32):
    %p = arith.mulf %a, %f : f32
    linalg.yield %p : f32
  }
  return
}

// Of known size: no loop where one step does, and the rest in powers of 2.
// CHECK-LABEL: func @known_size
// CHECK-NOT:     scf.for
// CHECK:         arith.negf {{.*}} vector<16xf32>
// CHECK:         arith.negf {{.*}} vector<4xf32>
// CHECK:         arith.negf {{.*}} : f32
func.func @known_size(%x: memref<21xf32>, %y: memref<21xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<21xf32>) outs(%y : memref<21xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// The widest element decides how many fit into a register; several outputs are one loop.
// CHECK-LABEL: func @widest_element
// CHECK:         vector.load {{.*}} vector<8xf32>
// CHECK:         arith.extf {{.*}} : vector<8xf32> to vector<8xf64>
// CHECK:         vector.store {{.*}} vector<8xf64>
// CHECK:         vector.store {{.*}} vector<8xi8>
func.func @widest_element(%x: memref<8xf32>, %y: memref<8xf64>, %z: memref<8xi8>) {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<8xf32>) outs(%y, %z : memref<8xf64>, memref<8xi8>) {
  ^bb0(%a: f32, %o: f64, %p: i8):
    %w = arith.extf %a : f32 to f64
    %l = arith.cmpf olt, %a, %a : f32
    %e = arith.extui %l : i1 to i8
    linalg.yield %w, %e : f64, i8
  }
  return
}

func.func private @library(f32) -> f32

// An op that has no vector form runs lane by lane.
// CHECK-LABEL: func @calls
// CHECK:         %[[V:.*]] = vector.load {{.*}} vector<2xf32>
// CHECK:         %[[A:.*]] = vector.extract %[[V]][0]
// CHECK:         %[[FA:.*]] = call @library(%[[A]])
// CHECK:         %[[B:.*]] = vector.extract %[[V]][1]
// CHECK:         %[[FB:.*]] = call @library(%[[B]])
// CHECK:         vector.from_elements %[[FA]], %[[FB]]
func.func @calls(%x: memref<2xf32>, %y: memref<2xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<2xf32>) outs(%y : memref<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = func.call @library(%a) : (f32) -> f32
    linalg.yield %r : f32
  }
  return
}
