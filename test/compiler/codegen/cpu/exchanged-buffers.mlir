// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carried tensors that change places: their addresses do, and nothing is copied. Where one of them gets
// what the body computes, that has slots, and who takes its old value needs a copy.
// RUN: sluice-opt --codegen-emit-codelets --split-input-file %s | FileCheck %s

// CHECK: scf.while ({{.*}}) : (i32, memref<1000xf32>, memref<1000xf32>) -> (i32, memref<1000xf32>, memref<1000xf32>)
// CHECK: ^bb0(%{{.*}}: i32, %[[X:.*]]: memref<1000xf32>, %[[Y:.*]]: memref<1000xf32>):
// CHECK-NOT: copy
// CHECK: scf.yield %{{.*}}, %[[Y]], %[[X]] :
flow.graph @both {
  %x = flow.feed {name = "x"} : () -> tensor<1000xf32>
  %y = flow.feed {name = "y"} : () -> tensor<1000xf32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %r = flow.codelet (%x, %y, %n) : (tensor<1000xf32>, tensor<1000xf32>, tensor<i32>) -> tensor<1000xf32> {
  ^bb0(%x0: tensor<1000xf32>, %y0: tensor<1000xf32>, %n0: tensor<i32>):
    %last:3 = flow.while (%n0, %x0, %y0) () {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<1000xf32>, tensor<1000xf32>) -> (tensor<i32>, tensor<1000xf32>, tensor<1000xf32>) before {
    ^bb0(%n1: tensor<i32>, %x1: tensor<1000xf32>, %y1: tensor<1000xf32>):
      %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %p = nd.less %zero, %n1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%n1, %x1, %y1) : (tensor<i1>, tensor<i32>, tensor<1000xf32>, tensor<1000xf32>) -> ()
    } body {
    ^bb0(%n2: tensor<i32>, %x2: tensor<1000xf32>, %y2: tensor<1000xf32>):
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %n3 = nd.sub %n2, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      flow.yield %n3, %y2, %x2 : (tensor<i32>, tensor<1000xf32>, tensor<1000xf32>) -> ()
    }
    flow.yield %last#1 : (tensor<1000xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<1000xf32>) -> ()
}

// -----

// Two slots for each.
// CHECK: scf.while ({{.*}}) : (i32, memref<1000xf32>, memref<1000xf32>, memref<1000xf32>, memref<1000xf32>, memref<1000xf32>, memref<1000xf32>)
// CHECK: ^bb0(%{{.*}}: i32, %[[X:.*]]: memref<1000xf32>, %[[Y:.*]]: memref<1000xf32>, %[[A:.*]]: memref<1000xf32>, %{{.*}}: memref<1000xf32>, %[[C:.*]]: memref<1000xf32>, %{{.*}}: memref<1000xf32>):
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[Y]] {{.*}} outs(%[[C]] : memref<1000xf32>)
// CHECK: memref.copy %[[Y]], %[[A]]
flow.graph @one {
  %x = flow.feed {name = "x"} : () -> tensor<1000xf32>
  %y = flow.feed {name = "y"} : () -> tensor<1000xf32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %r = flow.codelet (%x, %y, %n) : (tensor<1000xf32>, tensor<1000xf32>, tensor<i32>) -> tensor<1000xf32> {
  ^bb0(%x0: tensor<1000xf32>, %y0: tensor<1000xf32>, %n0: tensor<i32>):
    %last:3 = flow.while (%n0, %x0, %y0) () {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<1000xf32>, tensor<1000xf32>) -> (tensor<i32>, tensor<1000xf32>, tensor<1000xf32>) before {
    ^bb0(%n1: tensor<i32>, %x1: tensor<1000xf32>, %y1: tensor<1000xf32>):
      %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %p = nd.less %zero, %n1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%n1, %x1, %y1) : (tensor<i1>, tensor<i32>, tensor<1000xf32>, tensor<1000xf32>) -> ()
    } body {
    ^bb0(%n2: tensor<i32>, %x2: tensor<1000xf32>, %y2: tensor<1000xf32>):
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %n3 = nd.sub %n2, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %s = nd.add %x2, %y2 : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
      flow.yield %n3, %y2, %s : (tensor<i32>, tensor<1000xf32>, tensor<1000xf32>) -> ()
    }
    flow.yield %last#1 : (tensor<1000xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<1000xf32>) -> ()
}
