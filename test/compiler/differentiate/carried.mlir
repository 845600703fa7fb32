// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop carries besides what derivatives go through.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// What no iteration changes is what the loop was given, so it is captured and not saved. Its derivative is summed as
// that of any value that is carried.
// CHECK-LABEL: flow.graph @unchanged
// CHECK: %[[W:.*]] = flow.feed {{.*}}"w"
// CHECK: list.make
// CHECK-NOT: list.make
// CHECK: flow.while({{.*}}"loop"
// CHECK: %[[MIRROR:.*]]:4 = flow.while(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) (%[[W]]) {frame = "loop/mirror"
// CHECK: } body {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %[[DS:.*]]: tensor<f32>, %[[DW:.*]]: tensor<f32>, %[[TAPE:.*]]: !list{{.*}}, %[[W:.*]]: tensor<f32>):
// CHECK-NEXT: %[[S:.*]], %{{.*}} = list.pop %[[TAPE]]
// CHECK-NEXT: nd.mul %[[DS]], %[[W]]
// CHECK-NEXT: %[[PART:.*]] = nd.mul %[[S]], %[[DS]]
// CHECK-NEXT: nd.add %[[DW]], %[[PART]]
// CHECK: flow.fetch %[[MIRROR]]#2 {name = "dw"}
flow.graph @unchanged {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %1 = flow.feed {name = "w"} : () -> tensor<f32>
  %w = flow.independent %1 {name = "w"} : (tensor<f32>) -> tensor<f32>
  %r:3 = flow.while (%zero, %x, %w) (%n) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %v: tensor<f32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s, %v) : (tensor<i1>, tensor<i32>, tensor<f32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %v: tensor<f32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %m = nd.mul %s, %v : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %j, %m, %v : (tensor<i32>, tensor<f32>, tensor<f32>) -> ()
  }
  %dx, %dw = flow.gradient of %r#1 seeds wrt %x, %w stops {name = "gradients"} : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
  flow.fetch %dw {name = "dw"} : (tensor<f32>) -> ()
}

// -----

// Integers and bools are no part of the mirror. A mask and a factor, which derivatives need, are saved; of the
// factor the float that it was made into.
// CHECK-LABEL: flow.graph @ints_and_bools
// CHECK: %[[MASKS:.*]] = list.make {{.*}}element_shape = tensor<3xi1>
// CHECK: %[[FACTORS:.*]] = list.make {{.*}}element_shape = tensor<f32>
// CHECK-NOT: list.make
// CHECK: flow.while({{.*}}"loop"
// CHECK: } body {
// CHECK: ^bb0(%{{.*}}: tensor<i32>, %[[K:.*]]: tensor<i32>, %[[F:.*]]: tensor<3xi1>,
// CHECK: %[[C:.*]] = nd.cast %[[K]]
// CHECK: list.push %{{.*}}, %[[F]]
// CHECK: list.push %{{.*}}, %[[C]]
// CHECK: flow.while(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) () {frame = "loop/mirror"{{.*}} -> (tensor<i32>, tensor<3xf32>, !list.of<tensor<3xi1>>, !list.of<tensor<f32>>) before {
// CHECK: } body {
// CHECK: %[[F:.*]], %{{.*}} = list.pop
// CHECK: %[[C:.*]], %{{.*}} = list.pop
// CHECK: %[[DM:.*]] = nd.select %[[F]]
// CHECK: nd.mul %[[DM]], %[[C]]
flow.graph @ints_and_bools {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %k0 = flow.feed {name = "k"} : () -> tensor<i32>
  %f0 = flow.feed {name = "f"} : () -> tensor<3xi1>
  %0 = flow.feed {name = "x"} : () -> tensor<3xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<3xf32>) -> tensor<3xf32>
  %r:4 = flow.while (%zero, %k0, %f0, %x) (%n) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>, tensor<3xi1>, tensor<3xf32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<3xi1>, tensor<3xf32>) before {
  ^bb0(%i: tensor<i32>, %k: tensor<i32>, %f: tensor<3xi1>, %s: tensor<3xf32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %k, %f, %s) : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<3xi1>, tensor<3xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %k: tensor<i32>, %f: tensor<3xi1>, %s: tensor<3xf32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %k2 = nd.mul %k, %k : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g = nd.logical_not %f : (tensor<3xi1>) -> tensor<3xi1>
    %c = nd.cast %k : (tensor<i32>) -> tensor<f32>
    %m = nd.mul %s, %c : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %t = nd.select %f, %m, %s {leading = false} : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    flow.yield %j, %k2, %g, %t : (tensor<i32>, tensor<i32>, tensor<3xi1>, tensor<3xf32>) -> ()
  }
  %dx = flow.gradient of %r#3 seeds wrt %x stops {name = "gradients"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  flow.fetch %dx {name = "dx"} : (tensor<3xf32>) -> ()
}

// -----

// Behind nd.stop_gradient nothing is asked: what computes it is not reversed, and nothing of it is saved. The
// other value that the loop carries has no derivative at all.
// CHECK-LABEL: flow.graph @stop_gradient
// CHECK-NOT: list.
// CHECK: flow.while({{.*}}"loop"
// CHECK: %[[MIRROR:.*]]:2 = flow.while(%{{.*}}, %{{.*}}) () {frame = "loop/mirror"
// CHECK: } body {
// CHECK: ^bb0(%{{.*}}: tensor<i32>, %[[DS:.*]]: tensor<f32>):
// CHECK-NOT: nd.exp
// CHECK-NOT: nd.mul
// CHECK: flow.yield %{{.*}}, %[[DS]]
// CHECK-NOT: list.
// CHECK: flow.fetch %[[MIRROR]]#1
flow.graph @stop_gradient {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r:3 = flow.while (%zero, %x, %x) (%n) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %u: tensor<f32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %s, %u) : (tensor<i1>, tensor<i32>, tensor<f32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<f32>, %u: tensor<f32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %e = nd.exp %u : (tensor<f32>) -> tensor<f32>
    %c = nd.stop_gradient %e : (tensor<f32>) -> tensor<f32>
    %t = nd.add %s, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %j, %t, %e : (tensor<i32>, tensor<f32>, tensor<f32>) -> ()
  }
  %dx = flow.gradient of %r#1 seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}
