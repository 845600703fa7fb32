// Loops over the same positions become one kernel where no position touches what another one writes.
// RUN: sluice-opt --codegen-emit-codelets --codegen-merge-generics --split-input-file %s | FileCheck %s

// Both parts of the result are written where they are computed, and what is in between is not written
// at all.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : memref<32x64xf32>) outs(%{{.*}}, %{{.*}} : memref<32x64xf32, strided<[128, 1]>>, memref<32x64xf32, strided<[128, 1], offset: 64>>)
// CHECK:           math.absf
// CHECK-NOT:     linalg.generic
// CHECK:         return
flow.graph @joined {
  %x = flow.feed {name = "x:0"} : () -> tensor<32x64xf32, #wire.memory<0>>
  %r = flow.codelet(%x) {codegen.symbol = "sluice_codelet_0000000000000001"} : (tensor<32x64xf32, #wire.memory<0>>) -> tensor<32x128xf32, #wire.memory<0>> {
  ^bb0(%a: tensor<32x64xf32, #wire.memory<0>>):
    %axis = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %b = nd.abs %a : (tensor<32x64xf32, #wire.memory<0>>) -> tensor<32x64xf32, #wire.memory<0>>
    %c = nd.concat %a, %b, %axis : (tensor<32x64xf32, #wire.memory<0>>, tensor<32x64xf32, #wire.memory<0>>, tensor<i32>) -> tensor<32x128xf32, #wire.memory<0>>
    flow.yield %c : (tensor<32x128xf32, #wire.memory<0>>) -> ()
  }
  flow.fetch %r {name = "r:0"} : (tensor<32x128xf32, #wire.memory<0>>) -> ()
}

// -----

// The sum is computed where its parts are read.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : memref<8x16xf32>)
// CHECK:           arith.addf
// CHECK:           arith.addf
// CHECK:           arith.mulf
// CHECK-NOT:     linalg.generic
// CHECK:         return
flow.graph @parts {
  %x = flow.feed {name = "x:0"} : () -> tensor<8x32xf32, #wire.memory<0>>
  %y = flow.feed {name = "y:0"} : () -> tensor<32xf32, #wire.memory<0>>
  %r = flow.codelet(%x, %y) {codegen.symbol = "sluice_codelet_0000000000000002"} : (tensor<8x32xf32, #wire.memory<0>>, tensor<32xf32, #wire.memory<0>>) -> tensor<8x16xf32, #wire.memory<0>> {
  ^bb0(%a: tensor<8x32xf32, #wire.memory<0>>, %bias: tensor<32xf32, #wire.memory<0>>):
    %axis = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %b = nd.add %a, %bias : (tensor<8x32xf32, #wire.memory<0>>, tensor<32xf32, #wire.memory<0>>) -> tensor<8x32xf32, #wire.memory<0>>
    %c, %d = nd.split %b, %axis : (tensor<8x32xf32, #wire.memory<0>>, tensor<i32>) -> (tensor<8x16xf32, #wire.memory<0>>, tensor<8x16xf32, #wire.memory<0>>)
    %e = nd.mul %c, %d : (tensor<8x16xf32, #wire.memory<0>>, tensor<8x16xf32, #wire.memory<0>>) -> tensor<8x16xf32, #wire.memory<0>>
    flow.yield %e : (tensor<8x16xf32, #wire.memory<0>>) -> ()
  }
  flow.fetch %r {name = "r:0"} : (tensor<8x16xf32, #wire.memory<0>>) -> ()
}

// -----

// What is read transposed has to be there as a whole before.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         linalg.generic
// CHECK:           math.absf
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK:         return
flow.graph @transposed {
  %x = flow.feed {name = "x:0"} : () -> tensor<16x16xf32, #wire.memory<0>>
  %r:2 = flow.codelet(%x) {codegen.symbol = "sluice_codelet_0000000000000003"} : (tensor<16x16xf32, #wire.memory<0>>) -> (tensor<16x16xf32, #wire.memory<0>>, tensor<16x16xf32, #wire.memory<0>>) {
  ^bb0(%a: tensor<16x16xf32, #wire.memory<0>>):
    %order = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
    %b = nd.abs %a : (tensor<16x16xf32, #wire.memory<0>>) -> tensor<16x16xf32, #wire.memory<0>>
    %c = nd.transpose %b, %order {conjugate = false} : (tensor<16x16xf32, #wire.memory<0>>, tensor<2xi32>) -> tensor<16x16xf32, #wire.memory<0>>
    %d = nd.add %b, %c : (tensor<16x16xf32, #wire.memory<0>>, tensor<16x16xf32, #wire.memory<0>>) -> tensor<16x16xf32, #wire.memory<0>>
    flow.yield %b, %d : (tensor<16x16xf32, #wire.memory<0>>, tensor<16x16xf32, #wire.memory<0>>) -> ()
  }
  flow.fetch %r#0 {name = "b:0"} : (tensor<16x16xf32, #wire.memory<0>>) -> ()
  flow.fetch %r#1 {name = "d:0"} : (tensor<16x16xf32, #wire.memory<0>>) -> ()
}

// -----

// A product stands between.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         linalg.generic
// CHECK:           math.absf
// CHECK:         gpu.launch_func
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK:         return
flow.graph @product {
  %x = flow.feed {name = "x:0"} : () -> tensor<16x16xf32, #wire.memory<0>>
  %r = flow.codelet(%x) {codegen.symbol = "sluice_codelet_0000000000000004"} : (tensor<16x16xf32, #wire.memory<0>>) -> tensor<16x16xf32, #wire.memory<0>> {
  ^bb0(%a: tensor<16x16xf32, #wire.memory<0>>):
    %b = nd.abs %a : (tensor<16x16xf32, #wire.memory<0>>) -> tensor<16x16xf32, #wire.memory<0>>
    %c = nd.matmul %b, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<16x16xf32, #wire.memory<0>>, tensor<16x16xf32, #wire.memory<0>>) -> tensor<16x16xf32, #wire.memory<0>>
    %d = nd.add %b, %c : (tensor<16x16xf32, #wire.memory<0>>, tensor<16x16xf32, #wire.memory<0>>) -> tensor<16x16xf32, #wire.memory<0>>
    flow.yield %d : (tensor<16x16xf32, #wire.memory<0>>) -> ()
  }
  flow.fetch %r {name = "r:0"} : (tensor<16x16xf32, #wire.memory<0>>) -> ()
}
