// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that leaves a branch and comes back. As one op the branch would depend on itself.
// RUN: sluice-opt %s --raise-control-flow | FileCheck %s

// Two branches on one predicate, one after the other. What both use is computed in both.
// CHECK-LABEL: flow.graph @same_predicate
flow.graph @same_predicate {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // CHECK: %[[FIRST:.*]] = flow.cond
  // CHECK:   nd.neg
  // CHECK: %[[E:.*]] = nd.exp %[[FIRST]]
  // CHECK: %[[SECOND:.*]] = flow.cond %{{[0-9]+}}({{.*}}%[[E]]{{.*}})
  // CHECK:   nd.neg
  // CHECK:   nd.add
  // CHECK: flow.fetch %[[SECOND]]
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %a, %ai, %am = flow.merge %f, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %e = nd.exp %a : (tensor<f32>) -> tensor<f32>
  %ef, %et, %es = flow.switch %e, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %sum = nd.add %et, %n : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %b, %bi, %bm = flow.merge %ef, %sum : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %b {name = "b:0"} : (tensor<f32>) -> ()
}

// Two branches that cross: the first result of p leads into q, and the second one of q into p.
// CHECK-LABEL: flow.graph @crossing
flow.graph @crossing {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // CHECK-COUNT-4: = flow.cond
  // CHECK-NOT: flow.merge
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %g, %u, %v = flow.switch %x, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %p1, %p1i, %p1m = flow.merge %f, %t : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %q1, %q1i, %q1m = flow.merge %g, %u : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %pq, %pqt, %pqs = flow.switch %p1, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %qp, %qpt, %qps = flow.switch %q1, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %q2, %q2i, %q2m = flow.merge %pq, %pqt : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %p2, %p2i, %p2m = flow.merge %qp, %qpt : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %p2 {name = "p2:0"} : (tensor<f32>) -> ()
  flow.fetch %q2 {name = "q2:0"} : (tensor<f32>) -> ()
}
