// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is small as far as one knows stays as it is; what computes much for an element is not small.
// RUN: sluice-opt --codegen-cut-generics %s | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// CHECK-LABEL: func @small
// CHECK-NOT:     llvm.call
// CHECK:         linalg.generic {{.*}} ins(%arg0 : memref<100000xf32>)
// CHECK:         return
func.func @small(%x: memref<100000xf32>, %y: memref<100000xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<100000xf32>) outs(%y : memref<100000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// CHECK-LABEL: func @nothing
// CHECK:         linalg.generic
func.func @nothing(%x: memref<0xf32>, %y: memref<0xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<0xf32>) outs(%y : memref<0xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: func @small_of_calls
// CHECK-NOT:     linalg.generic
// CHECK:         llvm.call @sluice_run_boxes
func.func @small_of_calls(%x: memref<100000xf32>, %y: memref<100000xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<100000xf32>) outs(%y : memref<100000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = func.call @sine(%a) : (f32) -> f32
    linalg.yield %n : f32
  }
  return
}
func.func private @sine(f32) -> f32
