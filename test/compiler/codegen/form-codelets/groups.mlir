// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours become one codelet. What is used outside is a result, small constants are copied, and
// ops keep their locations.
// RUN: sluice-opt --codegen-form-codelets --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// CHECK-LABEL: flow.graph @neighbours
// CHECK: %[[X:.*]] = flow.feed
// CHECK: %[[C:.*]]:2 = flow.codelet(%[[X]]) : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<16xf32>
// CHECK-NEXT: %[[TWO:.*]] = nd.constant
// CHECK-NEXT: %[[M:.*]] = nd.mul %[[A]], %[[TWO]] {{.*}} loc("mul")
// CHECK-NEXT: %[[E:.*]] = nd.exp %[[M]]
// CHECK-NEXT: %[[N:.*]] = nd.neg %[[E]]
// CHECK-NEXT: flow.yield %[[M]], %[[N]]
// CHECK-NEXT: }
// CHECK-NEXT: flow.fetch %[[C]]#0
// CHECK-NEXT: flow.fetch %[[C]]#1
flow.graph @neighbours {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %two = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %m = nd.mul %x, %two : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32> loc("mul")
  %e = nd.exp %m : (tensor<16xf32>) -> tensor<16xf32>
  %n = nd.neg %e : (tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %m {name = "m"} : (tensor<16xf32>) -> ()
  flow.fetch %n {name = "n"} : (tensor<16xf32>) -> ()
}

// What has nothing to do with each other does not wait for each other.
// CHECK-LABEL: flow.graph @strangers
// CHECK: flow.codelet
// CHECK: nd.neg
// CHECK: nd.exp
// CHECK: flow.codelet
// CHECK: nd.exp
// CHECK: nd.neg
flow.graph @strangers {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %y = flow.feed {name = "y"} : () -> tensor<16xf32>
  %a = nd.neg %x : (tensor<16xf32>) -> tensor<16xf32>
  %b = nd.exp %y : (tensor<16xf32>) -> tensor<16xf32>
  %c = nd.exp %a : (tensor<16xf32>) -> tensor<16xf32>
  %d = nd.neg %b : (tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %c {name = "c"} : (tensor<16xf32>) -> ()
  flow.fetch %d {name = "d"} : (tensor<16xf32>) -> ()
}
