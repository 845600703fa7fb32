// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What boxes could not compute apart from each other stays as it is, however large.
// RUN: sluice-opt --codegen-cut-generics %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#shifted = affine_map<(d0, d1) -> (d0, d1 + 1)>

// CHECK-NOT:   sluice_run_boxes

// CHECK-LABEL: func @reduction
// CHECK:         linalg.generic
func.func @reduction(%x: memref<4096x4096xf32>, %y: memref<4096xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<4096x4096xf32>) outs(%y : memref<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// All rows write to the same elements.
// CHECK-LABEL: func @same_outputs
// CHECK:         linalg.generic
func.func @same_outputs(%x: memref<4096x4096xf32>, %y: memref<4096xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<4096x4096xf32>) outs(%y : memref<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: func @computed_index
// CHECK:         linalg.generic
func.func @computed_index(%x: memref<4096x4097xf32>, %y: memref<4096x4096xf32>) {
  linalg.generic {indexing_maps = [#shifted, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<4096x4097xf32>) outs(%y : memref<4096x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: func @on_tensors
// CHECK:         linalg.generic
func.func @on_tensors(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<4096x4096xf32>) outs(%y : tensor<4096x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}
