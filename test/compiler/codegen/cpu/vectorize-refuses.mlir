// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is no loop over independent elements of buffers stays as it is.
// RUN: sluice-opt --codegen-vectorize-generics %s | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
#shifted = affine_map<(d0) -> (d0 + 1)>

// CHECK-LABEL: func @reduction
// CHECK:         linalg.generic
func.func @reduction(%x: memref<8xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
    ins(%x : memref<8xf32>) outs(%y : memref<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func @computed_index
// CHECK:         linalg.generic
func.func @computed_index(%x: memref<9xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [#shifted, #id], iterator_types = ["parallel"]}
    ins(%x : memref<9xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: func @tensors
// CHECK:         linalg.generic
func.func @tensors(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
