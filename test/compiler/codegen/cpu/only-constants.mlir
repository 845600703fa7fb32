// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants that meet only constants come from memory: MLIR would divide them and keep the denormal
// quotient, which kernels flush. The machine code has a zero.
// RUN: sluice-opt --codegen-emit-codelets %s | FileCheck %s
// RUN: sluicec %s -o %t && %t --input x=f32=1 | FileCheck %s --check-prefix=RUN-OUT

// CHECK: llvm.load {{.*}} -> f32
// CHECK: llvm.load {{.*}} -> f32
// CHECK: %[[LARGE:.*]] = llvm.load {{.*}} -> f32
// CHECK-NEXT: arith.divf %{{.*}}, %[[LARGE]]
// RUN-OUT: y f32[] = 0
flow.graph @main {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %r = flow.codelet (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%x0: tensor<f32>):
    %small = nd.constant {value = dense<1.0e-30> : tensor<f32>} : () -> tensor<f32>
    %large = nd.constant {value = dense<1.0e+10> : tensor<f32>} : () -> tensor<f32>
    %tiny = nd.div %small, %large : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %zero = nd.minimum %tiny, %x0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %zero : (tensor<f32>) -> ()
  }
  flow.fetch %r {name = "y"} : (tensor<f32>) -> ()
}
