// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equal ops become one, and so do their users; the first one's place is kept.
// RUN: sluice-opt --optimize-merge-duplicates --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// CHECK-LABEL: flow.graph @chain
flow.graph @chain {
  // CHECK: %[[X:.*]] = flow.feed
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // CHECK: %[[C:.*]] = nd.constant {{.*}}dense<1.000000e+00> {{.*}}loc("c")
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32> loc("c")
  %d = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32> loc("d")
  // CHECK: %[[A:.*]] = nd.add %[[X]], %[[C]] {{.*}}loc("a")
  %a = nd.add %x, %c : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("a")
  %b = nd.add %x, %d : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("b")
  // CHECK: nd.mul %[[A]], %[[A]]
  %m = nd.mul %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %m {name = "m:0"} : (tensor<f32>) -> ()
}

// Operands may stand later in the text.
// CHECK-LABEL: flow.graph @any_order
// CHECK-COUNT-1: nd.neg
// CHECK-NOT: nd.neg
// CHECK: nd.abs {{.*}}loc("first")
// CHECK-NOT: nd.abs
flow.graph @any_order {
  flow.fetch %a {name = "a:0"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<f32>) -> ()
  %a = nd.neg %u : (tensor<f32>) -> tensor<f32>
  %b = nd.neg %v : (tensor<f32>) -> tensor<f32>
  %v = nd.abs %x : (tensor<f32>) -> tensor<f32> loc("first")
  %u = nd.abs %x : (tensor<f32>) -> tensor<f32> loc("second")
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
}

// CHECK-LABEL: flow.graph @forwarding
// CHECK-COUNT-1: flow.start
// CHECK-NOT: flow.start
// CHECK-COUNT-1: flow.after
// CHECK-NOT: flow.after
// CHECK-COUNT-1: flow.join
// CHECK-NOT: flow.join
// CHECK-COUNT-1: flow.gate
// CHECK-NOT: flow.gate
// CHECK: %[[F:.*]], %[[T:.*]], %{{.*}} = flow.switch
// CHECK-NOT: flow.switch
// CHECK: nd.add %[[T]], %[[T]]
// CHECK: flow.enter
// CHECK-NOT: flow.enter
flow.graph @forwarding {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %s0 = flow.start : () -> !flow.token
  %s1 = flow.start : () -> !flow.token
  %a0 = flow.after %x : (tensor<f32>) -> !flow.token
  %a1 = flow.after %x : (tensor<f32>) -> !flow.token
  %j0 = flow.join %s0, %a0 : (!flow.token, !flow.token) -> !flow.token
  %j1 = flow.join %s1, %a1 : (!flow.token, !flow.token) -> !flow.token
  %g0 = flow.gate %x, %j0 : (tensor<f32>, !flow.token) -> tensor<f32>
  %g1 = flow.gate %x, %j1 : (tensor<f32>, !flow.token) -> tensor<f32>
  %f2, %t2, %k2 = flow.switch %g0, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %f3, %t3, %k3 = flow.switch %g1, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %sum = nd.add %t2, %t3 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %e0 = flow.enter %sum {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %e1 = flow.enter %sum {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %y = nd.add %e0, %e1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %out = flow.exit %y : (tensor<f32>) -> tensor<f32>
  flow.fetch %out {name = "out:0"} : (tensor<f32>) -> ()
}

// Constants in resource blobs are compared by what they hold.
// CHECK-LABEL: flow.graph @blobs
// CHECK: %[[A:.*]] = nd.constant {{.*}}dense_resource<a>
// CHECK: %[[C:.*]] = nd.constant {{.*}}dense_resource<c>
// CHECK-NOT: nd.constant
// CHECK: nd.add %[[A]], %[[A]]
// CHECK: nd.mul %{{.*}}, %[[C]]
flow.graph @blobs {
  %a = nd.constant {value = dense_resource<a> : tensor<2xi32>} : () -> tensor<2xi32>
  %b = nd.constant {value = dense_resource<b> : tensor<2xi32>} : () -> tensor<2xi32>
  %c = nd.constant {value = dense_resource<c> : tensor<2xi32>} : () -> tensor<2xi32>
  %s = nd.add %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %m = nd.mul %s, %c : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  flow.fetch %m {name = "m:0"} : (tensor<2xi32>) -> ()
}
{-#
  dialect_resources: {
    builtin: {
      a: "0x400000000100000002000000",
      b: "0x400000000100000002000000",
      c: "0x400000000100000003000000"
    }
  }
#-}
