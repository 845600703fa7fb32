// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of up to 64 elements and 256 bytes are registers, larger ones, empty ones and those of unknown
// size are memory.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets %s | FileCheck %s

// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<64xf32>
// CHECK:         llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr -> vector<32xi64>
// CHECK:         llvm.load {{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<64xi8>
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    %[[BITS:.*]] = arith.cmpi ne, {{.*}} : vector<64xi8>
// CHECK:         llvm.load {{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK-NOT:     linalg.generic
// CHECK:         arith.negf {{.*}} : vector<64xf32>
// CHECK:         arith.subi {{.*}} : vector<32xi64>
// CHECK:         arith.xori %[[BITS]], {{.*}} : vector<64xi1>
// CHECK:         arith.extui {{.*}} : vector<64xi1> to vector<64xi8>
// CHECK-NEXT:    llvm.store {{.*}} {alignment = 1 : i64} : vector<64xi8>
%a, %b, %c, %d = "test.inputs"() : () -> (tensor<64xf32>, tensor<4x8xi64>, tensor<64xi1>, tensor<1x1xui8>)
%r:4 = flow.codelet (%a, %b, %c, %d) : (tensor<64xf32>, tensor<4x8xi64>, tensor<64xi1>, tensor<1x1xui8>) -> (tensor<64xf32>, tensor<4x8xi64>, tensor<64xi1>, tensor<1x1xui8>) {
^bb0(%x: tensor<64xf32>, %y: tensor<4x8xi64>, %z: tensor<64xi1>, %w: tensor<1x1xui8>):
  %p = nd.neg %x : (tensor<64xf32>) -> tensor<64xf32>
  %q = nd.neg %y : (tensor<4x8xi64>) -> tensor<4x8xi64>
  %n = nd.logical_not %z : (tensor<64xi1>) -> tensor<64xi1>
  %m = nd.neg %w : (tensor<1x1xui8>) -> tensor<1x1xui8>
  flow.yield %p, %q, %n, %m : (tensor<64xf32>, tensor<4x8xi64>, tensor<64xi1>, tensor<1x1xui8>) -> ()
}

// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-COUNT-5: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK-LABEL: func.func @{{.*}}_sizes
%e, %f, %g, %h, %i = "test.inputs"() : () -> (tensor<65xi8>, tensor<33xf64>, tensor<65xi1>, tensor<0xf32>, tensor<?xf32>)
%s:5 = flow.codelet (%e, %f, %g, %h, %i) : (tensor<65xi8>, tensor<33xf64>, tensor<65xi1>, tensor<0xf32>, tensor<?xf32>) -> (tensor<65xi8>, tensor<33xf64>, tensor<65xi1>, tensor<0xf32>, tensor<?xf32>) {
^bb0(%x: tensor<65xi8>, %y: tensor<33xf64>, %z: tensor<65xi1>, %v: tensor<0xf32>, %w: tensor<?xf32>):
  %p = nd.neg %x : (tensor<65xi8>) -> tensor<65xi8>
  %q = nd.neg %y : (tensor<33xf64>) -> tensor<33xf64>
  %n = nd.logical_not %z : (tensor<65xi1>) -> tensor<65xi1>
  %o = nd.neg %v : (tensor<0xf32>) -> tensor<0xf32>
  %m = nd.neg %w : (tensor<?xf32>) -> tensor<?xf32>
  flow.yield %p, %q, %n, %o, %m : (tensor<65xi8>, tensor<33xf64>, tensor<65xi1>, tensor<0xf32>, tensor<?xf32>) -> ()
}
