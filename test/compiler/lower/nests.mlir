// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nested regions: each op ends up in the graph, tied to the region that it comes from.
// RUN: sluice-opt --lower-control-flow --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// The inner loop starts at a constant, so that is gated: it enters once for each iteration outside,
// dead in the last one. Locations stay.
// CHECK-LABEL: flow.graph @loops
// CHECK-DAG: %[[ZERO:.*]] = nd.constant
// CHECK-DAG: %[[I:.*]], %{{.*}}, %{{.*}} = flow.merge %{{.*}}, %[[IN:.*]] : {{.*}} loc("outer/i")
// CHECK-DAG: %{{.*}}, %[[T:.*]], %{{.*}} = flow.switch %[[I]], %{{.*}} :
// CHECK-DAG: %[[S:.*]] = flow.after %[[T]]
// CHECK-DAG: %[[G:.*]] = flow.gate %[[ZERO]], %[[S]]
// CHECK-DAG: flow.enter %[[G]] {constant = false, frame = "inner"
// CHECK-DAG: flow.enter %[[T]] {constant = true, frame = "inner"
// CHECK-DAG: nd.add {{.*}} loc("inner/add")
flow.graph @loops {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %last = flow.while (%zero) (%n) {frame = "outer", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
  ^bb0(%i: tensor<i32> loc("outer/i"), %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>):
    %z = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %r = flow.while (%z) (%i) {frame = "inner", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
    ^bb0(%j: tensor<i32>, %c: tensor<i32>):
      %q = nd.less %j, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %q (%j) : (tensor<i1>, tensor<i32>) -> ()
    } body {
    ^bb0(%j: tensor<i32>, %c: tensor<i32>):
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %next = nd.add %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("inner/add")
      flow.yield %next : (tensor<i32>) -> ()
    }
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %r, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next : (tensor<i32>) -> ()
  }
  flow.fetch %last {name = "last"} : (tensor<i32>) -> ()
}

// A branch whose predicate is a loop invariant: the predicate is gated, so that nothing of it
// happens in the loop's last iteration.
// CHECK-LABEL: flow.graph @branch_in_loop
// CHECK-DAG: %[[Q:.*]] = flow.enter %{{.*}} {constant = true
// CHECK-DAG: %[[G:.*]] = flow.gate %[[Q]], %{{.*}} : (tensor<i1>
// CHECK-DAG: flow.switch %{{.*}}, %[[G]] : (tensor<i32>, tensor<i1>)
flow.graph @branch_in_loop {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %q = flow.feed {name = "q"} : () -> tensor<i1>
  %last = flow.while (%n) (%q) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i1>) -> tensor<i32> before {
  ^bb0(%i: tensor<i32>, %c: tensor<i1>):
    %ten = nd.constant {value = dense<10> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %c: tensor<i1>):
    %r = flow.cond %c (%i) : (tensor<i1>, tensor<i32>) -> tensor<i32> on_true {
    ^bb0(%j: tensor<i32>):
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %k = nd.add %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      flow.yield %k : (tensor<i32>) -> ()
    } on_false {
    ^bb0(%j: tensor<i32>):
      %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
      %k = nd.add %j, %two : (tensor<i32>, tensor<i32>) -> tensor<i32>
      flow.yield %k : (tensor<i32>) -> ()
    }
    flow.yield %r : (tensor<i32>) -> ()
  }
  flow.fetch %last {name = "last"} : (tensor<i32>) -> ()
}

// A loop that carries nothing, in a branch: what goes round instead is tied to the branch.
state.variable @v {key = "v", type = tensor<i1>}
// CHECK-LABEL: flow.graph @effect_in_branch
// CHECK-DAG: %[[TRUE:.*]] = nd.constant {value = dense<true>
// CHECK-DAG: %{{.*}}, %[[T:.*]], %{{.*}} = flow.switch %[[P:.*]], %[[P]] :
// CHECK-DAG: %[[S:.*]] = flow.after %[[T]]
// CHECK-DAG: %[[G:.*]] = flow.gate %[[TRUE]], %[[S]]
// CHECK-DAG: flow.enter %[[G]] {constant = false, frame = "loop"
flow.graph @effect_in_branch {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.cond %p () : (tensor<i1>) -> tensor<i1> on_true {
    %s = flow.while () () {frame = "loop", parallel_iterations = 1 : i64} : () -> tensor<i1> before {
      %h, %ht = state.handle {variable = @v} : () -> (!state.resource<tensor<i1>>, !flow.token)
      %q, %t = state.read %h : (!state.resource<tensor<i1>>) -> (tensor<i1>, !flow.token)
      flow.condition %q (%q) : (tensor<i1>, tensor<i1>) -> ()
    } body {
    ^bb0(%q: tensor<i1>):
      flow.yield : () -> ()
    }
    flow.yield %s : (tensor<i1>) -> ()
  } on_false {
    %c = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
    flow.yield %c : (tensor<i1>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i1>) -> ()
}
