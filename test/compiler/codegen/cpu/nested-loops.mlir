// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop in a loop. What both see of the outside is there by SSA, without being carried.
// RUN: sluice-opt --codegen-emit-codelets %s | FileCheck %s

// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[B:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i32, vector<4xf32>)
// CHECK: ^bb0(%[[I:.*]]: i32, %[[X:.*]]: vector<4xf32>):
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[INNER:.*]]:2 = scf.while (%[[J1:.*]] = %[[ZERO]], %[[X1:.*]] = %[[X]]) : (i32, vector<4xf32>)
// CHECK-NEXT: arith.cmpi slt, %[[J1]], %[[I]] : i32
// CHECK: ^bb0(%{{.*}}: i32, %[[X2:.*]]: vector<4xf32>):
// CHECK: %[[X3:.*]] = arith.mulf %[[X2]], %[[B]] : vector<4xf32>
// CHECK: %[[X4:.*]] = arith.addf %[[INNER]]#1, %[[B]] : vector<4xf32>
// CHECK: scf.yield %{{.*}}, %[[X4]] : i32, vector<4xf32>
flow.graph @main {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %b = flow.feed {name = "b"} : () -> tensor<4xf32>
  %r:2 = flow.codelet (%n, %x, %b) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  ^bb0(%n0: tensor<i32>, %x0: tensor<4xf32>, %b0: tensor<4xf32>):
    %start = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %outer:2 = flow.while (%start, %x0) (%n0, %b0) {frame = "outer", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) before {
    ^bb0(%i1: tensor<i32>, %x1: tensor<4xf32>, %n1: tensor<i32>, %b1: tensor<4xf32>):
      %p = nd.less %i1, %n1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%i1, %x1) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
    } body {
    ^bb0(%i2: tensor<i32>, %x2: tensor<4xf32>, %n2: tensor<i32>, %b2: tensor<4xf32>):
      %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %inner:2 = flow.while (%zero, %x2) (%i2, %b2) {frame = "inner", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) before {
      ^bb0(%j1: tensor<i32>, %x1: tensor<4xf32>, %limit: tensor<i32>, %b1: tensor<4xf32>):
        %p = nd.less %j1, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
        flow.condition %p (%j1, %x1) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
      } body {
      ^bb0(%j2: tensor<i32>, %y2: tensor<4xf32>, %limit: tensor<i32>, %b3: tensor<4xf32>):
        %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
        %j3 = nd.add %j2, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %y3 = nd.mul %y2, %b3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        flow.yield %j3, %y3 : (tensor<i32>, tensor<4xf32>) -> ()
      }
      %i3 = nd.add %i2, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %x4 = nd.add %inner#1, %b2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      flow.yield %i3, %x4 : (tensor<i32>, tensor<4xf32>) -> ()
    }
    flow.yield %outer#0, %outer#1 : (tensor<i32>, tensor<4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "x"} : (tensor<4xf32>) -> ()
}
