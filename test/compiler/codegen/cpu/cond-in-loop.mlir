// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch in a loop is an scf.if that gives registers. The predicate here is a division, which
// cannot leave the loop when it fails: it goes on with a divisor of 1, the status remembers the first
// failure, and the loop ends.
// RUN: sluice-opt --codegen-emit-codelets %s | FileCheck %s

// CHECK: %[[OPS:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: %[[STATUS:.*]] = llvm.alloca %{{.*}} x i32
// CHECK: %[[MEMBER:.*]] = llvm.alloca %{{.*}} x i32
// CHECK: scf.while
// CHECK: %[[P:.*]] = arith.cmpi slt
// CHECK: %[[CODE:.*]] = llvm.load %[[STATUS]]
// CHECK: %[[FAILED:.*]] = arith.cmpi ne, %[[CODE]]
// CHECK: %[[FINE:.*]] = arith.xori %[[FAILED]]
// CHECK: %[[GOES_ON:.*]] = arith.andi %[[P]], %[[FINE]] : i1
// CHECK: %[[GOES_ON_2:.*]] = arith.andi %[[GOES_ON]], %{{.*}} : i1
// CHECK-NEXT: scf.condition(%[[GOES_ON_2]])
// CHECK: %[[BAD:.*]] = arith.cmpi eq, %[[D:.*]], %{{.*}} : i32
// CHECK: llvm.store %{{.*}}, %[[STATUS]] : i32
// CHECK: llvm.store %{{.*}}, %[[MEMBER]] : i32
// CHECK: arith.remsi
// CHECK: %[[Q:.*]] = arith.cmpi eq
// CHECK: scf.if %[[Q]] -> (f32) {
// CHECK-NEXT: arith.mulf
// CHECK: scf.yield
// CHECK: } else {
// CHECK-NEXT: arith.addf
// CHECK: scf.yield
// CHECK: llvm.load %[[STATUS]]
flow.graph @main {
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %d = flow.feed {name = "d"} : () -> tensor<i32>
  %r:2 = flow.codelet (%i, %x, %n, %d) : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<f32>) {
  ^bb0(%i0: tensor<i32>, %x0: tensor<f32>, %n0: tensor<i32>, %d0: tensor<i32>):
    %last:2 = flow.while (%i0, %x0) (%n0, %d0) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<f32>) before {
    ^bb0(%i1: tensor<i32>, %x1: tensor<f32>, %n1: tensor<i32>, %d1: tensor<i32>):
      %p = nd.less %i1, %n1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%i1, %x1) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
    } body {
    ^bb0(%i2: tensor<i32>, %x2: tensor<f32>, %n2: tensor<i32>, %d2: tensor<i32>):
      %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %m = nd.trunc_mod %i2, %d2 : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %q = nd.equal %m, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %x3 = flow.cond %q (%x2) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
      ^bb0(%t: tensor<f32>):
        %y = nd.mul %t, %t : (tensor<f32>, tensor<f32>) -> tensor<f32>
        flow.yield %y : (tensor<f32>) -> ()
      } on_false {
      ^bb0(%t: tensor<f32>):
        %y = nd.add %t, %t : (tensor<f32>, tensor<f32>) -> tensor<f32>
        flow.yield %y : (tensor<f32>) -> ()
      }
      %i3 = nd.add %i2, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      flow.yield %i3, %x3 : (tensor<i32>, tensor<f32>) -> ()
    }
    flow.yield %last#0, %last#1 : (tensor<i32>, tensor<f32>) -> ()
  }
  flow.fetch %r#1 {name = "x"} : (tensor<f32>) -> ()
}
