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

// The second switch on p takes what a loop gives, and the loop takes what the first merge gives. In
// the loop they have nothing to do with each other, but as one op the loop would be on a circle.
// CHECK-LABEL: flow.graph @around_a_loop
flow.graph @around_a_loop {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %go = flow.feed {name = "go:0"} : () -> tensor<i1>
  // CHECK: %[[FIRST:.*]] = flow.cond
  // CHECK: %[[LOOP:.*]]:3 = flow.while
  // CHECK-SAME: %[[FIRST]]
  // CHECK: %[[SECOND:.*]] = flow.cond
  // CHECK-SAME: %[[LOOP]]#
  // CHECK-NOT: flow.merge
  // CHECK: flow.fetch %[[SECOND]]
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %a, %ai, %am = flow.merge %f, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %g0 = flow.enter %go {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %v0 = flow.enter %a {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %w0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %g, %gi, %gm = flow.merge %g0, %g1 : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
  %v, %vi, %vm = flow.merge %v0, %v1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %w, %wi, %wm = flow.merge %w0, %w1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %c = flow.loop_cond %g : (tensor<i1>) -> tensor<i1>
  %gf, %gt, %gs = flow.switch %g, %c : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %vf, %vt, %vs = flow.switch %v, %c : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %wf, %wt, %ws = flow.switch %w, %c : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %gn = nd.logical_not %gt : (tensor<i1>) -> tensor<i1>
  %g1 = flow.next_iteration %gn : (tensor<i1>) -> tensor<i1>
  %v1 = flow.next_iteration %vt : (tensor<f32>) -> tensor<f32>
  %w1 = flow.next_iteration %wt : (tensor<f32>) -> tensor<f32>
  %vx = flow.exit %vf : (tensor<f32>) -> tensor<f32>
  %wx = flow.exit %wf : (tensor<f32>) -> tensor<f32>
  %bf, %bt, %bs = flow.switch %wx, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %e = nd.exp %bt : (tensor<f32>) -> tensor<f32>
  %b, %bi, %bm = flow.merge %bf, %e : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %b {name = "b:0"} : (tensor<f32>) -> ()
  flow.fetch %vx {name = "v:0"} : (tensor<f32>) -> ()
}
