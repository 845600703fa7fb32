// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches in each other: a tape of what is inside goes through what is outside.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// One tape of the inner body, which the outer loop carries from one run of the inner loop to the next, one
// of how often the inner one ran, and none of tapes.
// CHECK-LABEL: flow.graph @loop_in_loop
// CHECK-NOT: !list.of<!list
// CHECK: %[[COUNTS:.*]] = list.make %{{.*}} {element_shape = tensor<i32>,
// CHECK: %[[TAPE:.*]] = list.make %{{.*}} {element_shape = tensor<f32>,
// CHECK-NOT: list.make
// CHECK: %[[LOOP:.*]]:4 = flow.while(%{{.*}}, %[[X:.*]], %[[COUNTS]], %[[TAPE]]) {{.*}} {frame = "outer",
// CHECK: } body {
// CHECK-NEXT: ^bb0(%{{.*}}, %{{.*}}, %[[COUNTS:.*]]: !list.of<tensor<i32>>, %[[TAPE:.*]]: !list.of<tensor<f32>>,
// CHECK: %[[INNER:.*]]:3 = flow.while(%{{.*}}, %{{.*}}, %[[TAPE]]) {{.*}} {frame = "inner",
// CHECK: } body {
// CHECK: %[[PUSHED:.*]] = list.push %{{.*}}, %{{.*}} : (!list.of<tensor<f32>>
// CHECK: flow.yield %{{.*}}, %{{.*}}, %[[PUSHED]] :
// CHECK: %[[PUSHED:.*]] = list.push %[[COUNTS]], %[[INNER]]#0
// CHECK: flow.yield %{{.*}}, %[[INNER]]#1, %[[PUSHED]], %[[INNER]]#2 :
// CHECK: flow.while(%[[LOOP]]#0, %{{.*}}, %[[LOOP]]#2, %[[LOOP]]#3) () {frame = "outer/mirror",
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: tensor<i32>, %[[DS:.*]]: tensor<f32>, %[[COUNTS:.*]]: !list.of<tensor<i32>>, %[[TAPE:.*]]: !list.of<tensor<f32>>):
// CHECK: %[[COUNT:.*]], %[[REST:.*]] = list.pop %[[COUNTS]]
// CHECK: %[[MIRROR:.*]]:3 = flow.while(%[[COUNT]], %[[DS]], %[[TAPE]]) () {frame = "inner/mirror",
// CHECK: list.pop
// CHECK: flow.yield %{{.*}}, %[[MIRROR]]#1, %[[REST]], %[[MIRROR]]#2 :
flow.graph @loop_in_loop {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r:2 = flow.while (%zero, %x) (%n) {frame = "outer", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>):
    %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t:2 = flow.while (%none, %s) (%i) {frame = "inner", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>) before {
    ^bb0(%j: tensor<i32>, %u: tensor<f32>, %most: tensor<i32>):
      %q = nd.less %j, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %q (%j, %u) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
    } body {
    ^bb0(%j: tensor<i32>, %u: tensor<f32>, %most: tensor<i32>):
      %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %k = nd.add %j, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %e = nd.exp %u : (tensor<f32>) -> tensor<f32>
      flow.yield %k, %e : (tensor<i32>, tensor<f32>) -> ()
    }
    flow.yield %next, %t#1 : (tensor<i32>, tensor<f32>) -> ()
  }
  %dx = flow.gradient of %r#1 seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// The mirror of a branch has the same predicate. Each way has tapes of its own, which the other way
// leaves as they are. A capture that only one way depends on has zeros in the other one.
// CHECK-LABEL: flow.graph @branch
// CHECK: %[[P:.*]] = flow.feed {{.*}}"p"
// CHECK: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK: %[[W:.*]] = flow.feed {{.*}}"w"
// CHECK: %[[TAPE:.*]] = list.make
// CHECK-NOT: list.make
// CHECK: %[[BRANCH:.*]]:3 = flow.cond %[[P]](%[[X]], %[[W]], %[[TAPE]])
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<2x2xf32>, %[[C:.*]]: tensor<2x2xf32>, %[[TAPE:.*]]: !list
// CHECK-NEXT: %[[M:.*]] = nd.matmul %[[A]], %[[C]]
// CHECK: %[[PUSHED:.*]] = list.push %[[TAPE]], %[[M]]
// CHECK-NEXT: flow.yield %{{.*}}, %[[C]], %[[PUSHED]] :
// CHECK-NEXT: } on_false {
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<2x2xf32>, %[[C:.*]]: tensor<2x2xf32>, %[[TAPE:.*]]: !list
// CHECK-NEXT: %[[NEG:.*]] = nd.neg %[[A]]
// CHECK-NEXT: flow.yield %[[NEG]], %[[C]], %[[TAPE]] :
// CHECK: %[[DY:.*]] = nd.constant {value = dense<1.0
// CHECK-NEXT: %[[MIRROR:.*]]:3 = flow.cond %[[P]](%[[DY]], %[[BRANCH]]#2, %[[W]], %[[X]])
// CHECK-NEXT: ^bb0(%[[DY:.*]]: tensor<2x2xf32>, %[[TAPE:.*]]: !list.of<tensor<2x2xf32>>, %[[C:.*]]: tensor<2x2xf32>, %[[A:.*]]: tensor<2x2xf32>):
// CHECK-NEXT: %[[M:.*]], %[[REST:.*]] = list.pop %[[TAPE]]
// CHECK-NEXT: %[[COS:.*]] = nd.cos %[[M]]
// CHECK-NEXT: %[[DM:.*]] = nd.mul %[[DY]], %[[COS]]
// CHECK-NEXT: %[[DA:.*]] = nd.matmul %[[DM]], %[[C]]
// CHECK-NEXT: %[[DC:.*]] = nd.matmul %[[A]], %[[DM]]
// CHECK-NEXT: flow.yield %[[DA]], %[[DC]], %[[REST]]
// CHECK-NEXT: } on_false {
// CHECK-NEXT: ^bb0(%[[DY:.*]]: tensor<2x2xf32>, %[[TAPE:.*]]: !list
// CHECK-DAG: %[[DA:.*]] = nd.neg %[[DY]]
// CHECK-DAG: %[[NONE:.*]] = nd.constant {value = dense<0.0
// CHECK-NEXT: flow.yield %[[DA]], %[[NONE]], %[[TAPE]]
// CHECK: flow.fetch %[[MIRROR]]#0 {name = "dx"}
// CHECK: flow.fetch %[[MIRROR]]#1 {name = "dw"}
flow.graph @branch {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %0 = flow.feed {name = "x"} : () -> tensor<2x2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = flow.feed {name = "w"} : () -> tensor<2x2xf32>
  %w = flow.independent %1 {name = "w"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %y, %unused = flow.cond %p (%x, %w) : (tensor<i1>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) on_true {
  ^bb0(%a: tensor<2x2xf32>, %c: tensor<2x2xf32>):
    %m = nd.matmul %a, %c {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %f = nd.sin %m : (tensor<2x2xf32>) -> tensor<2x2xf32>
    flow.yield %f, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  } on_false {
  ^bb0(%a: tensor<2x2xf32>, %c: tensor<2x2xf32>):
    %f = nd.neg %a : (tensor<2x2xf32>) -> tensor<2x2xf32>
    flow.yield %f, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  }
  %dx, %dw = flow.gradient of %y seeds wrt %x, %w stops {name = "gradients"} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
  flow.fetch %dx {name = "dx"} : (tensor<2x2xf32>) -> ()
  flow.fetch %dw {name = "dw"} : (tensor<2x2xf32>) -> ()
}

// -----

// Ways that depend on no x: there is no mirror.
// CHECK-LABEL: flow.graph @constant_ways
// CHECK: flow.cond
// CHECK-NOT: flow.cond
// CHECK: %[[ZERO:.*]] = nd.constant {value = dense<0.0
// CHECK-NEXT: flow.fetch %[[ZERO]]
flow.graph @constant_ways {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %y = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>):
    %f = nd.sign %a : (tensor<f32>) -> tensor<f32>
    flow.yield %f : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>):
    %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    flow.yield %one : (tensor<f32>) -> ()
  }
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// A branch in a loop: which way an iteration took is saved, and so is what the way needs, on a tape that
// grows in those iterations only that took it.
// CHECK-LABEL: flow.graph @branch_in_loop
// CHECK: %[[WAYS:.*]] = list.make %{{.*}} {element_shape = tensor<i1>,
// CHECK: %[[ENTERED:.*]] = list.make %{{.*}} {element_shape = tensor<2x2xf32>,
// CHECK: %[[TAPE:.*]] = list.make %{{.*}} {element_shape = tensor<2x2xf32>,
// CHECK: flow.while(%{{.*}}, %[[WAYS]], %[[ENTERED]], %[[TAPE]]) {{.*}} {frame = "loop",
// CHECK: } body {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %[[P:.*]]: tensor<i1>, %[[S:.*]]: tensor<2x2xf32>, %[[WAYS:.*]]: !list.of<tensor<i1>>, %[[ENTERED:.*]]: !list.of<tensor<2x2xf32>>, %[[TAPE:.*]]: !list.of<tensor<2x2xf32>>, %{{.*}}):
// CHECK: %[[BRANCH:.*]]:2 = flow.cond %[[P]](%[[S]], %[[TAPE]]) :
// CHECK-NEXT: ^bb0(%{{.*}}, %[[TAPE:.*]]: !list.of<tensor<2x2xf32>>):
// CHECK: %[[PUSHED:.*]] = list.push %[[TAPE]],
// CHECK: flow.yield %{{.*}}, %[[PUSHED]]
// CHECK: } on_false {
// CHECK-NEXT: ^bb0(%{{.*}}, %[[TAPE:.*]]: !list.of<tensor<2x2xf32>>):
// CHECK-NOT: list.push
// CHECK: flow.yield %{{.*}}, %[[TAPE]]
// CHECK: %[[WAYS_PUSHED:.*]] = list.push %[[WAYS]], %[[P]]
// CHECK: %[[ENTERED_PUSHED:.*]] = list.push %[[ENTERED]], %[[S]]
// CHECK: flow.yield %{{.*}}, %[[BRANCH]]#0, %[[WAYS_PUSHED]], %[[ENTERED_PUSHED]], %[[BRANCH]]#1
// CHECK: frame = "loop/mirror",
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: tensor<i32>, %[[DS:.*]]: tensor<2x2xf32>, %[[WAYS:.*]]: !list.of<tensor<i1>>, %[[ENTERED:.*]]: !list.of<tensor<2x2xf32>>, %[[TAPE:.*]]: !list.of<tensor<2x2xf32>>):
// CHECK: %[[P:.*]], %[[WAYS_LEFT:.*]] = list.pop %[[WAYS]]
// CHECK: %[[S:.*]], %[[ENTERED_LEFT:.*]] = list.pop %[[ENTERED]]
// CHECK: %[[MIRROR:.*]]:2 = flow.cond %[[P]](%[[DS]], %[[TAPE]], %[[S]]) :
// CHECK: list.pop
// CHECK: } on_false {
// CHECK-NOT: list.pop
// CHECK: flow.yield %{{.*}}, %[[MIRROR]]#0, %[[WAYS_LEFT]], %[[ENTERED_LEFT]], %[[MIRROR]]#1
flow.graph @branch_in_loop {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %first = flow.feed {name = "first"} : () -> tensor<i1>
  %0 = flow.feed {name = "x"} : () -> tensor<2x2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %r:3 = flow.while (%zero, %first, %x) (%n) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i1>, tensor<2x2xf32>, tensor<i32>) -> (tensor<i32>, tensor<i1>, tensor<2x2xf32>) before {
  ^bb0(%i: tensor<i32>, %q: tensor<i1>, %s: tensor<2x2xf32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %q, %s) : (tensor<i1>, tensor<i32>, tensor<i1>, tensor<2x2xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %q: tensor<i1>, %s: tensor<2x2xf32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %other = nd.logical_not %q : (tensor<i1>) -> tensor<i1>
    %t = flow.cond %q (%s) : (tensor<i1>, tensor<2x2xf32>) -> tensor<2x2xf32> on_true {
    ^bb0(%a: tensor<2x2xf32>):
      %m = nd.matmul %a, %a {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      %f = nd.sin %m : (tensor<2x2xf32>) -> tensor<2x2xf32>
      flow.yield %f : (tensor<2x2xf32>) -> ()
    } on_false {
    ^bb0(%a: tensor<2x2xf32>):
      %m = nd.neg %a : (tensor<2x2xf32>) -> tensor<2x2xf32>
      flow.yield %m : (tensor<2x2xf32>) -> ()
    }
    flow.yield %next, %other, %t : (tensor<i32>, tensor<i1>, tensor<2x2xf32>) -> ()
  }
  %dx = flow.gradient of %r#2 seeds wrt %x stops {name = "gradients"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  flow.fetch %dx {name = "dx"} : (tensor<2x2xf32>) -> ()
}

// -----

// A list that a loop fills with what derivatives go through: its derivative is a list, which the mirror
// carries and reads from.
// CHECK-LABEL: flow.graph @list
// CHECK: flow.while({{.*}}frame = "loop",
// CHECK: list.set
// CHECK: %[[DL:.*]] = list.unstack
// CHECK: %[[MIRROR:.*]]:3 = flow.while(%{{.*}}, %[[DL]], %{{.*}}) {{.*}} {frame = "loop/mirror"
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: tensor<i32>, %[[DL:.*]]: !list.of<tensor<f32>>, %[[DW:.*]]: tensor<f32>,
// CHECK: %[[INDEX:.*]] = nd.sub %[[LEFT]],
// CHECK: %[[DS:.*]] = list.peek %[[DL]], %[[INDEX]]
// CHECK: %[[PART:.*]] = nd.mul %[[DS]],
// CHECK: %[[SUM:.*]] = nd.add %[[DW]], %[[PART]]
// CHECK: flow.yield %{{.*}}, %[[DL]], %[[SUM]]
// CHECK: flow.fetch %[[MIRROR]]#2
flow.graph @list {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "w"} : () -> tensor<f32>
  %w = flow.independent %0 {name = "w"} : (tensor<f32>) -> tensor<f32>
  %l = list.make %n {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
  %r:2 = flow.while (%zero, %l) (%n, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, !list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> (tensor<i32>, !list.of<tensor<f32>>) before {
  ^bb0(%i: tensor<i32>, %m: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %m) : (tensor<i1>, tensor<i32>, !list.of<tensor<f32>>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %m: !list.of<tensor<f32>>, %limit: tensor<i32>, %c: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %s = nd.sin %c : (tensor<f32>) -> tensor<f32>
    %k = list.set %m, %i, %s {grow = false, once = true} : (!list.of<tensor<f32>>, tensor<i32>, tensor<f32>) -> !list.of<tensor<f32>>
    flow.yield %next, %k : (tensor<i32>, !list.of<tensor<f32>>) -> ()
  }
  %y = list.stack %r#1 {element_shape = tensor<f32>, num_elements = -1 : i64} : (!list.of<tensor<f32>>) -> tensor<?xf32>
  %dw = flow.gradient of %y seeds wrt %w stops {name = "gradients"} : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dw {name = "dw"} : (tensor<f32>) -> ()
}
