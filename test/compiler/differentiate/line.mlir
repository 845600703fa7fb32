// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests without branches and loops: backwards from op to op, parts summed where a value is used twice.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// What was repeated by a broadcast is summed. The ops stand where the request stood, whose mark is gone.
// CHECK-LABEL: flow.graph @broadcast
// CHECK-NEXT: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK-NEXT: %[[B:.*]] = flow.feed {{.*}}"b"
// CHECK-NEXT: %[[P:.*]] = nd.mul %[[X]], %[[B]]
// CHECK-NEXT: %[[Y:.*]] = nd.sin %[[P]]
// CHECK-NEXT: %[[DY:.*]] = nd.constant {value = dense<1.000000e+00> : tensor<3xf32>}
// CHECK-NEXT: %[[COS:.*]] = nd.cos %[[P]]
// CHECK-NEXT: %[[DP:.*]] = nd.mul %[[DY]], %[[COS]]
// CHECK-NEXT: %[[DX:.*]] = nd.mul %[[DP]], %[[B]]
// CHECK-NEXT: %[[WIDE:.*]] = nd.mul %[[X]], %[[DP]]
// CHECK-NEXT: %[[AXES:.*]] = nd.constant {value = dense<0> : tensor<1xi64>}
// CHECK-NEXT: %[[DB:.*]] = nd.reduce_sum %[[WIDE]], %[[AXES]] {{.*}} -> tensor<f32>
// CHECK-NEXT: flow.fetch %[[Y]]
// CHECK-NEXT: flow.fetch %[[DX]] {name = "dx"}
// CHECK-NEXT: flow.fetch %[[DB]] {name = "db"}
// CHECK-NEXT: }
flow.graph @broadcast {
  %0 = flow.feed {name = "x"} : () -> tensor<3xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = flow.feed {name = "b"} : () -> tensor<f32>
  %b = flow.independent %1 {name = "b"} : (tensor<f32>) -> tensor<f32>
  %p = nd.mul %x, %b : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %y = nd.sin %p : (tensor<3xf32>) -> tensor<3xf32>
  %dx, %db = flow.gradient of %y seeds wrt %x, %b stops {name = "gradients"} : (tensor<3xf32>, tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<f32>)
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
  flow.fetch %dx {name = "dx"} : (tensor<3xf32>) -> ()
  flow.fetch %db {name = "db"} : (tensor<f32>) -> ()
}

// -----

// A value that two ops use: the later one's part comes first. A seed takes the place of ones.
// CHECK-LABEL: flow.graph @twice
// CHECK: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK: %[[SEED:.*]] = flow.feed {{.*}}"seed"
// CHECK: %[[E:.*]] = nd.exp %[[X]]
// CHECK: %[[S:.*]] = nd.sin %[[X]]
// CHECK: nd.sub %[[E]], %[[S]]
// CHECK-NEXT: %[[DS:.*]] = nd.neg %[[SEED]]
// CHECK-NEXT: %[[COS:.*]] = nd.cos %[[X]]
// CHECK-NEXT: %[[FROM_S:.*]] = nd.mul %[[DS]], %[[COS]]
// CHECK-NEXT: %[[FROM_E:.*]] = nd.mul %[[SEED]], %[[E]]
// CHECK-NEXT: %[[DX:.*]] = nd.add %[[FROM_S]], %[[FROM_E]]
// CHECK-NEXT: flow.fetch %[[DX]]
flow.graph @twice {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %seed = flow.feed {name = "seed"} : () -> tensor<f32>
  %e = nd.exp %x : (tensor<f32>) -> tensor<f32>
  %s = nd.sin %x : (tensor<f32>) -> tensor<f32>
  %y = nd.sub %e, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %dx = flow.gradient of %y seeds %seed wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// What depends on no x has no derivative, and neither has what no y depends on.
// CHECK-LABEL: flow.graph @inactive
// CHECK: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK: %[[C:.*]] = flow.feed {{.*}}"c"
// CHECK: %[[S:.*]] = nd.sin %[[C]]
// CHECK: nd.exp %[[X]]
// CHECK: nd.mul %[[X]], %[[S]]
// CHECK-NEXT: %[[ONE:.*]] = nd.constant {value = dense<1.0
// CHECK-NEXT: %[[DX:.*]] = nd.mul %[[ONE]], %[[S]]
// CHECK-NEXT: flow.fetch %[[DX]]
flow.graph @inactive {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %c = flow.feed {name = "c"} : () -> tensor<f32>
  %s = nd.sin %c : (tensor<f32>) -> tensor<f32>
  %other = nd.exp %x : (tensor<f32>) -> tensor<f32>
  %y = nd.mul %x, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
  flow.fetch %other {name = "other"} : (tensor<f32>) -> ()
}

// -----

// Zeros of the shape of an x which no y depends on: by way of integers, of nd.stop_gradient, or at all.
// CHECK-LABEL: flow.graph @unconnected
// CHECK: %[[Z:.*]] = flow.feed {{.*}}"z"
// CHECK: nd.add
// CHECK-NEXT: %[[ZERO:.*]] = nd.constant {value = dense<0.000000e+00> : tensor<2xf32>}
// CHECK-NEXT: %[[NO:.*]] = nd.constant {value = dense<0.000000e+00> : tensor<f32>}
// CHECK-NEXT: %[[DIMS:.*]] = nd.shape %[[Z]] : (tensor<?xf32>) -> tensor<1xi64>
// CHECK-NEXT: %[[DZ:.*]] = nd.fill %[[DIMS]], %[[NO]] : {{.*}} -> tensor<?xf32>
// CHECK-NEXT: flow.fetch %[[ZERO]] {name = "dx"}
// CHECK-NEXT: flow.fetch %[[DZ]] {name = "dz"}
flow.graph @unconnected {
  %0 = flow.feed {name = "x"} : () -> tensor<2xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = flow.feed {name = "z"} : () -> tensor<?xf32>
  %z = flow.independent %1 {name = "z"} : (tensor<?xf32>) -> tensor<?xf32>
  %i = nd.cast %x : (tensor<2xf32>) -> tensor<2xi32>
  %f = nd.cast %i : (tensor<2xi32>) -> tensor<2xf32>
  %s = nd.stop_gradient %x : (tensor<2xf32>) -> tensor<2xf32>
  %y = nd.add %f, %s : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %dx, %dz = flow.gradient of %y seeds wrt %x, %z stops {name = "gradients"} : (tensor<2xf32>, tensor<2xf32>, tensor<?xf32>) -> (tensor<2xf32>, tensor<?xf32>)
  flow.fetch %dx {name = "dx"} : (tensor<2xf32>) -> ()
  flow.fetch %dz {name = "dz"} : (tensor<?xf32>) -> ()
}

// -----

// Derivatives pass an x on the way to another one, but no stop. A y that is an x has a derivative of ones.
// CHECK-LABEL: flow.graph @stops
// CHECK: %[[X:.*]] = flow.feed
// CHECK: %[[M:.*]] = nd.mul %[[X]], %[[X]]
// CHECK: %[[Y:.*]] = nd.mul %[[M]], %[[X]]
// CHECK-NEXT: %[[ONE:.*]] = nd.constant {value = dense<1.0
// CHECK-NEXT: %[[DM:.*]] = nd.mul %[[ONE]], %[[X]]
// CHECK-NEXT: %[[PART:.*]] = nd.mul %[[M]], %[[ONE]]
// CHECK-NEXT: %[[LEFT:.*]] = nd.mul %[[DM]], %[[X]]
// CHECK-NEXT: %[[RIGHT:.*]] = nd.mul %[[X]], %[[DM]]
// CHECK-NEXT: %[[PARTS:.*]] = nd.add %[[PART]], %[[LEFT]]
// CHECK-NEXT: %[[DX:.*]] = nd.add %[[PARTS]], %[[RIGHT]]
// CHECK-NEXT: %[[OTHER:.*]] = nd.constant {value = dense<1.0
// CHECK-NEXT: %[[STOPPED:.*]] = nd.mul %[[M]], %[[OTHER]]
// CHECK-NEXT: %[[SELF:.*]] = nd.constant {value = dense<1.0
// CHECK-NEXT: flow.fetch %[[DM]] {name = "dm"}
// CHECK-NEXT: flow.fetch %[[DX]] {name = "dx"}
// CHECK-NEXT: flow.fetch %[[STOPPED]] {name = "stopped"}
// CHECK-NEXT: flow.fetch %[[SELF]] {name = "self"}
flow.graph @stops {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %1 = nd.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %m = flow.independent %1 {name = "m"} : (tensor<f32>) -> tensor<f32>
  %y = nd.mul %m, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %dx, %dm = flow.gradient of %y seeds wrt %x, %m stops {name = "gradients"} : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %stopped = flow.gradient of %y seeds wrt %x stops %m {name = "gradients_1"} : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  %self = flow.gradient of %x seeds wrt %x stops {name = "gradients_2"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dm {name = "dm"} : (tensor<f32>) -> ()
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
  flow.fetch %stopped {name = "stopped"} : (tensor<f32>) -> ()
  flow.fetch %self {name = "self"} : (tensor<f32>) -> ()
}

// -----

// A stop that is an x itself has a derivative, of which the x before it gets nothing.
// CHECK-LABEL: flow.graph @stop_that_is_an_x
// CHECK: %[[X:.*]] = flow.feed
// CHECK: %[[M:.*]] = nd.mul %[[X]], %[[X]]
// CHECK: %[[Y:.*]] = nd.mul %[[M]], %[[X]]
// CHECK-NEXT: %[[ONE:.*]] = nd.constant {value = dense<1.0
// CHECK-NEXT: %[[DM:.*]] = nd.mul %[[ONE]], %[[X]]
// CHECK-NEXT: %[[DX:.*]] = nd.mul %[[M]], %[[ONE]]
// CHECK-NEXT: flow.fetch %[[DX]] {name = "dx"}
// CHECK-NEXT: flow.fetch %[[DM]] {name = "dm"}
flow.graph @stop_that_is_an_x {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %1 = nd.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %m = flow.independent %1 {name = "m"} : (tensor<f32>) -> tensor<f32>
  %y = nd.mul %m, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %dx, %dm = flow.gradient of %y seeds wrt %x, %m stops %m {name = "gradients"} : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
  flow.fetch %dm {name = "dm"} : (tensor<f32>) -> ()
}

// -----

// Requests that stand in the wrong order: the derivative of a derivative comes after that.
// CHECK-LABEL: flow.graph @second
// CHECK: %[[X:.*]] = flow.feed
// CHECK: nd.sin %[[X]]
// CHECK-NEXT: %[[SEED:.*]] = nd.constant {value = dense<1.0
// CHECK-NEXT: %[[DCOS:.*]] = nd.mul %[[ONE:.*]], %[[SEED]] :
// CHECK-NEXT: %[[NEG:.*]] = nd.neg %[[DCOS]]
// CHECK-NEXT: %[[SIN:.*]] = nd.sin %[[X]]
// CHECK-NEXT: %[[SECOND:.*]] = nd.mul %[[NEG]], %[[SIN]]
// CHECK-NEXT: %[[ONE]] = nd.constant {value = dense<1.0
// CHECK-NEXT: %[[COS:.*]] = nd.cos %[[X]]
// CHECK-NEXT: %[[FIRST:.*]] = nd.mul %[[ONE]], %[[COS]]
// CHECK: flow.fetch %[[SECOND]] {name = "second"}
// CHECK: flow.fetch %[[FIRST]] {name = "first"}
flow.graph @second {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %y = nd.sin %x : (tensor<f32>) -> tensor<f32>
  %second = flow.gradient of %first seeds wrt %x stops {name = "gradients_1"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %first = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %second {name = "second"} : (tensor<f32>) -> ()
  flow.fetch %first {name = "first"} : (tensor<f32>) -> ()
}

// -----

// Ones, and sums, of unknown shape. Two ys are summed.
// CHECK-LABEL: flow.graph @unranked
// CHECK: %[[X:.*]] = flow.feed {{.*}}"x"
// CHECK: %[[W:.*]] = flow.feed {{.*}}"w"
// CHECK: %[[Y:.*]] = nd.add %[[X]], %[[W]]
// CHECK: %[[Z:.*]] = nd.neg %[[X]]
// CHECK-NEXT: %[[YDIMS:.*]] = nd.shape %[[Y]] : (tensor<*xf64>) -> tensor<?xi64>
// CHECK-NEXT: %[[ONE:.*]] = nd.constant {value = dense<1.000000e+00> : tensor<f64>}
// CHECK-NEXT: %[[DY:.*]] = nd.fill %[[YDIMS]], %[[ONE]]
// CHECK-NEXT: %[[ZDIMS:.*]] = nd.shape %[[Z]]
// CHECK-NEXT: %[[ONE:.*]] = nd.constant
// CHECK-NEXT: %[[DZ:.*]] = nd.fill %[[ZDIMS]], %[[ONE]]
// CHECK-NEXT: %[[FROM_Z:.*]] = nd.neg %[[DZ]]
// CHECK-NEXT: %[[XDIMS:.*]] = nd.shape %[[X]]
// CHECK-NEXT: %[[DYDIMS:.*]] = nd.shape %[[DY]]
// CHECK-NEXT: %[[AXES:.*]], %{{.*}} = nd.broadcast_gradient_args %[[XDIMS]], %[[DYDIMS]]
// CHECK-NEXT: %[[SUM:.*]] = nd.reduce_sum %[[DY]], %[[AXES]]
// CHECK: %[[FROM_Y:.*]] = nd.reshape %[[SUM]]
// CHECK: %[[DX:.*]] = nd.add %[[FROM_Z]], %[[FROM_Y]]
// CHECK: flow.fetch %[[DX]]
flow.graph @unranked {
  %0 = flow.feed {name = "x"} : () -> tensor<*xf64>
  %x = flow.independent %0 {name = "x"} : (tensor<*xf64>) -> tensor<*xf64>
  %w = flow.feed {name = "w"} : () -> tensor<*xf64>
  %y = nd.add %x, %w : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  %z = nd.neg %x : (tensor<*xf64>) -> tensor<*xf64>
  %dx = flow.gradient of %y, %z seeds wrt %x stops {name = "gradients"} : (tensor<*xf64>, tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  flow.fetch %dx {name = "dx"} : (tensor<*xf64>) -> ()
}

// -----

// Marks go, also those that nobody asks for. A loop without structure is no obstacle where no derivative
// goes through it.
// CHECK-LABEL: flow.graph @beside
// CHECK-NOT: flow.independent
// CHECK: flow.next_iteration
// CHECK-NOT: flow.independent
// CHECK: flow.fetch %{{.*}} {name = "dx"}
flow.graph @beside {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %1 = flow.feed {name = "p"} : () -> tensor<i1>
  %p = flow.independent %1 {name = "p"} : (tensor<i1>) -> tensor<i1>
  %a = flow.enter %p {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
  %m, %mi, %mt = flow.merge %a, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
  %go = flow.loop_cond %m : (tensor<i1>) -> tensor<i1>
  %f, %t, %s = flow.switch %m, %go : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %not = nd.logical_not %t : (tensor<i1>) -> tensor<i1>
  %n = flow.next_iteration %not : (tensor<i1>) -> tensor<i1>
  %e = flow.exit %f : (tensor<i1>) -> tensor<i1>
  %c = nd.cast %e : (tensor<i1>) -> tensor<f32>
  %y = nd.mul %x, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}
