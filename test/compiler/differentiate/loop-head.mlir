// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `before` computes. It runs once more than the body, so its last run is mirrored behind the loop.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// e = exp(s) is made in `before`, given to the body, s = s * e, and leaves with the results.
// CHECK-LABEL: flow.graph @active
// CHECK: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK: %[[LOOP:.*]]:5 = flow.while({{.*}}frame = "loop",
// CHECK: %[[E:.*]] = nd.exp
// CHECK: flow.condition %{{.*}}(%{{.*}}, %[[E]], %{{.*}}, %{{.*}}, %{{.*}}) :
// CHECK-NEXT: } body {
// CHECK: list.push %{{.*}}, %[[E_INSIDE:.*]] {limit
// CHECK: flow.yield
// At last: dy/de of the result, times de/ds = e.
// CHECK: %[[ONE:.*]] = nd.constant {value = dense<1.0
// CHECK: %[[DS:.*]] = nd.mul %[[ONE]], %[[LOOP]]#1
// CHECK-NEXT: %[[MIRROR:.*]]:4 = flow.while(%[[LOOP]]#0, %[[DS]], %{{.*}}) () {frame = "loop/mirror"
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: tensor<i32>, %[[DS:.*]]: tensor<f32>,
// CHECK-NEXT: %[[E:.*]], %{{.*}} = list.pop
// CHECK-NEXT: %[[S:.*]], %{{.*}} = list.pop
// CHECK-NEXT: %[[FROM_BODY:.*]] = nd.mul %[[DS]], %[[E]]
// CHECK-NEXT: %[[DE:.*]] = nd.mul %[[S]], %[[DS]]
// CHECK-NEXT: %[[FROM_HEAD:.*]] = nd.mul %[[DE]], %[[E]]
// CHECK-NEXT: %[[NEXT_DS:.*]] = nd.add %[[FROM_BODY]], %[[FROM_HEAD]]
// CHECK: flow.yield %{{.*}}, %[[NEXT_DS]],
// CHECK: flow.fetch %[[MIRROR]]#1
flow.graph @active {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r:3 = flow.while (%zero, %x) (%n) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>):
    %e = nd.exp %s : (tensor<f32>) -> tensor<f32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %e, %s) : (tensor<i1>, tensor<i32>, tensor<f32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %e: tensor<f32>, %s: tensor<f32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = nd.mul %s, %e : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %j, %t : (tensor<i32>, tensor<f32>) -> ()
  }
  %dx = flow.gradient of %r#1 seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// sin(s) is forwarded, but its derivative needs s, which is not: it becomes a result, and an argument of
// the body, which saves it.
// CHECK-LABEL: flow.graph @forwards_more
// CHECK: %[[LOOP:.*]]:4 = flow.while({{.*}}frame = "loop",
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %[[S:.*]]: tensor<f32>, %{{.*}}
// CHECK: %[[SIN:.*]] = nd.sin %[[S]]
// CHECK: flow.condition %{{.*}}(%{{.*}}, %[[SIN]], %[[S]], %{{.*}}) :
// CHECK-NEXT: } body {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<f32>, %[[S:.*]]: tensor<f32>, %[[TAPE:.*]]: !list
// CHECK: list.push %[[TAPE]], %[[S]]
// CHECK: nd.cos %[[LOOP]]#2
// CHECK: flow.while({{.*}}frame = "loop/mirror"
// CHECK: %[[S:.*]], %{{.*}} = list.pop
// CHECK: nd.cos %[[S]]
flow.graph @forwards_more {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r:2 = flow.while (%zero, %x) (%n) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>):
    %sin = nd.sin %s : (tensor<f32>) -> tensor<f32>
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %sin) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %sin: tensor<f32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %j, %sin : (tensor<i32>, tensor<f32>) -> ()
  }
  %dx = flow.gradient of %r#1 seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// Arguments that change places, one value that goes on twice, and an integer and a bool that have no
// derivative: the mirror carries those of the two floats, and no others.
// CHECK-LABEL: flow.graph @crossed
// CHECK: %[[OF_V:.*]] = flow.feed {{.*}}"of_v"
// CHECK: %[[OF_U:.*]] = flow.feed {{.*}}"of_u"
// CHECK: %[[LOOP:.*]]:4 = flow.while(
// The first result is the third argument.
// CHECK: %[[MIRROR:.*]]:3 = flow.while(%[[LOOP]]#3, %[[OF_U]], %[[OF_V]]) () {frame = "loop/mirror"
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: tensor<i32>, %[[DU:.*]]: tensor<f32>, %[[DV:.*]]: tensor<f32>):
// CHECK-NEXT: %[[SUM:.*]] = nd.add %[[DU]], %[[DV]]
// CHECK-NEXT: %[[NEG:.*]] = nd.neg %[[SUM]]
// CHECK: %[[NO:.*]] = nd.constant {value = dense<0.0
// CHECK: flow.yield %{{.*}}, %[[NO]], %[[NEG]] :
// CHECK: %[[DX:.*]] = nd.add %[[MIRROR]]#1, %[[MIRROR]]#2
// CHECK: flow.fetch %[[DX]]
flow.graph @crossed {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %yes = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %of_v = flow.feed {name = "of_v"} : () -> tensor<f32>
  %of_u = flow.feed {name = "of_u"} : () -> tensor<f32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r:4 = flow.while (%yes, %x, %x, %zero) (%n) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i1>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<f32>, tensor<i1>, tensor<f32>, tensor<i32>) before {
  ^bb0(%b: tensor<i1>, %u: tensor<f32>, %v: tensor<f32>, %i: tensor<i32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%v, %b, %u, %i) : (tensor<i1>, tensor<f32>, tensor<i1>, tensor<f32>, tensor<i32>) -> ()
  } body {
  ^bb0(%v: tensor<f32>, %b: tensor<i1>, %u: tensor<f32>, %i: tensor<i32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %not = nd.logical_not %b : (tensor<i1>) -> tensor<i1>
    %t = nd.neg %v : (tensor<f32>) -> tensor<f32>
    flow.yield %not, %t, %t, %j : (tensor<i1>, tensor<f32>, tensor<f32>, tensor<i32>) -> ()
  }
  %dx = flow.gradient of %r#0, %r#2 seeds %of_v, %of_u wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}
