// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of variables move to the front of loops that only read them, and wait there for what the
// loops wait for.
// RUN: sluice-opt --codegen-hoist-reads %s | FileCheck %s
// RUN: sluice-opt --codegen-hoist-reads --codegen-choose-loops %s | FileCheck %s --check-prefix=CHOSEN

state.variable @w {key = "w", type = tensor<4xf32>}
state.variable @b {key = "b", type = tensor<4xf32>}

// CHOSEN-LABEL: flow.graph @may_not_run
// CHOSEN: flow.while
// CHOSEN-SAME: codegen.collapse
// The body may not run, so the variable may have no value: its condition is asked first.
// CHECK-LABEL: flow.graph @may_not_run
// CHECK-DAG: %[[N:.*]] = flow.feed {{.*}}"n"
// CHECK-DAG: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK-DAG: %[[W:.*]], %{{.*}} = state.reference {{.*}}@w
// CHECK-DAG: %[[ZERO:.*]] = nd.constant {{.*}}dense<0> : tensor<i32>
// CHECK-DAG: %[[AFTER_N:.*]] = flow.after %[[N]]
// CHECK-DAG: %[[AFTER_X:.*]] = flow.after %[[X]]
// CHECK: %[[FIRST:.*]] = nd.less %{{.*}}, %[[N]]
// CHECK: %[[LATE:.*]] = flow.gate %[[FIRST]], %[[AFTER_X]], %[[AFTER_N]]
// CHECK: %[[VALUE:.*]] = flow.cond %[[LATE]](%[[W]]) {codegen.reads} : (tensor<i1>, !state.ref<tensor<4xf32>>) -> tensor<4xf32> on_true {
// CHECK: state.read %{{.*}} : (!state.ref<tensor<4xf32>>) -> (tensor<4xf32>, !flow.token)
// CHECK: } on_false {
// CHECK: nd.fill
// CHECK: flow.while(%{{.*}}, %[[X]]) (%[[N]], %[[VALUE]])
// CHECK-NOT: state.read
// CHECK: flow.fetch
flow.graph @may_not_run {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %w, %wd = state.reference {variable = @w} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%n, %w) {frame = "l", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, tensor<i32>, !state.ref<tensor<4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %y: tensor<4xf32>, %m: tensor<i32>, %v: !state.ref<tensor<4xf32>>):
    %p = nd.less %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %y) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %y: tensor<4xf32>, %m: tensor<i32>, %v: !state.ref<tensor<4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %u, %d = state.read %v, %y : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> (tensor<4xf32>, !flow.token)
    %z = nd.add %y, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %k = flow.gate %j, %d : (tensor<i32>, !flow.token) -> tensor<i32>
    flow.yield %k, %z : (tensor<i32>, tensor<4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<4xf32>) -> ()
}

// A condition that is true at once needs no branch. Two captures of one variable are one read. A
// branch in the loop reads, too: there is another read that takes place in any case.
// CHOSEN-LABEL: flow.graph @surely_runs
// CHOSEN: codegen.collapse
// CHECK-LABEL: flow.graph @surely_runs
// CHECK: state.handle
// CHECK: %[[A:.*]] = flow.after
// CHECK-NEXT: %[[VALUE:.*]], %{{.*}} = state.read %{{[^,]*}}, %[[A]] :
// CHECK: flow.while(%{{.*}}, %{{.*}}) (%[[VALUE]], %[[VALUE]])
// CHECK-NOT: state.read
// CHECK: flow.fetch
flow.graph @surely_runs {
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %w, %wd = state.handle {variable = @w} : () -> (!state.resource<tensor<4xf32>>, !flow.token)
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while (%zero, %x) (%w, %w) {frame = "l", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, !state.resource<tensor<4xf32>>, !state.resource<tensor<4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %y: tensor<4xf32>, %v: !state.resource<tensor<4xf32>>, %v2: !state.resource<tensor<4xf32>>):
    %n = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %y) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %y: tensor<4xf32>, %v: !state.resource<tensor<4xf32>>, %v2: !state.resource<tensor<4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %t = flow.after %y : (tensor<4xf32>) -> !flow.token
    %late = flow.gate %v, %t : (!state.resource<tensor<4xf32>>, !flow.token) -> !state.resource<tensor<4xf32>>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %even = nd.less %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %u = flow.cond %even (%late, %y) : (tensor<i1>, !state.resource<tensor<4xf32>>, tensor<4xf32>) -> tensor<4xf32> on_true {
    ^bb0(%a: !state.resource<tensor<4xf32>>, %c: tensor<4xf32>):
      %e, %d = state.read %a : (!state.resource<tensor<4xf32>>) -> (tensor<4xf32>, !flow.token)
      flow.yield %e : (tensor<4xf32>) -> ()
    } on_false {
    ^bb0(%a: !state.resource<tensor<4xf32>>, %c: tensor<4xf32>):
      flow.yield %c : (tensor<4xf32>) -> ()
    }
    %u2, %d2 = state.read %v2 : (!state.resource<tensor<4xf32>>) -> (tensor<4xf32>, !flow.token)
    %z = nd.add %u, %u2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    flow.yield %j, %z : (tensor<i32>, tensor<4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<4xf32>) -> ()
}

// An inner loop that surely runs in each iteration of the outer one, and reads in `before`.
// CHOSEN-LABEL: flow.graph @nested
// CHOSEN: codegen.collapse
// CHECK-LABEL: flow.graph @nested
// CHECK: flow.cond
// CHECK: state.read
// CHECK: flow.while
// CHECK-NOT: state.read
// CHECK: flow.fetch
flow.graph @nested {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %w, %wd = state.reference {variable = @w} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %r:2 = flow.while (%n, %x) (%w) {frame = "outer", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, !state.ref<tensor<4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %y: tensor<4xf32>, %v: !state.ref<tensor<4xf32>>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %zero, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %y) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %y: tensor<4xf32>, %v: !state.ref<tensor<4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %start = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %q:2 = flow.while (%start, %y) (%v) {frame = "inner", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, !state.ref<tensor<4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
    ^bb1(%k: tensor<i32>, %a: tensor<4xf32>, %vi: !state.ref<tensor<4xf32>>):
      %three = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
      %p = nd.less %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%k, %a) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
    } body {
    ^bb1(%k: tensor<i32>, %a: tensor<4xf32>, %vi: !state.ref<tensor<4xf32>>):
      %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
      %k2 = nd.add %k, %two : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %u, %d = state.read %vi, %a : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> (tensor<4xf32>, !flow.token)
      %c = nd.mul %a, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      flow.yield %k2, %c : (tensor<i32>, tensor<4xf32>) -> ()
    }
    %j = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %j, %q#1 : (tensor<i32>, tensor<4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<4xf32>) -> ()
}

// Reads wait for the write that the loop waits for. One that waits for the loop comes later anyway;
// one that the graph leaves unordered waits for both reads.
// CHOSEN-LABEL: flow.graph @writes
// CHOSEN: codegen.collapse
// CHECK-LABEL: flow.graph @writes
// CHECK: %[[SET:.*]] = state.assign %
// CHECK: %[[LATE:.*]] = flow.gate %{{.*}}, %[[SET]]
// CHECK: %[[EARLIER:.*]] = flow.after %[[LATE]]
// CHECK: %[[U:.*]], %[[DONE:.*]] = state.read %{{.*}}, %[[EARLIER]] :
// CHECK: %[[V:.*]], %{{.*}} = state.read %{{.*}}, %[[DONE]] :
// CHECK: %[[R:.*]]:2 = flow.while
// CHECK: %[[AFTER_U:.*]] = flow.after %[[U]]
// CHECK: %[[AFTER_V:.*]] = flow.after %[[V]]
// CHECK: %[[READ:.*]] = flow.trigger %[[AFTER_U]], %[[AFTER_V]]
// CHECK: state.apply_gradient_descent %{{[^,]*}}, %{{[^,]*}}, %[[R]]#1 :
// CHECK: state.assign_add %{{[^,]*}}, %{{[^,]*}}, %[[READ]] :
flow.graph @writes {
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %rate = flow.feed {name = "rate"} : () -> tensor<f32>
  %w, %wd = state.reference {variable = @w} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %b, %bd = state.reference {variable = @b} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %set = state.assign %w, %x {validate_shape = true} : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> !flow.token
  %late = flow.gate %x, %set : (tensor<4xf32>, !flow.token) -> tensor<4xf32>
  %r:2 = flow.while (%zero, %late) (%w, %b) {frame = "l", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, !state.ref<tensor<4xf32>>, !state.ref<tensor<4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %y: tensor<4xf32>, %v: !state.ref<tensor<4xf32>>, %c: !state.ref<tensor<4xf32>>):
    %n = nd.constant {value = dense<7> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %y) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %y: tensor<4xf32>, %v: !state.ref<tensor<4xf32>>, %c: !state.ref<tensor<4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %u, %d = state.read %v, %y : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> (tensor<4xf32>, !flow.token)
    %e, %f = state.read %c, %y : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> (tensor<4xf32>, !flow.token)
    %z = nd.add %u, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    flow.yield %j, %z : (tensor<i32>, tensor<4xf32>) -> ()
  }
  %step = state.apply_gradient_descent %w, %rate, %r#1 : (!state.ref<tensor<4xf32>>, tensor<f32>, tensor<4xf32>) -> !flow.token
  flow.target %step {name = "step"} : (!flow.token) -> ()
  %add = state.assign_add %b, %x : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> !flow.token
  flow.target %add {name = "add"} : (!flow.token) -> ()
}
