// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch: its mirror is a branch with the same predicate.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// What a way computed and its derivative needs is on a tape, which has one element if that way was taken, and
// none if not. What a way was given the mirror is given, too.
// CHECK-LABEL: flow.graph @both_ways
// CHECK: %[[P:.*]] = flow.feed {{.*}}"p"
// CHECK: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK: %[[TAPE:.*]] = list.make {{.*}}element_shape = tensor<f32>
// CHECK-NOT: list.make
// CHECK: %[[BRANCH:.*]]:2 = flow.cond %[[P]](%[[X]], %[[TAPE]]) {{.*}} on_true {
// CHECK: %[[E:.*]] = nd.exp
// CHECK-NEXT: %[[WITH_E:.*]] = list.push %{{.*}}, %[[E]]
// CHECK-NEXT: flow.yield %[[E]], %[[WITH_E]]
// CHECK: } on_false {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %[[TAPE:.*]]: !list{{.*}}):
// CHECK-NEXT: %[[S:.*]] = nd.mul
// CHECK-NEXT: flow.yield %[[S]], %[[TAPE]]
// CHECK: %[[ONE:.*]] = nd.constant {value = dense<1.0
// CHECK: %[[DX:.*]]:2 = flow.cond %[[P]](%[[ONE]], %[[BRANCH]]#1, %[[X]]) {{.*}} on_true {
// CHECK-NEXT: ^bb0(%[[DY:.*]]: tensor<f32>, %[[TAPE:.*]]: !list{{.*}}, %{{.*}}: tensor<f32>):
// CHECK-NEXT: %[[E:.*]], %[[REST:.*]] = list.pop %[[TAPE]]
// CHECK-NEXT: %[[DA:.*]] = nd.mul %[[DY]], %[[E]]
// CHECK-NEXT: flow.yield %[[DA]], %[[REST]]
// CHECK: } on_false {
// CHECK-NEXT: ^bb0(%[[DY:.*]]: tensor<f32>, %[[TAPE:.*]]: !list{{.*}}, %[[A:.*]]: tensor<f32>):
// CHECK-NEXT: %[[LEFT:.*]] = nd.mul %[[DY]], %[[A]]
// CHECK-NEXT: %[[RIGHT:.*]] = nd.mul %[[A]], %[[DY]]
// CHECK-NEXT: %[[DA:.*]] = nd.add %[[LEFT]], %[[RIGHT]]
// CHECK-NEXT: flow.yield %[[DA]], %[[TAPE]]
// CHECK: flow.fetch %[[DX]]#0 {name = "dx"}
flow.graph @both_ways {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %y = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>):
    %e = nd.exp %a : (tensor<f32>) -> tensor<f32>
    flow.yield %e : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>):
    %s = nd.mul %a, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %s : (tensor<f32>) -> ()
  }
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// Integers and bools that a branch gives have no derivatives. Where one way makes the value of integers, its
// derivative is zero; nothing is saved.
// CHECK-LABEL: flow.graph @no_derivatives
// CHECK-NOT: list.
// CHECK: flow.cond %[[P:.*]](%{{.*}}, %{{.*}}) : {{.*}} -> (tensor<f32>, tensor<i32>, tensor<i1>) on_true {
// CHECK: %[[DX:.*]] = flow.cond %[[P]](%{{.*}}) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
// CHECK-NEXT: ^bb0(%[[DY:.*]]: tensor<f32>):
// CHECK-NEXT: flow.yield %[[DY]]
// CHECK: } on_false {
// CHECK: %[[ZERO:.*]] = nd.constant {value = dense<0.0
// CHECK-NEXT: flow.yield %[[ZERO]]
// CHECK: flow.fetch %[[DX]] {name = "dx"}
flow.graph @no_derivatives {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r:3 = flow.cond %p (%x, %n) : (tensor<i1>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>, tensor<i1>) on_true {
  ^bb0(%a: tensor<f32>, %i: tensor<i32>):
    %c = nd.less %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.yield %a, %i, %c : (tensor<f32>, tensor<i32>, tensor<i1>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>, %i: tensor<i32>):
    %k = nd.cast %i : (tensor<i32>) -> tensor<f32>
    %j = nd.add %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c = nd.less %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.yield %k, %j, %c : (tensor<f32>, tensor<i32>, tensor<i1>) -> ()
  }
  %dx = flow.gradient of %r#0 seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %r#1 {name = "n1"} : (tensor<i32>) -> ()
  flow.fetch %r#2 {name = "b"} : (tensor<i1>) -> ()
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// A loop in a branch: its tape is that of the branch, and so is one of how often it ran.
// CHECK-LABEL: flow.graph @loop_in_branch
// CHECK: %[[RUNS:.*]] = list.make {{.*}}element_shape = tensor<i32>
// CHECK: %[[TAPE:.*]] = list.make {{.*}}element_shape = tensor<f32>
// CHECK: %[[BRANCH:.*]]:3 = flow.cond %[[P:.*]](%{{.*}}, %{{.*}}, %[[RUNS]], %[[TAPE]]) {{.*}} on_true {
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %{{.*}}: tensor<i32>, %[[RUNS:.*]]: !list.of<tensor<i32>>, %[[TAPE:.*]]: !list.of<tensor<f32>>):
// CHECK: %[[LOOP:.*]]:3 = flow.while(%{{.*}}, %[[A]], %[[TAPE]]) {{.*}}"loop"
// CHECK: list.push
// CHECK: %[[MORE_RUNS:.*]] = list.push %[[RUNS]], %[[LOOP]]#0
// CHECK-NEXT: flow.yield %[[LOOP]]#1, %[[MORE_RUNS]], %[[LOOP]]#2
// CHECK: flow.cond %[[P]](%{{.*}}, %[[BRANCH]]#1, %[[BRANCH]]#2) {{.*}} on_true {
// CHECK-NEXT: ^bb0(%[[DY:.*]]: tensor<f32>, %[[RUNS:.*]]: !list.of<tensor<i32>>, %[[TAPE:.*]]: !list.of<tensor<f32>>):
// CHECK-NEXT: %[[N:.*]], %{{.*}} = list.pop %[[RUNS]]
// CHECK: flow.while(%[[N]], %[[DY]], %[[TAPE]]) {{.*}}"loop/mirror"
flow.graph @loop_in_branch {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %y = flow.cond %p (%x, %n) : (tensor<i1>, tensor<f32>, tensor<i32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>, %m: tensor<i32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %r:2 = flow.while (%zero, %a) (%m) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>) before {
    ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>):
      %c = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %c (%i, %s) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
    } body {
    ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>):
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %t = nd.tanh %s : (tensor<f32>) -> tensor<f32>
      flow.yield %j, %t : (tensor<i32>, tensor<f32>) -> ()
    }
    flow.yield %r#1 : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>, %m: tensor<i32>):
    flow.yield %a : (tensor<f32>) -> ()
  }
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}
