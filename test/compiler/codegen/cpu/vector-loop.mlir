// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A carried tensor of few elements is one flat vector, whatever its rank; an operand that broadcasts
// is a shuffle, and a reduction folds lanes in the order of the plain kernel. No memory is touched.
// RUN: sluice-opt --codegen-emit-codelets %s | FileCheck %s

// CHECK: scf.while (%{{.*}} = %{{.*}}) : (vector<12xf32>) -> vector<12xf32>
// CHECK: %[[LIMIT:.*]] = arith.constant 1.000000e+03 : f32
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<12xf32>, vector<12xf32>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [8, 9, 10, 11] : vector<12xf32>, vector<12xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: arith.addf {{.*}} : vector<2xf32>
// CHECK: %[[P:.*]] = arith.cmpf olt, %{{.*}}, %[[LIMIT]] : f32
// CHECK: %[[GOES_ON:.*]] = arith.andi %[[P]], %{{.*}} : i1
// CHECK-NEXT: scf.condition(%[[GOES_ON]])
// CHECK: ^bb0(%[[X:.*]]: vector<12xf32>):
// CHECK-NEXT: %[[ROW:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[ROW]] : vector<12xf32>
// CHECK: scf.yield %[[Y]] : vector<12xf32>
flow.graph @main {
  %x = flow.feed {name = "x"} : () -> tensor<3x4xf32>
  %b = flow.feed {name = "b"} : () -> tensor<4xf32>
  %r = flow.codelet (%x, %b) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32> {
  ^bb0(%x0: tensor<3x4xf32>, %b0: tensor<4xf32>):
    %last = flow.while (%x0) (%b0) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32> before {
    ^bb0(%x1: tensor<3x4xf32>, %b1: tensor<4xf32>):
      %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
      %limit = nd.constant {value = dense<1000.0> : tensor<f32>} : () -> tensor<f32>
      %sum = nd.reduce_sum %x1, %axes {keep_dims = false} : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<f32>
      %p = nd.less %sum, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      flow.condition %p (%x1) : (tensor<i1>, tensor<3x4xf32>) -> ()
    } body {
    ^bb0(%x2: tensor<3x4xf32>, %b2: tensor<4xf32>):
      %x3 = nd.mul %x2, %b2 : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
      flow.yield %x3 : (tensor<3x4xf32>) -> ()
    }
    flow.yield %last : (tensor<3x4xf32>) -> ()
  }
  flow.fetch %r {name = "x"} : (tensor<3x4xf32>) -> ()
}
