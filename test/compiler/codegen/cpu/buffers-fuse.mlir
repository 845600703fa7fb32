// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops on buffers of one shape are one loop; what only the loop uses has no memory.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets --split-input-file %s | FileCheck %s

// One generic of three ops, with the result as its only output.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{[0-9]+}} : memref<1000xf32>)
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK:           arith.negf
// CHECK:           linalg.yield %{{[0-9]+}} : f32
// CHECK-NOT:     linalg.generic
%x, %y = "test.inputs"() : () -> (tensor<1000xf32>, tensor<1000xf32>)
%r = flow.codelet (%x, %y) : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32> {
^bb0(%a: tensor<1000xf32>, %b: tensor<1000xf32>):
  %m = nd.mul %a, %b : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  %s = nd.add %m, %a : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  %n = nd.neg %s : (tensor<1000xf32>) -> tensor<1000xf32>
  flow.yield %n : (tensor<1000xf32>) -> ()
}

// -----

// A result that is also used elsewhere is a second output of the same loop. A reduction ends a
// group, and what uses it begins another.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{[0-9]+}} : memref<8x100xf32>)
// CHECK:         llvm.call @sluice_nd_reduce_sum_f32
// CHECK:         linalg.generic
// CHECK-SAME:      ins({{.*}} : memref<8x100xf32>, memref<8x1xf32>)
// CHECK:           arith.divf
// CHECK-NOT:     linalg.generic
%x = "test.input"() : () -> tensor<8x100xf32>
%r = flow.codelet (%x) : (tensor<8x100xf32>) -> tensor<8x100xf32> {
^bb0(%a: tensor<8x100xf32>):
  %axes = nd.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %e = nd.mul %a, %a : (tensor<8x100xf32>, tensor<8x100xf32>) -> tensor<8x100xf32>
  %s = nd.reduce_sum %e, %axes {keep_dims = true} : (tensor<8x100xf32>, tensor<1xi32>) -> tensor<8x1xf32>
  %d = nd.div %e, %s : (tensor<8x100xf32>, tensor<8x1xf32>) -> tensor<8x100xf32>
  flow.yield %d : (tensor<8x100xf32>) -> ()
}

// -----

// The loop stands where its last op does: a value that only that one asks for is made before.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-NOT:     linalg.generic
// CHECK:         llvm.call @sluice_nd_reduce_max_f32
// CHECK:         linalg.generic
// CHECK:           arith.negf
// CHECK:           arith.addf
// CHECK-NOT:     linalg.generic
%x, %y = "test.inputs"() : () -> (tensor<1000xf32>, tensor<1000xf32>)
%r = flow.codelet (%x, %y) : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32> {
^bb0(%a: tensor<1000xf32>, %b: tensor<1000xf32>):
  %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %n = nd.neg %a : (tensor<1000xf32>) -> tensor<1000xf32>
  %m = nd.reduce_max %b, %axes {keep_dims = true} : (tensor<1000xf32>, tensor<1xi32>) -> tensor<1xf32>
  %s = nd.add %n, %m : (tensor<1000xf32>, tensor<1xf32>) -> tensor<1000xf32>
  flow.yield %s : (tensor<1000xf32>) -> ()
}

// -----

// A path out of the group and back keeps the last op out of it: the reduction needs the first.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         linalg.generic
// CHECK:           arith.negf
// CHECK:         llvm.call @sluice_nd_reduce_max_f32
// CHECK:         linalg.generic
// CHECK:           arith.subf
// CHECK:           arith.addf
// CHECK-NOT:     linalg.generic
%x = "test.input"() : () -> tensor<1000xf32>
%r = flow.codelet (%x) : (tensor<1000xf32>) -> tensor<1000xf32> {
^bb0(%a: tensor<1000xf32>):
  %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %n = nd.neg %a : (tensor<1000xf32>) -> tensor<1000xf32>
  %m = nd.reduce_max %n, %axes {keep_dims = false} : (tensor<1000xf32>, tensor<1xi32>) -> tensor<f32>
  %s = nd.sub %n, %m : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %t = nd.add %s, %n : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  flow.yield %t : (tensor<1000xf32>) -> ()
}

// -----

// Dims that are not known are compared when the codelet starts.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         linalg.generic
// CHECK-LABEL: func.func @{{.*}}_sizes
// CHECK:         arith.cmpi eq
// CHECK:         cf.cond_br
%x, %y = "test.inputs"() : () -> (tensor<?xf32>, tensor<?xf32>)
%r = flow.codelet (%x, %y) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> {
^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
  %s = nd.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  flow.yield %s : (tensor<?xf32>) -> ()
}
