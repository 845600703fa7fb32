// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is saved, as the user chooses: of s = exp(sin(s * w)) all three values that derivatives ask for; or without
// what computes element by element; or without products as well.
// RUN: sluice-opt %s --differentiate-build-gradients=memory=fast | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: sluice-opt %s --differentiate-build-gradients=memory=balanced | FileCheck %s --check-prefixes=CHECK,BALANCED
// RUN: sluice-opt %s --differentiate-build-gradients=memory=min | FileCheck %s --check-prefixes=CHECK,MIN
// RUN: not sluice-opt %s --differentiate-build-gradients=memory=none 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK-LABEL: flow.graph @memory
// CHECK: } body {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %[[S:.*]]: tensor<8x4xf32>, %{{.*}}: !list
// CHECK: %[[PRODUCT:.*]] = nd.matmul %[[S]]
// CHECK-NEXT: %[[SINE:.*]] = nd.sin %[[PRODUCT]]
// CHECK-NEXT: %[[E:.*]] = nd.exp %[[SINE]]
// FAST-NEXT: list.push %{{.*}}, %[[E]]
// FAST-NEXT: list.push %{{.*}}, %[[PRODUCT]]
// BALANCED-NEXT: list.push %{{.*}}, %[[PRODUCT]]
// CHECK-NEXT: list.push %{{.*}}, %[[S]]
// CHECK-NEXT: flow.yield
// CHECK: "loop/mirror"
// CHECK: } body {

// FAST: %[[E:.*]], %{{.*}} = list.pop
// FAST-NEXT: %[[PRODUCT:.*]], %{{.*}} = list.pop
// FAST-NEXT: %[[S:.*]], %{{.*}} = list.pop
// FAST-NOT: nd.sin
// FAST-NOT: nd.exp

// BALANCED: %[[PRODUCT:.*]], %{{.*}} = list.pop
// BALANCED-NEXT: %[[S:.*]], %{{.*}} = list.pop
// BALANCED-NEXT: %[[SINE:.*]] = nd.sin %[[PRODUCT]]
// BALANCED-NEXT: %[[E:.*]] = nd.exp %[[SINE]]

// MIN: %[[S:.*]], %{{.*}} = list.pop
// MIN-NEXT: %[[PRODUCT:.*]] = nd.matmul %[[S]]
// MIN-NEXT: %[[SINE:.*]] = nd.sin %[[PRODUCT]]
// MIN-NEXT: %[[E:.*]] = nd.exp %[[SINE]]

// CHECK: %[[DA:.*]] = nd.mul %{{.*}}, %[[E]]
// CHECK-NEXT: %[[COSINE:.*]] = nd.cos %[[PRODUCT]]
// CHECK-NEXT: nd.mul %[[DA]], %[[COSINE]]
// CHECK: nd.matmul_onto %{{.*}}, %[[S]], %{{.*}} {transpose_lhs = true

// REFUSED: expected 'memory' to be fast, balanced, min, segments or a number of bytes, and 'products' to be each or joined but got 'none' and 'joined'
flow.graph @memory {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<8x4xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = flow.feed {name = "w"} : () -> tensor<4x4xf32>
  %w = flow.independent %1 {name = "w"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r:2 = flow.while (%zero, %x) (%n, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<8x4xf32>, tensor<i32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<8x4xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<8x4xf32>, %limit: tensor<i32>, %c: tensor<4x4xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<8x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<8x4xf32>, %limit: tensor<i32>, %c: tensor<4x4xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %m = nd.matmul %s, %c {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %a = nd.sin %m : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %b = nd.exp %a : (tensor<8x4xf32>) -> tensor<8x4xf32>
    flow.yield %j, %b : (tensor<i32>, tensor<8x4xf32>) -> ()
  }
  %dx, %dw = flow.gradient of %r#1 seeds wrt %x, %w stops {name = "gradients"} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<4x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>)
  flow.fetch %dx {name = "dx"} : (tensor<8x4xf32>) -> ()
  flow.fetch %dw {name = "dw"} : (tensor<4x4xf32>) -> ()
}
