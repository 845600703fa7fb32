// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches that have no structure: the derivative of a merge is a switch, and that of a switch a merge.
// RUN: sluice-opt %s --split-input-file --differentiate-build-gradients | FileCheck %s

// Each way gets the derivative if the merge has taken it: its index says so.
// CHECK-LABEL: flow.graph @branch
// CHECK: %[[P:.*]] = flow.feed {{.*}}"p"
// CHECK: %[[F:.*]], %[[T:.*]], %{{.*}} = flow.switch
// CHECK: %[[Y:.*]], %[[INDEX:.*]], %{{.*}} = flow.merge
// CHECK: %[[DY:.*]] = nd.constant {value = dense<1.0
// CHECK: %[[FIRST:.*]] = nd.constant {value = dense<0> : tensor<i32>}
// CHECK: %[[IS_FIRST:.*]] = nd.equal %[[INDEX]], %[[FIRST]]
// CHECK: %{{.*}}, %[[D_EXP:.*]], %{{.*}} = flow.switch %[[DY]], %[[IS_FIRST]]
// CHECK: %[[SECOND:.*]] = nd.constant {value = dense<1> : tensor<i32>}
// CHECK: %[[IS_SECOND:.*]] = nd.equal %[[INDEX]], %[[SECOND]]
// CHECK: %{{.*}}, %[[D_SIN:.*]], %{{.*}} = flow.switch %[[DY]], %[[IS_SECOND]]
// CHECK: %[[COS:.*]] = nd.cos %[[T]]
// CHECK: %[[DT:.*]] = nd.mul %[[D_SIN]], %[[COS]]
// CHECK: %[[DF:.*]] = nd.mul %[[D_EXP]],
// CHECK: %[[DX:.*]], %{{.*}}, %{{.*}} = flow.merge %[[DF]], %[[DT]]
// CHECK: flow.fetch %[[DX]]
flow.graph @branch {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %exp = nd.exp %f : (tensor<f32>) -> tensor<f32>
  %sin = nd.sin %t : (tensor<f32>) -> tensor<f32>
  %y, %index, %m = flow.merge %exp, %sin : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}

// -----

// A way that leads to no y has zeros, which wait for its token: otherwise both would be alive.
// CHECK-LABEL: flow.graph @one_way
// CHECK: %[[F:.*]], %[[T:.*]], %{{.*}} = flow.switch
// CHECK: %[[DF:.*]] = nd.mul
// CHECK: %[[ZERO:.*]] = nd.constant {value = dense<0.0
// CHECK: %[[THERE:.*]] = flow.after %[[T]]
// CHECK: %[[DT:.*]] = flow.gate %[[ZERO]], %[[THERE]]
// CHECK: %[[DX:.*]], %{{.*}}, %{{.*}} = flow.merge %[[DF]], %[[DT]]
// CHECK: flow.fetch %[[DX]]
flow.graph @one_way {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %0 = flow.feed {name = "x"} : () -> tensor<f32>
  %x = flow.independent %0 {name = "x"} : (tensor<f32>) -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %sin = nd.sin %f : (tensor<f32>) -> tensor<f32>
  %sign = nd.sign %t : (tensor<f32>) -> tensor<f32>
  %y, %index, %m = flow.merge %sin, %sign : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %dx = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %dx {name = "dx"} : (tensor<f32>) -> ()
}
