// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A carried tensor that is too large for registers: only addresses travel. The body writes to the
// first of two slots, which then change places; the memory of the input is only read.
// RUN: sluice-opt --codegen-emit-codelets %s | FileCheck %s

// CHECK: func.func @{{.*}}_body({{.*}}) -> i32 attributes {codegen.arena_bytes = 8064 : i64
// CHECK: scf.while (%[[P:[^ ]*]] = %{{[^ ]*}}, %[[X:[^ ]*]] = %{{[^ ]*}}, %[[A:[^ ]*]] = %{{[^ ]*}}, %[[B:[^ ]*]] = %{{[^ ]*}}) : (i1, memref<1000xf32>, memref<1000xf32>, memref<1000xf32>)
// CHECK: %[[GOES_ON:.*]] = arith.andi %[[P]], %{{.*}} : i1
// CHECK-NEXT: scf.condition(%[[GOES_ON]]) %[[P]], %[[X]], %[[A]], %[[B]]
// CHECK: ^bb0(%{{.*}}: i1, %[[X2:.*]]: memref<1000xf32>, %[[A2:.*]]: memref<1000xf32>, %[[B2:.*]]: memref<1000xf32>):
// CHECK: linalg.generic {{.*}} ins(%[[X2]], {{.*}} outs(%[[A2]] : memref<1000xf32>)
// CHECK-NOT: memref.alloc
// CHECK-NOT: copy
// CHECK: scf.yield %{{.*}}, %[[A2]], %[[B2]], %[[A2]]
flow.graph @main {
  %x = flow.feed {name = "x"} : () -> tensor<1000xf32>
  %b = flow.feed {name = "b"} : () -> tensor<1000xf32>
  %r = flow.codelet (%x, %b) : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32> {
  ^bb0(%x0: tensor<1000xf32>, %b0: tensor<1000xf32>):
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %last:2 = flow.while (%true, %x0) (%b0) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i1>, tensor<1000xf32>, tensor<1000xf32>) -> (tensor<i1>, tensor<1000xf32>) before {
    ^bb0(%p1: tensor<i1>, %x1: tensor<1000xf32>, %b1: tensor<1000xf32>):
      flow.condition %p1 (%p1, %x1) : (tensor<i1>, tensor<i1>, tensor<1000xf32>) -> ()
    } body {
    ^bb0(%p2: tensor<i1>, %x2: tensor<1000xf32>, %b2: tensor<1000xf32>):
      %false = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
      %x3 = nd.mul %x2, %b2 : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
      flow.yield %false, %x3 : (tensor<i1>, tensor<1000xf32>) -> ()
    }
    flow.yield %last#1 : (tensor<1000xf32>) -> ()
  }
  flow.fetch %r {name = "x"} : (tensor<1000xf32>) -> ()
}
