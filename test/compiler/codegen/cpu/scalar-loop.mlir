// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// while (i < n) { i = i + 1; x = x * b }: what is carried stays in registers, and what does not change
// is loaded once. The only other thing in the body counts the float op for `--stats`.
// RUN: sluice-opt --codegen-emit-codelets %s | FileCheck %s

// CHECK-LABEL: func.func @sluice_codelet_{{.*}}_body(
// CHECK: %[[OPS:.*]] = llvm.alloca
// CHECK: %[[WORD:.*]] = llvm.getelementptr inbounds %{{.*}}[0, 8] :
// CHECK-NEXT: %[[CANCEL:.*]] = llvm.load %[[WORD]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[I:.*]] = llvm.load {{.*}} -> i32
// CHECK: %[[X:.*]] = llvm.load {{.*}} -> f32
// CHECK: %[[N:.*]] = llvm.load {{.*}} -> i32
// CHECK: %[[B:.*]] = llvm.load {{.*}} -> f32
// CHECK: %[[LAST:.*]]:2 = scf.while (%[[I1:.*]] = %[[I]], %[[X1:.*]] = %[[X]]) : (i32, f32) -> (i32, f32) {
// CHECK-NEXT: %[[P:.*]] = arith.cmpi slt, %[[I1]], %[[N]] : i32
// CHECK-NEXT: %[[END:.*]] = llvm.load %[[CANCEL]] atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: %[[ENDS:.*]] = arith.cmpi ne, %[[END]], %{{.*}} : i32
// CHECK: %[[FINE:.*]] = arith.xori %[[ENDS]]
// CHECK-NEXT: %[[GOES_ON:.*]] = arith.andi %[[P]], %[[FINE]] : i1
// CHECK-NEXT: scf.condition(%[[GOES_ON]]) %[[I1]], %[[X1]] : i32, f32
// CHECK: ^bb0(%[[I2:.*]]: i32, %[[X2:.*]]: f32):
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT: %[[I3:.*]] = arith.addi %[[I2]], %[[ONE]] : i32
// CHECK-NEXT: %[[X3:.*]] = arith.mulf %[[X2]], %[[B]] : f32
// CHECK-NEXT: llvm.load %[[OPS]]
// CHECK-NEXT: arith.constant 1 : i64
// CHECK-NEXT: arith.addi
// CHECK-NEXT: llvm.store %{{.*}}, %[[OPS]]
// CHECK-NEXT: scf.yield %[[I3]], %[[X3]] : i32, f32
// CHECK: llvm.store %[[LAST]]#0
// CHECK: llvm.store %[[LAST]]#1
// CHECK: %[[OK:.*]] = arith.constant 0 : i32
// CHECK: llvm.load %[[CANCEL]] atomic monotonic
// CHECK: %[[CANCELLED:.*]] = arith.constant -4 : i32
// CHECK-NEXT: %[[STATUS:.*]] = arith.select %{{.*}}, %[[CANCELLED]], %[[OK]] : i32
// CHECK-NEXT: return %[[STATUS]] : i32
flow.graph @main {
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %b = flow.feed {name = "b"} : () -> tensor<f32>
  %r:2 = flow.codelet (%i, %x, %n, %b) : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  ^bb0(%i0: tensor<i32>, %x0: tensor<f32>, %n0: tensor<i32>, %b0: tensor<f32>):
    %last:2 = flow.while (%i0, %x0) (%n0, %b0) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) before {
    ^bb0(%i1: tensor<i32>, %x1: tensor<f32>, %n1: tensor<i32>, %b1: tensor<f32>):
      %p = nd.less %i1, %n1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%i1, %x1) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
    } body {
    ^bb0(%i2: tensor<i32>, %x2: tensor<f32>, %n2: tensor<i32>, %b2: tensor<f32>):
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %i3 = nd.add %i2, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %x3 = nd.mul %x2, %b2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      flow.yield %i3, %x3 : (tensor<i32>, tensor<f32>) -> ()
    }
    flow.yield %last#0, %last#1 : (tensor<i32>, tensor<f32>) -> ()
  }
  flow.fetch %r#1 {name = "x"} : (tensor<f32>) -> ()
}
