// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Effects in branches and loops, and the order between them.
// RUN: sluice-opt %s --raise-control-flow | FileCheck %s

state.variable @v {key = "v", type = tensor<f32>}

// A write on one way only, then a read that must see it. The read waits for a trigger, which does not
// care whether the write's token is dead. In its place is a token that is live either way; where
// nothing is written it waits for what the write has waited for, as the dead one does.
// CHECK-LABEL: flow.graph @read_after_write
flow.graph @read_after_write {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: %[[DONE:.*]] = flow.cond %{{.*}} -> !flow.token on_true {
  // CHECK:   %[[T:.*]] = state.assign
  // CHECK:   flow.yield %[[T]]
  // CHECK: } on_false {
  // CHECK-NEXT: ^bb0(%[[V:.*]]: !state.resource<tensor<f32>>, %[[X:.*]]: tensor<f32>):
  // CHECK-DAG:   %[[AV:.*]] = flow.after %[[V]]
  // CHECK-DAG:   %[[AX:.*]] = flow.after %[[X]]
  // CHECK:       %[[S:.*]] = flow.trigger %[[A1:.*]], %[[A2:.*]] :
  // CHECK-NEXT:  flow.yield %[[S]]
  // CHECK: %[[ORDER:.*]] = flow.trigger %[[DONE]]
  // CHECK: state.read %{{.*}}, %[[ORDER]]
  %vf, %vt, %vs = flow.switch %v, %p : (!state.resource<tensor<f32>>, tensor<i1>) -> (!state.resource<tensor<f32>>, !state.resource<tensor<f32>>, !flow.token)
  %xf, %xt, %xs = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %done = state.assign %vt, %xt {validate_shape = true} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  %order = flow.trigger %done : (!flow.token) -> !flow.token
  %y, %r = state.read %v, %order : (!state.resource<tensor<f32>>, !flow.token) -> (tensor<f32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// A trigger between two effects of one way is inside, although it is always live: only the read waits
// for it. The merge's value is there after the read.
// CHECK-LABEL: flow.graph @order_inside
flow.graph @order_inside {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: flow.cond %{{.*}} -> tensor<f32> on_true {
  // CHECK:   %[[T:.*]] = state.assign
  // CHECK:   %[[O:.*]] = flow.trigger %[[T]]
  // CHECK:   %[[Y:.*]], %{{.*}} = state.read %{{.*}}, %[[O]]
  // CHECK:   flow.yield %[[Y]]
  // CHECK: } on_false {
  %vf, %vt, %vs = flow.switch %v, %p : (!state.resource<tensor<f32>>, tensor<i1>) -> (!state.resource<tensor<f32>>, !state.resource<tensor<f32>>, !flow.token)
  %xf, %xt, %xs = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %done = state.assign %vt, %xt {validate_shape = true} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  %order = flow.trigger %done : (!flow.token) -> !flow.token
  %r, %rt = state.read %vt, %order : (!state.resource<tensor<f32>>, !flow.token) -> (tensor<f32>, !flow.token)
  %y, %yi, %ym = flow.merge %xf, %r : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// Both ways write, and import has ordered the writes. The second one's trigger waits for a token that
// is dead whenever it matters; what remains of it is what the first write has waited for.
// CHECK-LABEL: flow.graph @either
flow.graph @either {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: flow.cond %{{.*}} -> !flow.token on_true {
  // CHECK:   state.assign %{{[^,]*}}, %{{[^,]*}} {
  // CHECK: } on_false {
  // CHECK:   %[[DEAD:.*]] = flow.trigger %{{.*}}, %{{.*}} :
  // CHECK:   %[[T:.*]] = flow.trigger %[[DEAD]]
  // CHECK:   state.assign %{{.*}}, %{{.*}}, %[[T]]
  // CHECK-NOT: flow.switch
  %vf, %vt, %vs = flow.switch %v, %p : (!state.resource<tensor<f32>>, tensor<i1>) -> (!state.resource<tensor<f32>>, !state.resource<tensor<f32>>, !flow.token)
  %xf, %xt, %xs = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %first = state.assign %vt, %xt {validate_shape = true} : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  %order = flow.trigger %first : (!flow.token) -> !flow.token
  %second = state.assign %vf, %xf, %order {validate_shape = true} : (!state.resource<tensor<f32>>, tensor<f32>, !flow.token) -> !flow.token
  flow.target %second {name = "second"} : (!flow.token) -> ()
}

// A loop that adds to a variable. The next iteration's value waits for the write.
// CHECK-LABEL: flow.graph @loop
flow.graph @loop {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %h = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
  // CHECK: flow.while(%{{.*}}) (%[[V:.*]])
  // CHECK: } body {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<f32>, %[[VARIABLE:.*]]: !state.resource<tensor<f32>>):
  // CHECK-NEXT:   %[[T:.*]] = state.assign_add %[[VARIABLE]], %[[X]]
  // CHECK-NEXT:   %[[N:.*]] = flow.gate %[[X]], %[[T]]
  // CHECK-NEXT:   flow.yield %[[N]]
  %vin = flow.enter %v {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (!state.resource<tensor<f32>>) -> !state.resource<tensor<f32>>
  %x0 = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %x0, %x1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %i, %go : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %done = state.assign_add %vin, %t : (!state.resource<tensor<f32>>, tensor<f32>) -> !flow.token
  %next = flow.gate %t, %done : (tensor<f32>, !flow.token) -> tensor<f32>
  %x1 = flow.next_iteration %next : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %f : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
