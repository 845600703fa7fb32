// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roundings pass on what comes back, to elements inside of the range and to the bounds that cut off
// the others.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// CHECK-LABEL: flow.graph @passed_on
// CHECK: %[[ONE:.*]] = nd.constant {value = dense<1.0
// CHECK: flow.fetch %[[ONE]] {name = "dx"}
flow.graph @passed_on {
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %r = nd.round %x : (tensor<f32>) -> tensor<f32>
  %y = flow.known_as "tf.QuantizeAndDequantizeV2" %r of %x, %x, %x : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// CHECK-LABEL: flow.graph @in_range
// CHECK: %[[X:.*]] = flow.feed
// CHECK: nd.greater_equal %[[X]]
// CHECK: nd.less_equal %[[X]]
// CHECK: %[[INSIDE:.*]] = nd.logical_and
// CHECK: %[[FACTOR:.*]] = nd.cast %[[INSIDE]] : (tensor<4xi1>) -> tensor<4xf32>
// CHECK: nd.mul %{{.*}}, %[[FACTOR]]
flow.graph @in_range {
  %0 = flow.feed {name = "x"} : () -> tensor<4xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<4xf32>) -> tensor<4xf32>
  %r = nd.round %x : (tensor<4xf32>) -> tensor<4xf32>
  %y = flow.known_as "tf.FakeQuantWithMinMaxArgs" %r of %x {parameters = {max = 2.0 : f32, min = -1.0 : f32, narrow_range = false, num_bits = 4 : i64}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  flow.fetch %dx {name = "dx"} : (tensor<4xf32>) -> ()
}

// -----

// CHECK-LABEL: flow.graph @bounds
// CHECK: %[[BELOW:.*]] = nd.less %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
// CHECK: %[[PART:.*]] = nd.cast %[[BELOW]]
// CHECK: nd.reduce_sum
// CHECK: flow.fetch
flow.graph @bounds {
  %0 = flow.feed {name = "min"} : () -> tensor<f32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %max = flow.feed {name = "max"} : () -> tensor<f32>
  %min = flow.independent %0 {name = "min"} : (tensor<f32>) -> tensor<f32>
  %r = nd.maximum %x, %min : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = flow.known_as "tf.FakeQuantWithMinMaxVars" %r of %x, %min, %max : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %d = flow.gradient of %y seeds wrt %min stops {name = "gradients"} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  flow.fetch %d {name = "dmin"} : (tensor<f32>) -> ()
}
