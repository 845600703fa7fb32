// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about shapes are answered from types. The answer is there when the operand is, and dead
// when the operand is; after a feed that needs no token.
// RUN: sluice-opt --optimize-fold-constants --optimize-prune-graph %s | FileCheck %s

// CHECK-LABEL: flow.graph @feed
// CHECK-NOT: flow.gate
// CHECK: %[[S:.*]] = nd.constant {{.*}}dense<[2, 3]> : tensor<2xi64>
// CHECK: %[[R:.*]] = nd.constant {{.*}}dense<2> : tensor<i32>
// CHECK: %[[N:.*]] = nd.constant {{.*}}dense<6> : tensor<i32>
// CHECK: flow.fetch %[[S]]
// CHECK: flow.fetch %[[R]]
// CHECK: flow.fetch %[[N]]
flow.graph @feed {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %s = nd.shape %x : (tensor<2x3xf32>) -> tensor<2xi64>
  %r = nd.rank %x : (tensor<2x3xf32>) -> tensor<i32>
  %n = nd.size %x : (tensor<2x3xf32>) -> tensor<i32>
  flow.fetch %s {name = "s:0"} : (tensor<2xi64>) -> ()
  flow.fetch %r {name = "r:0"} : (tensor<i32>) -> ()
  flow.fetch %n {name = "n:0"} : (tensor<i32>) -> ()
}

// CHECK-LABEL: flow.graph @branch
// CHECK: %{{.*}}, %[[T:.*]], %{{.*}} = flow.switch
// CHECK: %[[A:.*]] = flow.after %[[T]]
// CHECK-NOT: flow.after
// CHECK: %[[N:.*]] = nd.constant {{.*}}dense<7> : tensor<i32>
// CHECK: %[[G:.*]] = flow.gate %[[N]], %[[A]]
// CHECK: flow.fetch %[[G]]
flow.graph @branch {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %f, %t, %k = flow.switch %x, %p : (tensor<2x3xf32>, tensor<i1>) -> (tensor<2x3xf32>, tensor<2x3xf32>, !flow.token)
  %n = nd.size %t : (tensor<2x3xf32>) -> tensor<i32>
  %m = nd.add %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  flow.fetch %m {name = "m:0"} : (tensor<i32>) -> ()
}

// CHECK-LABEL: flow.graph @unknown
// CHECK: nd.shape
// CHECK: nd.size
// CHECK: nd.rank
// CHECK: nd.constant {{.*}}dense<2> : tensor<i32>
flow.graph @unknown {
  %x = flow.feed {name = "x:0"} : () -> tensor<?x3xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<*xf32>
  %s = nd.shape %x : (tensor<?x3xf32>) -> tensor<2xi32>
  %n = nd.size %x : (tensor<?x3xf32>) -> tensor<i32>
  %u = nd.rank %y : (tensor<*xf32>) -> tensor<i32>
  %r = nd.rank %x : (tensor<?x3xf32>) -> tensor<i32>
  flow.fetch %s {name = "s:0"} : (tensor<2xi32>) -> ()
  flow.fetch %n {name = "n:0"} : (tensor<i32>) -> ()
  flow.fetch %u {name = "u:0"} : (tensor<i32>) -> ()
  flow.fetch %r {name = "r:0"} : (tensor<i32>) -> ()
}

// 2^32 does not fit into i32: the node fails when it runs, and only then.
// CHECK-LABEL: flow.graph @overflow
// CHECK: nd.size
flow.graph @overflow {
  %x = flow.feed {name = "x:0"} : () -> tensor<65536x65536xf32>
  %n = nd.size %x : (tensor<65536x65536xf32>) -> tensor<i32>
  flow.fetch %n {name = "n:0"} : (tensor<i32>) -> ()
}
