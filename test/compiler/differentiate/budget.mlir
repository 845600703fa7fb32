// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number of bytes in place of what may be computed again: 100 iterations save 128 bytes each.
// RUN: sluice-opt %s --differentiate-build-gradients=memory=13K | FileCheck %s --check-prefix=FITS
// RUN: sluice-opt %s --differentiate-build-gradients=memory=12K | FileCheck %s --check-prefix=SEGMENTS
// RUN: sluice-opt %s --differentiate-build-gradients=memory=1 | FileCheck %s --check-prefix=SEGMENTS
// RUN: not sluice-opt %s --differentiate-build-gradients=memory=0 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not sluice-opt %s --differentiate-build-gradients=memory=9999999999G 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: expected 'memory' to be fast, balanced, min, segments or a number of bytes

// What is saved is what the loop carries, so nothing is left to be computed again but iterations.
// FITS-NOT: loop/segment
// FITS: frame = "loop/mirror"
// SEGMENTS: frame = "loop/segment"
flow.graph @main {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<4x8xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %most = nd.constant {value = dense<100> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%most) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4x8xf32>, tensor<i32>) -> (tensor<i32>, tensor<4x8xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4x8xf32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.mul %s, %s : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    flow.yield %next, %t : (tensor<i32>, tensor<4x8xf32>) -> ()
  }
  %dx = flow.gradient of %r#1 seeds wrt %x stops {name = "gradients"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  flow.fetch %dx {name = "dx"} : (tensor<4x8xf32>) -> ()
}
