// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control tokens that cross the border of a region.
// RUN: sluice-opt %s --raise-control-flow | FileCheck %s

state.variable @v {key = "v", type = tensor<f32>}

// A token from outside is a capture of a branch.
// CHECK-LABEL: flow.graph @into_branch
flow.graph @into_branch {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: %[[T:.*]] = state.assign
  // CHECK: flow.cond %{{.*}}(%{{.*}}, %[[T]])
  // CHECK: ^bb0(%[[A:.*]]: tensor<f32>, %[[TOKEN:.*]]: !flow.token):
  // CHECK:   flow.gate %[[A]], %[[TOKEN]]
  %done = state.assign %v, %x {validate_shape = true} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %g = flow.gate %t, %done : (tensor<f32>, !flow.token) -> tensor<f32>
  %n = nd.neg %g : (tensor<f32>) -> tensor<f32>
  %y, %i, %m = flow.merge %f, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// A switch on a predicate that waits for a token: what goes through it has waited, too.
// CHECK-LABEL: flow.graph @gated_predicate
flow.graph @gated_predicate {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: %[[LATE:.*]] = flow.gate %[[P:.*]], %{{.*}} : (tensor<i1>
  // CHECK: %[[T:.*]] = flow.after %[[LATE]]
  // CHECK: %[[G:.*]] = flow.gate %[[X:.*]], %[[T]]
  // CHECK: flow.cond %[[P]](%[[G]], %[[X]])
  %done = state.assign %v, %x {validate_shape = true} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  %late = flow.gate %p, %done : (tensor<i1>, !flow.token) -> tensor<i1>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %lf, %lt, %ls = flow.switch %x, %late : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %y, %i, %m = flow.merge %f, %lt : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// The token of a merge says that its value is there; a merge waits for tokens, dead or not.
// CHECK-LABEL: flow.graph @of_merge
flow.graph @of_merge {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: %[[Y:.*]]:2 = flow.cond {{.*}} -> (!flow.token, tensor<f32>) on_true {
  // CHECK:   %[[T:.*]] = state.assign
  // CHECK:   flow.yield %[[T]], %{{.*}}
  // CHECK: } on_false {
  // CHECK: %[[W:.*]] = flow.trigger %[[Y]]#0
  // CHECK: %[[G:.*]] = flow.gate %[[Y]]#1, %[[W]]
  // CHECK: flow.after %[[G]]
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %done = state.assign %v, %t {validate_shape = true} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  %y, %i, %m = flow.merge %f, %t, %done : (tensor<f32>, tensor<f32>, !flow.token) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.target %m {name = "y"} : (!flow.token) -> ()
}

// No token enters a loop's body from before the condition: a value that waits for it does.
// CHECK-LABEL: flow.graph @within_loop
flow.graph @within_loop {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: flow.while
  // CHECK:   %[[T:.*]] = state.assign
  // CHECK:   %[[P:.*]] = nd.less
  // CHECK:   %[[G:.*]] = flow.gate %[[P]], %[[T]]
  // CHECK:   flow.condition %[[P]](%[[G]], %[[I:.*]])
  // CHECK: } body {
  // CHECK-NEXT: ^bb0(%[[WAITED:.*]]: tensor<i1>, %[[I:.*]]: tensor<f32>, %{{.*}}):
  // CHECK:   %[[A:.*]] = flow.after %[[WAITED]]
  // CHECK:   flow.gate %[[I]], %[[A]]
  %vin = flow.enter %v {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (!state.resource<tensor<f32>>) -> !state.resource<tensor<f32>>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %done = state.assign %vin, %i {validate_shape = true} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %next = flow.gate %t, %done : (tensor<f32>, !flow.token) -> tensor<f32>
  %x1 = flow.next_iteration %next : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// The counter is there when the body begins, for the condition has waited for it: a constant that
// waits for it waits for nothing. Another value may come later.
// CHECK-LABEL: flow.graph @with_counter
flow.graph @with_counter {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<i32>
  // CHECK: } body {
  // CHECK-NEXT: ^bb0(%[[I:.*]]: tensor<i32>, %[[Y:.*]]: tensor<i32>, %{{.*}}):
  // CHECK-DAG: %[[ONE:.*]] = nd.constant {value = dense<1>
  // CHECK-DAG: %[[TWO:.*]] = nd.constant {value = dense<2>
  // CHECK-DAG: nd.add %[[I]], %[[ONE]]
  // CHECK-DAG: %[[T:.*]] = flow.after %[[Y]]
  // CHECK-DAG: %[[LATE:.*]] = flow.gate %[[TWO]], %[[T]]
  // CHECK-DAG: nd.mul %[[Y]], %[[LATE]]
  // CHECK: flow.yield
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %limit = flow.enter %n {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i0 = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %i, %ii, %im = flow.merge %i0, %i1 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %y, %yi, %ym = flow.merge %x0, %x1 : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %if, %it, %is = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %yf, %yt, %ys = flow.switch %y, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %with_i = flow.after %it : (tensor<i32>) -> !flow.token
  %step = flow.gate %one, %with_i : (tensor<i32>, !flow.token) -> tensor<i32>
  %next = nd.add %it, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %with_y = flow.after %yt : (tensor<i32>) -> !flow.token
  %late = flow.gate %two, %with_y : (tensor<i32>, !flow.token) -> tensor<i32>
  %more = nd.mul %yt, %late : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %i1 = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  %x1 = flow.next_iteration %more : (tensor<i32>) -> tensor<i32>
  %last = flow.exit %yf : (tensor<i32>) -> tensor<i32>
  flow.fetch %last {name = "last:0"} : (tensor<i32>) -> ()
}
