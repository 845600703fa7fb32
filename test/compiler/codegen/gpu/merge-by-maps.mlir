// Two loops over the same buffer are joined if each position reads what it has written itself.
// RUN: sluice-opt --codegen-merge-generics %s | FileCheck %s

!call = !llvm.struct<(ptr, ptr, ptr, i64, i64, i32, ptr, ptr, ptr, ptr)>
!matrix = !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
#same = affine_map<(d0, d1) -> (d0, d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>
#none = affine_map<(d0, d1) -> ()>

// CHECK-LABEL: func.func @same
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @same(%call: !llvm.ptr) -> (!matrix, !matrix) attributes {codegen.card} {
  %field = llvm.getelementptr inbounds %call[0, 2] : (!llvm.ptr) -> !llvm.ptr, !call
  %arena = llvm.load %field : !llvm.ptr -> !llvm.ptr
  %none = llvm.mlir.poison : !matrix
  %p = llvm.getelementptr inbounds %arena[0] : (!llvm.ptr) -> !llvm.ptr, i8
  %q = llvm.getelementptr inbounds %arena[1024] : (!llvm.ptr) -> !llvm.ptr, i8
  %d = llvm.insertvalue %p, %none[1] : !matrix
  %e = llvm.insertvalue %q, %none[1] : !matrix
  %a = builtin.unrealized_conversion_cast %d : !matrix to memref<16x16xf32>
  %b = builtin.unrealized_conversion_cast %e : !matrix to memref<16x16xf32>
  %one = arith.constant 1.0 : f32
  linalg.generic {indexing_maps = [#none, #same], iterator_types = ["parallel", "parallel"]} ins(%one : f32) outs(%a : memref<16x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%a : memref<16x16xf32>) outs(%b : memref<16x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %f = builtin.unrealized_conversion_cast %a : memref<16x16xf32> to !matrix
  %g = builtin.unrealized_conversion_cast %b : memref<16x16xf32> to !matrix
  return %f, %g : !matrix, !matrix
}

// CHECK-LABEL: func.func @swapped
// CHECK-COUNT-2: linalg.generic
// CHECK:         return
func.func @swapped(%call: !llvm.ptr) -> (!matrix, !matrix) attributes {codegen.card} {
  %field = llvm.getelementptr inbounds %call[0, 2] : (!llvm.ptr) -> !llvm.ptr, !call
  %arena = llvm.load %field : !llvm.ptr -> !llvm.ptr
  %none = llvm.mlir.poison : !matrix
  %p = llvm.getelementptr inbounds %arena[0] : (!llvm.ptr) -> !llvm.ptr, i8
  %q = llvm.getelementptr inbounds %arena[1024] : (!llvm.ptr) -> !llvm.ptr, i8
  %d = llvm.insertvalue %p, %none[1] : !matrix
  %e = llvm.insertvalue %q, %none[1] : !matrix
  %a = builtin.unrealized_conversion_cast %d : !matrix to memref<16x16xf32>
  %b = builtin.unrealized_conversion_cast %e : !matrix to memref<16x16xf32>
  %one = arith.constant 1.0 : f32
  linalg.generic {indexing_maps = [#none, #same], iterator_types = ["parallel", "parallel"]} ins(%one : f32) outs(%a : memref<16x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#swapped, #same], iterator_types = ["parallel", "parallel"]} ins(%a : memref<16x16xf32>) outs(%b : memref<16x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %f = builtin.unrealized_conversion_cast %a : memref<16x16xf32> to !matrix
  %g = builtin.unrealized_conversion_cast %b : memref<16x16xf32> to !matrix
  return %f, %g : !matrix, !matrix
}
