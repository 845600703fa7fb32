// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that write variables carry values.
// RUN: sluice-opt %s --codegen-carry-variables | FileCheck %s
// RUN: sluice-opt %s --codegen-carry-variables --codegen-choose-loops | FileCheck %s --check-prefix=CHOSEN

state.variable @u {key = "u", type = tensor<4xf32>}
state.variable @v {key = "v", type = tensor<4xf32>}

// A read, an update by arithmetic and an assignment, one after the other. The body may not run, so both ends are
// told the first condition; and a result of the loop is there when the variables have their values.
// CHOSEN-LABEL: flow.graph @line
// CHOSEN: flow.while
// CHOSEN-SAME: codegen.collapse
// CHECK-LABEL: flow.graph @line
// CHECK: %[[N:.*]] = flow.feed {name = "n"}
// CHECK: %[[X:.*]] = flow.feed {name = "x"}
// CHECK: %[[U:.*]], %{{.*}} = state.reference {variable = @u}
// CHECK: %[[V:.*]], %{{.*}} = state.handle {variable = @v}
// CHECK: %[[RUNS:.*]] = nd.less %{{.*}}, %[[N]]
// CHECK: %[[TAKEN:.*]]:2, %{{.*}} = state.take %[[RUNS]], %[[U]], %[[V]], %{{.*}} -> (tensor<4xf32>, tensor<4xf32>, !flow.token)
// CHECK: %[[LOOP:.*]]:4 = flow.while(%{{.*}}, %[[X]], %[[TAKEN]]#0, %[[TAKEN]]#1)
// CHECK: } body {
// CHECK-NEXT: ^bb0(%{{[^:]*}}: tensor<i32>, %[[S:[^:]*]]: tensor<4xf32>, %[[UNOW:[^:]*]]: tensor<4xf32>, %[[VNOW:[^:]*]]: tensor<4xf32>,
// CHECK-NOT: state.
// CHECK: %[[Y:.*]] = nd.mul %[[S]], %[[UNOW]]
// CHECK: %[[SUM:.*]] = nd.add %[[UNOW]], %[[Y]]
// CHECK: %[[Z:.*]] = nd.mul %[[VNOW]], %[[SUM]]
// CHECK-NOT: state.
// CHECK: flow.yield %{{.*}}, %{{.*}}, %[[SUM]], %[[Z]]
// CHECK: %[[GIVEN:.*]] = state.give %[[RUNS]], %[[U]], %[[V]], %[[LOOP]]#2, %[[LOOP]]#3
// CHECK: %[[LAST:.*]] = flow.gate %[[LOOP]]#1, %[[GIVEN]]
// CHECK: flow.fetch %[[LAST]]
flow.graph @line {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %u, %ud = state.reference {variable = @u} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %v, %vd = state.handle {variable = @v} : () -> (!state.resource<tensor<4xf32>>, !flow.token)
  %r:2 = flow.while (%zero, %x) (%n, %u, %v) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, tensor<i32>, !state.ref<tensor<4xf32>>, !state.resource<tensor<4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>, %b: !state.resource<tensor<4xf32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>, %b: !state.resource<tensor<4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %value, %t0 = state.read %a : (!state.ref<tensor<4xf32>>) -> (tensor<4xf32>, !flow.token)
    %y = nd.mul %s, %value : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %t1 = state.assign_add %a, %y, %t0 : (!state.ref<tensor<4xf32>>, tensor<4xf32>, !flow.token) -> !flow.token
    %new, %t2 = state.read %a, %t1 : (!state.ref<tensor<4xf32>>, !flow.token) -> (tensor<4xf32>, !flow.token)
    %old, %t3 = state.read %b : (!state.resource<tensor<4xf32>>) -> (tensor<4xf32>, !flow.token)
    %z = nd.mul %old, %new : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %t4 = state.assign %b, %z, %t3 {validate_shape = true} : (!state.resource<tensor<4xf32>>, tensor<4xf32>, !flow.token) -> !flow.token
    %late = flow.gate %y, %t4 : (tensor<4xf32>, !flow.token) -> tensor<4xf32>
    flow.yield %next, %late : (tensor<i32>, tensor<4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<4xf32>) -> ()
}

// Branches within hand the value on; a write that races with the loop waits for it.
// CHECK-LABEL: flow.graph @branch
// CHECK: %[[TAKEN:.*]], %{{.*}} = state.take
// CHECK: %[[LOOP:.*]]:2 = flow.while(%{{.*}}, %[[TAKEN]])
// CHECK: } body {
// CHECK-NEXT: ^bb0(%{{[^:]*}}: tensor<i32>, %[[NOW:[^:]*]]: tensor<4xf32>,
// CHECK: %[[WAY:.*]]:2 = flow.cond %{{.*}}(%{{.*}}, %[[NOW]]) {{.*}} -> (tensor<i32>, tensor<4xf32>) on_true {
// CHECK: ^bb0(%{{[^:]*}}: tensor<4xf32>, %[[WAS:[^:]*]]: tensor<4xf32>):
// CHECK: %[[SUB:.*]] = nd.sub %[[WAS]], %{{.*}}
// CHECK: flow.yield %{{.*}}, %[[SUB]]
// CHECK: } on_false {
// CHECK: ^bb0(%{{[^:]*}}: tensor<4xf32>, %[[WAS:[^:]*]]: tensor<4xf32>):
// CHECK: flow.yield %{{.*}}, %[[WAS]]
// CHECK: flow.yield %{{.*}}, %[[WAY]]#1
// CHECK: %[[GIVEN:.*]] = state.give
// CHECK: state.assign %{{.*}}, %{{.*}}, %[[GIVEN]]
flow.graph @branch {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %u, %ud = state.reference {variable = @u} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %r = flow.while (%zero) (%n, %u) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>, !state.ref<tensor<4xf32>>) -> tensor<i32> before {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %value, %t0 = state.read %a : (!state.ref<tensor<4xf32>>) -> (tensor<4xf32>, !flow.token)
    %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %sum = nd.reduce_sum %value, %axis {keep_dims = false} : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
    %big = nd.less %sum, %sum : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %when = flow.gate %big, %t0 : (tensor<i1>, !flow.token) -> tensor<i1>
    %done = flow.cond %when (%a) : (tensor<i1>, !state.ref<tensor<4xf32>>) -> tensor<i32> on_true {
    ^bb0(%c: !state.ref<tensor<4xf32>>):
      %by = nd.constant {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
      %number = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %t1 = state.assign_sub %c, %by : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> !flow.token
      %way = flow.gate %number, %t1 : (tensor<i32>, !flow.token) -> tensor<i32>
      flow.yield %way : (tensor<i32>) -> ()
    } on_false {
    ^bb0(%c: !state.ref<tensor<4xf32>>):
      %number = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      flow.yield %number : (tensor<i32>) -> ()
    }
    %t2 = flow.after %done : (tensor<i32>) -> !flow.token
    %last = flow.gate %next, %t2 : (tensor<i32>, !flow.token) -> tensor<i32>
    flow.yield %last : (tensor<i32>) -> ()
  }
  %other = state.assign %u, %x {validate_shape = true} : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> !flow.token
  flow.target %other {name = "other"} : (!flow.token) -> ()
  flow.fetch %r {name = "y"} : (tensor<i32>) -> ()
}

// One that has a value at any time may be written before it is read, and is taken whether the body runs or not.
// CHECK-LABEL: flow.graph @assigned_first
// CHECK: %[[ALWAYS:.*]] = nd.constant {value = dense<true> : tensor<i1>}
// CHECK: state.take %[[ALWAYS]]
// CHECK: flow.while
// CHECK-NOT: state.assign
// CHECK: state.give %[[ALWAYS]]
state.variable @w {key = "w", type = tensor<4xf32>, initial = dense<1.0> : tensor<4xf32>}
flow.graph @assigned_first {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %w, %wd = state.reference {variable = @w} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %r:2 = flow.while (%zero, %x) (%n, %w) {frame = "first", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, tensor<i32>, !state.ref<tensor<4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %a: !state.ref<tensor<4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t0 = state.assign %a, %s {validate_shape = true} : (!state.ref<tensor<4xf32>>, tensor<4xf32>) -> !flow.token
    %y, %t1 = state.read %a, %t0 : (!state.ref<tensor<4xf32>>, !flow.token) -> (tensor<4xf32>, !flow.token)
    flow.yield %next, %y : (tensor<i32>, tensor<4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<4xf32>) -> ()
}

state.variable @memory {initial = dense<0.0> : tensor<1000x4xf32>, key = "memory", type = tensor<1000x4xf32>}

// One index vector replaces one row, which is written where the loop keeps it.
// CHOSEN-LABEL: flow.graph @one_row
// CHOSEN: flow.while
// CHOSEN-SAME: codegen.collapse
// CHECK-LABEL: flow.graph @one_row
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[I:[^:]*]]: tensor<i32>, %[[S:[^:]*]]: tensor<4xf32>, %[[NOW:[^:]*]]: tensor<1000x4xf32>,
// CHECK-DAG: %[[ROW:.*]] = nd.reshape %{{.*}} : (tensor<1x4xf32>, tensor<1xi64>) -> tensor<4xf32>
// CHECK-DAG: %[[AT:.*]] = nd.reshape %{{.*}} : (tensor<1x1xi32>, tensor<0xi64>) -> tensor<i32>
// CHECK: %[[NEXT:.*]] = nd.set_row %[[NOW]], %[[AT]], %[[ROW]]
// CHECK: nd.gather %[[NEXT]]
// CHECK-NOT: state.
// CHECK: flow.yield %{{.*}}, %{{.*}}, %[[NEXT]]
flow.graph @one_row {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %v, %vd = state.handle {variable = @memory} : () -> (!state.resource<tensor<1000x4xf32>>, !flow.token)
  %r:2 = flow.while (%zero, %x) (%n, %v) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, tensor<i32>, !state.resource<tensor<1000x4xf32>>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %b: !state.resource<tensor<1000x4xf32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %limit: tensor<i32>, %b: !state.resource<tensor<1000x4xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %vector = nd.constant {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
    %wide = nd.constant {value = dense<[1, 4]> : tensor<2xi32>} : () -> tensor<2xi32>
    %index = nd.reshape %i, %vector : (tensor<i32>, tensor<2xi32>) -> tensor<1x1xi32>
    %row = nd.reshape %s, %wide : (tensor<4xf32>, tensor<2xi32>) -> tensor<1x4xf32>
    %t = state.update_points %b, %index, %row {how = "update", ignore_bad_indices = false} : (!state.resource<tensor<1000x4xf32>>, tensor<1x1xi32>, tensor<1x4xf32>) -> !flow.token
    %m, %d = state.read %b, %t : (!state.resource<tensor<1000x4xf32>>, !flow.token) -> (tensor<1000x4xf32>, !flow.token)
    %zeroth = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %first = nd.gather %m, %zeroth, %none {batch_dims = 0 : i64} : (tensor<1000x4xf32>, tensor<1xi32>, tensor<i32>) -> tensor<1x4xf32>
    %flat = nd.constant {value = dense<4> : tensor<1xi32>} : () -> tensor<1xi32>
    %g = nd.reshape %first, %flat : (tensor<1x4xf32>, tensor<1xi32>) -> tensor<4xf32>
    %y = nd.add %s, %g : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    flow.yield %next, %y : (tensor<i32>, tensor<4xf32>) -> ()
  }
  flow.fetch %r#1 {name = "y"} : (tensor<4xf32>) -> ()
}
