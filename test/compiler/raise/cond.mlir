// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch: y = p ? -x : x.
// RUN: sluice-opt %s --raise-control-flow | FileCheck %s

// The switch's data becomes a capture, the merge a result. Each way is a region.
// CHECK-LABEL: flow.graph @branch
flow.graph @branch {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // CHECK: %[[Y:.*]] = flow.cond %[[P:[0-9]+]](%[[X:[0-9]+]]) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>):
  // CHECK-NEXT:   %[[N:.*]] = nd.neg %[[A]]
  // CHECK-NEXT:   flow.yield %[[N]]
  // CHECK-NEXT: } on_false {
  // CHECK-NEXT: ^bb0(%[[B:.*]]: tensor<f32>):
  // CHECK-NEXT:   flow.yield %[[B]]
  // CHECK-NEXT: }
  // CHECK-NEXT: flow.fetch %[[Y]]
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %y, %i, %m = flow.merge %f, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// Merges of one predicate are results of one op. What nobody asks for is no result, and the index of
// a merge, which says the way, is a constant on each, once the value is there.
// CHECK-LABEL: flow.graph @results
flow.graph @results {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // CHECK: flow.cond {{.*}} -> (tensor<i32>, tensor<f32>) on_true {
  // CHECK:   %[[ONE:.*]] = nd.constant {value = dense<1> : tensor<i32>}
  // CHECK:   %[[N:.*]] = nd.neg
  // CHECK:   %[[DONE:.*]] = flow.after %[[N]]
  // CHECK:   %[[INDEX:.*]] = flow.gate %[[ONE]], %[[DONE]]
  // CHECK:   flow.yield %[[INDEX]]
  // CHECK: } on_false {
  // CHECK: ^bb0(%[[F:.*]]: tensor<f32>):
  // CHECK:   %[[ZERO:.*]] = nd.constant {value = dense<0> : tensor<i32>}
  // CHECK:   %[[DONE:.*]] = flow.after %[[F]]
  // CHECK:   %[[INDEX:.*]] = flow.gate %[[ZERO]], %[[DONE]]
  // CHECK:   flow.yield %[[INDEX]]
  // CHECK-NOT: flow.merge
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %e = nd.exp %f : (tensor<f32>) -> tensor<f32>
  %y, %yi, %ym = flow.merge %f, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %z, %zi, %zm = flow.merge %t, %e : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %yi {name = "i:0"} : (tensor<i32>) -> ()
  flow.fetch %z {name = "z:0"} : (tensor<f32>) -> ()
}

// Constants come along. The predicate behind a switch on itself, which says when a branch begins, is
// known: a gate that waits for nothing else disappears.
// CHECK-LABEL: flow.graph @pivot
flow.graph @pivot {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %two = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  // CHECK: flow.cond %{{.*}}() : (tensor<i1>) -> tensor<f32> on_true {
  // CHECK:   %[[TWO:.*]] = nd.constant {value = dense<2.000000e+00>
  // CHECK:   flow.yield %[[TWO]]
  // CHECK: } on_false {
  // CHECK:   %[[ONE:.*]] = nd.constant {value = dense<1.000000e+00>
  // CHECK:   flow.yield %[[ONE]]
  %f, %t, %s = flow.switch %p, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %on_false = flow.after %f : (tensor<i1>) -> !flow.token
  %on_true = flow.after %t : (tensor<i1>) -> !flow.token
  %a = flow.gate %one, %on_false : (tensor<f32>, !flow.token) -> tensor<f32>
  %b = flow.gate %two, %on_true : (tensor<f32>, !flow.token) -> tensor<f32>
  %y, %i, %m = flow.merge %a, %b : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// A switch on the negated predicate goes the other way.
// CHECK-LABEL: flow.graph @negated
flow.graph @negated {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %not = nd.logical_not %p : (tensor<i1>) -> tensor<i1>
  // CHECK: flow.cond %{{.*}} on_true {
  // CHECK:   nd.neg
  // CHECK: } on_false {
  // CHECK:   nd.exp
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %g, %u, %v = flow.switch %x, %not : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %a = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %b = nd.exp %u : (tensor<f32>) -> tensor<f32>
  %y, %i, %m = flow.merge %a, %b : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
