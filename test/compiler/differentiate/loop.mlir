// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop, and its mirror, which runs as often and begins with the last iteration.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// s = x; for (i = 0; i < n; ++i) s = tanh(s * w). What an iteration computed is pushed to a tape, and the
// mirror pops it. It counts down from the loop's own counter; what a capture contributes is summed from
// iteration to iteration.
// CHECK-LABEL: flow.graph @forward_and_back
// CHECK: %[[N:.*]] = flow.feed {{.*}}"n"
// CHECK: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK: %[[W:.*]] = flow.feed {{.*}}"w"
// CHECK: %[[TAPE_T:.*]] = list.make {{.*}}element_shape = tensor<f32>, identical = false
// CHECK: %[[TAPE_S:.*]] = list.make
// CHECK: %[[LOOP:.*]]:4 = flow.while(%{{.*}}, %[[X]], %[[TAPE_T]], %[[TAPE_S]]) (%[[N]], %[[W]]) {frame = "loop",
// CHECK: flow.condition %{{.*}}(%{{.*}}, %{{.*}}, %[[TAPE_T:.*]], %[[TAPE_S:.*]]) :
// CHECK-NEXT: } body {
// CHECK-NEXT: ^bb0(%{{.*}}, %[[S:.*]]: tensor<f32>, %[[TAPE_T:.*]]: !list{{.*}}, %[[TAPE_S:.*]]: !list{{.*}}, %{{.*}}: tensor<i32>, %{{.*}}: tensor<f32>):
// CHECK: %[[T:.*]] = nd.tanh
// CHECK-NEXT: %[[WITH_T:.*]] = list.push %[[TAPE_T]], %[[T]]
// CHECK-NEXT: %[[WITH_S:.*]] = list.push %[[TAPE_S]], %[[S]]
// CHECK-NEXT: flow.yield %{{.*}}, %[[T]], %[[WITH_T]], %[[WITH_S]]
// CHECK: %[[DS:.*]] = nd.constant {value = dense<1.0
// CHECK: %[[DW:.*]] = nd.constant {value = dense<0.0
// CHECK-NEXT: %[[MIRROR:.*]]:5 = flow.while(%[[LOOP]]#0, %[[DS]], %[[DW]], %[[LOOP]]#2, %[[LOOP]]#3) (%[[W]]) {frame = "loop/mirror",
// CHECK-SAME: before {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: tensor<i32>, %[[DS:.*]]: tensor<f32>, %[[DW:.*]]: tensor<f32>, %[[TAPE_T:.*]]: !list{{.*}}, %[[TAPE_S:.*]]: !list{{.*}}, %{{.*}}: tensor<f32>):
// CHECK-NEXT: %[[ZERO:.*]] = nd.constant {value = dense<0> : tensor<i32>}
// CHECK-NEXT: %[[MORE:.*]] = nd.greater %[[LEFT]], %[[ZERO]]
// CHECK-NEXT: flow.condition %[[MORE]](%[[LEFT]], %[[DS]], %[[DW]], %[[TAPE_T]], %[[TAPE_S]])
// CHECK-NEXT: } body {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: tensor<i32>, %[[DS:.*]]: tensor<f32>, %[[DW:.*]]: tensor<f32>, %[[TAPE_T:.*]]: !list{{.*}}, %[[TAPE_S:.*]]: !list{{.*}}, %[[W_INSIDE:.*]]: tensor<f32>):
// CHECK-NEXT: %[[T:.*]], %[[REST_T:.*]] = list.pop %[[TAPE_T]] {element_shape = tensor<f32>}
// CHECK-NEXT: %[[S:.*]], %[[REST_S:.*]] = list.pop %[[TAPE_S]]
// CHECK: nd.mul %[[T]], %[[T]]
// CHECK: %[[DM:.*]] = nd.mul %[[DS]], %{{.*}} :
// CHECK-NEXT: %[[NEXT_DS:.*]] = nd.mul %[[DM]], %[[W_INSIDE]]
// CHECK-NEXT: %[[PART:.*]] = nd.mul %[[S]], %[[DM]]
// CHECK: %[[NEXT_LEFT:.*]] = nd.sub %[[LEFT]], %{{.*}} : (tensor<i32>
// CHECK-NEXT: %[[NEXT_DW:.*]] = nd.add %[[DW]], %[[PART]]
// CHECK-NEXT: flow.yield %[[NEXT_LEFT]], %[[NEXT_DS]], %[[NEXT_DW]], %[[REST_T]], %[[REST_S]]
// CHECK: flow.fetch %[[MIRROR]]#1 {name = "dx"}
// CHECK: flow.fetch %[[MIRROR]]#2 {name = "dw"}
flow.graph @forward_and_back {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %1 = flow.feed {name = "w"} : () -> tensor<f32>
  %w = flow.independent %1 {name = "w"} : (tensor<f32>) -> tensor<f32>
  %r:2 = flow.while (%zero, %x) (%n, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>, %c: tensor<f32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>, %c: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %m = nd.mul %s, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %t = nd.tanh %m : (tensor<f32>) -> tensor<f32>
    flow.yield %j, %t : (tensor<i32>, tensor<f32>) -> ()
  }
  %dx, %dw = flow.gradient of %r#1 seeds wrt %x, %w stops {name = "gradients"} : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
  flow.fetch %dw {name = "dw"} : (tensor<f32>) -> ()
}

// -----

// A seed that the loop itself makes: the loop becomes another one, which carries a tape, and the seed is its result.
// CHECK-LABEL: flow.graph @own_seed
// CHECK: %[[LOOP:.*]]:3 = flow.while({{.*}}"loop"
// CHECK: flow.while(%[[LOOP]]#0, %[[LOOP]]#1, %[[LOOP]]#2) () {frame = "loop/mirror"
flow.graph @own_seed {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r:2 = flow.while (%zero, %x) (%n) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.exp %s : (tensor<f32>) -> tensor<f32>
    flow.yield %j, %t : (tensor<i32>, tensor<f32>) -> ()
  }
  %dx = flow.gradient of %r#1 seeds %r#1 wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// while (s < limit) s = exp(s): a loop without a counter gets one. Its condition depends on what
// derivatives go through, and has none.
// CHECK-LABEL: flow.graph @own_counter
// CHECK: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK: %[[ZERO:.*]] = nd.constant {value = dense<0> : tensor<i32>}
// CHECK: %[[TAPE:.*]] = list.make
// CHECK: %[[LOOP:.*]]:3 = flow.while(%[[X]], %[[ZERO]], %[[TAPE]])
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %[[COUNT:.*]]: tensor<i32>, %{{.*}}: !list{{.*}}, %{{.*}}: tensor<f32>):
// CHECK: flow.condition %{{.*}}(%{{.*}}, %[[COUNT]], %{{.*}}) :
// CHECK-NEXT: } body {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %[[COUNT:.*]]: tensor<i32>, %{{.*}}: !list{{.*}}, %{{.*}}: tensor<f32>):
// CHECK: %[[E:.*]] = nd.exp
// CHECK: %[[ONE:.*]] = nd.constant {value = dense<1> : tensor<i32>}
// CHECK: %[[NEXT:.*]] = nd.add %[[COUNT]], %[[ONE]]
// CHECK: %[[TAPE:.*]] = list.push %{{.*}}, %[[E]]
// CHECK: flow.yield %[[E]], %[[NEXT]], %[[TAPE]]
// CHECK: flow.while(%[[LOOP]]#1, %{{.*}}, %[[LOOP]]#2) () {frame = "loop/mirror"
flow.graph @own_counter {
  %limit = flow.feed {name = "limit"} : () -> tensor<f32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r = flow.while (%x) (%limit) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32> before {
  ^bb0(%s: tensor<f32>, %most: tensor<f32>):
    %p = nd.less %s, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
    flow.condition %p (%s) : (tensor<i1>, tensor<f32>) -> ()
  } body {
  ^bb0(%s: tensor<f32>, %most: tensor<f32>):
    %e = nd.exp %s : (tensor<f32>) -> tensor<f32>
    flow.yield %e : (tensor<f32>) -> ()
  }
  %dx = flow.gradient of %r seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// Nothing is saved of what the mirror has anyway: captures, constants and counters, here one that starts at
// 5 and grows by 3.
// CHECK-LABEL: flow.graph @found_again
// CHECK: %[[W:.*]] = flow.feed {{.*}}"w"
// CHECK: list.make
// CHECK-NOT: list.make
// CHECK: flow.while({{.*}}"loop/mirror"
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: tensor<i32>, %[[DL:.*]]: !list.of<tensor<f32>>, %[[DW:.*]]: tensor<f32>, %[[C:.*]]: tensor<f32>):
// CHECK: %[[ONE:.*]] = nd.constant {value = dense<1> : tensor<i32>}
// CHECK-NEXT: %[[INDEX:.*]] = nd.sub %[[LEFT]], %[[ONE]]
// CHECK-NEXT: %[[THREE:.*]] = nd.constant {value = dense<3> : tensor<i32>}
// CHECK-NEXT: %[[STEPS:.*]] = nd.mul %[[INDEX]], %[[THREE]]
// CHECK-NEXT: %[[FIVE:.*]] = nd.constant {value = dense<5> : tensor<i32>}
// CHECK-NEXT: %[[K:.*]] = nd.add %[[STEPS]], %[[FIVE]]
// CHECK: %[[DM:.*]] = list.peek %[[DL]], %[[K]]
// CHECK: nd.mul %[[DM]], %[[C]]
flow.graph @found_again {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %five = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "w"} : () -> tensor<f32>
  %w = flow.independent %0 {name = "w"} : (tensor<f32>) -> tensor<f32>
  %l = list.make %n {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %r:3 = flow.while (%zero, %five, %l) (%n, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>, !list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<i32>, !list.of<tensor<f32>>) before {
  ^bb0(%i: tensor<i32>, %k: tensor<i32>, %e: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %k, %e) : (tensor<i1>, tensor<i32>, tensor<i32>, !list.of<tensor<f32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %k: tensor<i32>, %e: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %three = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %next = nd.add %three, %k : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %m = nd.mul %c, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %f = list.set %e, %k, %m {grow = false, once = true} : (!list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> !list.of<tensor<f32>>
    flow.yield %j, %next, %f : (tensor<i32>, tensor<i32>, !list.of<tensor<f32>>) -> ()
  }
  %y, %rest = list.get %r#2, %five {beyond = false, clear = false} : (!list.of<tensor<f32>>, tensor<i32>) -> (tensor<f32>, !list.of<tensor<f32>>)
  %dw = flow.gradient of %y seeds wrt %w stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dw {name = "dw"} : (tensor<f32>) -> ()
}

// -----

// Of a value that only its shape is asked of, the shape is saved.
// CHECK-LABEL: flow.graph @shape_only
// CHECK-NOT: !list.of<tensor<*xf32>>
// CHECK: list.make {{.*}}element_shape = tensor<?xi64>
// CHECK: flow.while({{.*}}frame = "loop",
// CHECK: } body {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %[[S:.*]]: tensor<*xf32>, %{{.*}}: !list.of<tensor<?xi64>>,
// CHECK-NEXT: %[[SHAPE:.*]] = nd.shape %[[S]]
// CHECK: list.push %{{.*}}, %[[SHAPE]]
// CHECK: frame = "loop/mirror"
// CHECK: } body {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %[[DS:.*]]: tensor<*xf32>,
// CHECK: list.pop %{{.*}} {element_shape = tensor<?xi64>}
// CHECK: %[[SUM:.*]] = nd.reduce_sum %[[DS]]
// CHECK: nd.reshape %[[SUM]], %{{.*}}
// CHECK-NOT: !list.of<tensor<*xf32>>
// CHECK: flow.fetch
flow.graph @shape_only {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %c = flow.feed {name = "c"} : () -> tensor<*xf32>
  %0 = flow.feed {name = "x"} : () -> tensor<*xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<*xf32>) -> tensor<*xf32>
  %r:2 = flow.while (%zero, %x) (%n, %c) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<*xf32>, tensor<i32>, tensor<*xf32>) -> (tensor<i32>, tensor<*xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<*xf32>, %limit: tensor<i32>, %add: tensor<*xf32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<*xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<*xf32>, %limit: tensor<i32>, %add: tensor<*xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.add %s, %add : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    flow.yield %j, %t : (tensor<i32>, tensor<*xf32>) -> ()
  }
  %dx = flow.gradient of %r#1 seeds wrt %x stops {name = "gradients"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  flow.fetch %dx {name = "dx"} : (tensor<*xf32>) -> ()
}
