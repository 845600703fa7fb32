// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What differs, has effects, or makes the signature stays apart.
// RUN: sluice-opt --optimize-merge-duplicates %s | FileCheck %s

state.variable @w {key = "w", type = tensor<f32>}
state.generator @g {key = "g"}

// CHECK-LABEL: flow.graph @differs
// CHECK-COUNT-2: nd.cast
// CHECK-COUNT-2: nd.sub
// CHECK-COUNT-2: nd.reduce_sum
flow.graph @differs {
  %x = flow.feed {name = "x:0"} : () -> tensor<2xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<2xf32>
  %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %i32 = nd.cast %x : (tensor<2xf32>) -> tensor<2xi32>
  %i64 = nd.cast %x : (tensor<2xf32>) -> tensor<2xi64>
  %xy = nd.sub %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %yx = nd.sub %y, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %keep = nd.reduce_sum %xy, %axes {keep_dims = true} : (tensor<2xf32>, tensor<1xi32>) -> tensor<1xf32>
  %drop = nd.reduce_sum %xy, %axes {keep_dims = false} : (tensor<2xf32>, tensor<1xi32>) -> tensor<f32>
  flow.fetch %i32 {name = "i32:0"} : (tensor<2xi32>) -> ()
  flow.fetch %i64 {name = "i64:0"} : (tensor<2xi64>) -> ()
  flow.fetch %yx {name = "yx:0"} : (tensor<2xf32>) -> ()
  flow.fetch %keep {name = "keep:0"} : (tensor<1xf32>) -> ()
  flow.fetch %drop {name = "drop:0"} : (tensor<f32>) -> ()
}

// Equal as numbers is not equal in bits.
// CHECK-LABEL: flow.graph @zeros
// CHECK-COUNT-2: nd.constant
flow.graph @zeros {
  %p = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %m = nd.constant {value = dense<-0.0> : tensor<f32>} : () -> tensor<f32>
  flow.fetch %p {name = "p:0"} : (tensor<f32>) -> ()
  flow.fetch %m {name = "m:0"} : (tensor<f32>) -> ()
}

// CHECK-LABEL: flow.graph @effects
// CHECK-COUNT-2: state.random_uniform
// CHECK-COUNT-2: state.read
// CHECK-COUNT-2: flow.fetch
// CHECK-COUNT-2: flow.target
flow.graph @effects {
  %s = nd.constant {value = dense<2> : tensor<1xi32>} : () -> tensor<1xi32>
  %x, %tx = state.random_uniform %s {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<?xf32>, !flow.token)
  %y, %ty = state.random_uniform %s {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<?xf32>, !flow.token)
  %v, %tv = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %r0, %t0 = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  %r1, %t1 = state.read %v : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)
  flow.fetch %x {name = "x:0"} : (tensor<?xf32>) -> ()
  flow.fetch %x {name = "x:0"} : (tensor<?xf32>) -> ()
  flow.target %t0 {name = "t"} : (!flow.token) -> ()
  flow.target %t0 {name = "t"} : (!flow.token) -> ()
}

// Merges of equal operands would both fire; loops are not compared.
// CHECK-LABEL: flow.graph @merges
// CHECK-COUNT-2: flow.merge
flow.graph @merges {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %m0, %i0, %t0 = flow.merge %x : (tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %m1, %i1, %t1 = flow.merge %x : (tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %m0 {name = "m0:0"} : (tensor<f32>) -> ()
  flow.fetch %m1 {name = "m1:0"} : (tensor<f32>) -> ()
}
