// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are known by the name of an op of the graph file have the derivative of that name, not
// those of the ops that compute them.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// CHECK-LABEL: flow.graph @line
// CHECK: %[[X:.*]] = flow.feed
// CHECK: %[[Y:.*]] = nd.mul %[[X]], %[[X]]
// CHECK-NEXT: %[[DY:.*]] = nd.constant {value = dense<1.0
// CHECK-NEXT: %[[TWO:.*]] = nd.constant {value = dense<2.0
// CHECK-NEXT: %[[DOUBLE:.*]] = nd.mul %[[X]], %[[TWO]]
// CHECK-NEXT: %[[DX:.*]] = nd.mul %[[DY]], %[[DOUBLE]]
// CHECK-NEXT: flow.fetch %[[Y]]
// CHECK-NEXT: flow.fetch %[[DX]]
flow.graph @line {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %m = nd.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %y = flow.known_as "tf.Square" %m of %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// In a loop, and one of several inputs: what is not asked for is not built.
// CHECK-LABEL: flow.graph @loop
// CHECK-NOT: flow.known_as
// CHECK: frame = "loop/mirror"
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: tensor<i32>, %[[DS:.*]]: tensor<f32>, %[[TAPE:.*]]: !list.of<tensor<f32>>, %[[C:.*]]: tensor<f32>):
// CHECK-NEXT: %[[S:.*]], %{{.*}} = list.pop %[[TAPE]]
// CHECK: %[[DIFFERENCE:.*]] = nd.sub %[[S]], %[[C]]
// CHECK-NEXT: %[[PART:.*]] = nd.mul %{{.*}}, %[[DIFFERENCE]]
// CHECK-NOT: nd.neg
// CHECK: flow.yield %{{.*}}, %[[PART]],
// CHECK-NOT: flow.known_as
// CHECK: flow.fetch
flow.graph @loop {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %w = flow.feed {name = "w"} : () -> tensor<f32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r:2 = flow.while (%zero, %x) (%n, %w) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>, %c: tensor<f32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %limit: tensor<i32>, %c: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %d = nd.sub %s, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %q = nd.mul %d, %d : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %t = flow.known_as "tf.SquaredDifference" %q of %s, %c : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %j, %t : (tensor<i32>, tensor<f32>) -> ()
  }
  %dx = flow.gradient of %r#1 seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// The derivative of a name may be one of a name: that of a Sigmoid's has a derivative of its own.
// CHECK-LABEL: flow.graph @second
// CHECK-NOT: flow.known_as
// CHECK: flow.fetch %{{.*}} {name = "second"}
flow.graph @second {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %y = nd.sigmoid %x : (tensor<f32>) -> tensor<f32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %second = flow.gradient of %dx seeds wrt %x stops {name = "gradients_1"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %second {name = "second"} : (tensor<f32>) -> ()
}
