// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop becomes a frame.
// RUN: sluice-opt --lower-control-flow %s | FileCheck %s

// The limit does not go round, and needs no switch; constants do not even enter.
// CHECK-LABEL: flow.graph @count
// CHECK: %[[N:.*]] = flow.feed
// CHECK-DAG: %[[ZERO:.*]] = nd.constant {value = dense<0>
// CHECK-DAG: %[[ONE:.*]] = nd.constant {value = dense<1>
// CHECK-DAG: %[[NC:.*]] = flow.enter %[[N]] {constant = true, frame = "loop", parallel_iterations = 7 : i64}
// CHECK-DAG: %[[I0:.*]] = flow.enter %[[ZERO]] {constant = false, frame = "loop", parallel_iterations = 7 : i64}
// CHECK-DAG: %[[I:.*]], %{{.*}}, %{{.*}} = flow.merge %[[I0]], %[[I2:.*]] :
// CHECK-DAG: %[[P:.*]] = nd.less %[[I]], %[[NC]]
// CHECK-DAG: %[[C:.*]] = flow.loop_cond %[[P]]
// CHECK-DAG: %[[F:.*]], %[[T:.*]], %{{.*}} = flow.switch %[[I]], %[[C]]
// CHECK-DAG: %[[I1:.*]] = nd.add %[[T]], %[[ONE]]
// CHECK-DAG: %[[I2]] = flow.next_iteration %[[I1]]
// CHECK-DAG: %[[R:.*]] = flow.exit %[[F]]
// CHECK-DAG: flow.fetch %[[R]]
flow.graph @count {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %last = flow.while (%zero) (%n) {frame = "loop", parallel_iterations = 7 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next : (tensor<i32>) -> ()
  }
  flow.fetch %last {name = "last"} : (tensor<i32>) -> ()
}

// Invariants are there in the last iteration too, in which the body is not run. So an op of
// invariants in the body is gated by a value that the condition lets through, here the counter;
// one in `before` by the counter itself. The result that is not used leaves no trace.
// CHECK-LABEL: flow.graph @invariants
// CHECK: %[[X:.*]] = flow.enter %{{.*}} {constant = true
// CHECK: %[[I:.*]], %{{.*}}, %{{.*}} = flow.merge
// CHECK: %[[SB:.*]] = flow.after %[[I]]
// CHECK: %[[GB:.*]] = flow.gate %[[X]], %[[SB]]
// CHECK: nd.neg %[[GB]]
// CHECK: flow.exit
// CHECK: %{{.*}}, %[[T:.*]], %{{.*}} = flow.switch %[[I]], %{{.*}}
// CHECK-NOT: flow.exit
// CHECK: %[[S:.*]] = flow.after %[[T]]
// CHECK: %[[G:.*]] = flow.gate %[[X]], %[[S]]
// CHECK: nd.mul %[[G]], %[[X]]
flow.graph @invariants {
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%x) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) before {
  ^bb0(%i: tensor<i32>, %y: tensor<i32>, %c: tensor<i32>):
    %limit = nd.neg %c : (tensor<i32>) -> tensor<i32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%y, %i) : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  } body {
  ^bb0(%y: tensor<i32>, %i: tensor<i32>, %c: tensor<i32>):
    %square = nd.mul %c, %c : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sum = nd.add %y, %square : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %next = nd.add %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next, %sum : (tensor<i32>, tensor<i32>) -> ()
  }
  flow.fetch %r#0 {name = "r"} : (tensor<i32>) -> ()
}

// A loop that carries nothing: something has to go round nevertheless. A constant that goes round
// is gated.
state.variable @v {key = "v", type = tensor<i1>}
// CHECK-LABEL: flow.graph @effect
// CHECK-DAG: %[[TRUE:.*]] = nd.constant {value = dense<true>
// CHECK-DAG: %[[E:.*]] = flow.enter %[[TRUE]] {constant = false
// CHECK-DAG: %[[M:.*]], %{{.*}}, %{{.*}} = flow.merge %[[E]], %[[NEXT:.*]] :
// CHECK-DAG: %[[SB:.*]] = flow.after %[[M]]
// CHECK-DAG: state.handle %[[SB]]
// CHECK-DAG: %[[P:.*]], %{{.*}} = state.read
// CHECK-DAG: %[[C:.*]] = flow.loop_cond %[[P]]
// CHECK-DAG: %{{.*}}, %[[T:.*]], %{{.*}} = flow.switch %[[P]], %[[C]]
// CHECK-DAG: %[[S:.*]] = flow.after %[[T]]
// CHECK-DAG: %[[G:.*]] = flow.gate %[[TRUE]], %[[S]]
// CHECK-DAG: %[[NEXT]] = flow.next_iteration %[[G]]
flow.graph @effect {
  %r = flow.while () () {frame = "loop", parallel_iterations = 1 : i64} : () -> tensor<i1> before {
    %h, %ht = state.handle {variable = @v} : () -> (!state.resource<tensor<i1>>, !flow.token)
    %p, %t = state.read %h : (!state.resource<tensor<i1>>) -> (tensor<i1>, !flow.token)
    flow.condition %p (%p) : (tensor<i1>, tensor<i1>) -> ()
  } body {
  ^bb0(%p: tensor<i1>):
    flow.yield : () -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i1>) -> ()
}

// Frames of one parent have different names; an inner one may have that of its parent.
// CHECK-LABEL: flow.graph @names
// CHECK-DAG: flow.enter %{{.*}} frame = "loop"
// CHECK-DAG: flow.enter %{{.*}} frame = "loop_1"
// CHECK-NOT: frame = "loop_2"
// CHECK: }
flow.graph @names {
  %x = flow.feed {name = "x"} : () -> tensor<i1>
  %r = flow.while (%x) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1> before {
  ^bb0(%p: tensor<i1>):
    flow.condition %p (%p) : (tensor<i1>, tensor<i1>) -> ()
  } body {
  ^bb0(%p: tensor<i1>):
    %s = flow.while (%p) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1> before {
    ^bb0(%q: tensor<i1>):
      flow.condition %q (%q) : (tensor<i1>, tensor<i1>) -> ()
    } body {
    ^bb0(%q: tensor<i1>):
      %n = nd.logical_not %q : (tensor<i1>) -> tensor<i1>
      flow.yield %n : (tensor<i1>) -> ()
    }
    flow.yield %s : (tensor<i1>) -> ()
  }
  %r2 = flow.while (%r) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1> before {
  ^bb0(%p: tensor<i1>):
    flow.condition %p (%p) : (tensor<i1>, tensor<i1>) -> ()
  } body {
  ^bb0(%p: tensor<i1>):
    flow.yield %p : (tensor<i1>) -> ()
  }
  flow.fetch %r2 {name = "r"} : (tensor<i1>) -> ()
}
