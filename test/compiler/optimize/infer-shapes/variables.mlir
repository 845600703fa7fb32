// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable's declared shape is believed if it is static and no assignment ignores it.
// RUN: sluice-opt --optimize-infer-shapes %s | FileCheck %s

state.variable @strict {key = "strict", type = tensor<2x3xf32>}
state.variable @loose {key = "loose", type = tensor<4xf32>}
state.variable @part {key = "part", type = tensor<?x5xf32>}

// CHECK-LABEL: flow.graph @read
// CHECK: state.read {{.*}}!state.ref<tensor<2x3xf32>>{{.*}} -> (tensor<2x3xf32>, !flow.token)
// CHECK: state.read {{.*}}!state.ref<tensor<4xf32>>{{.*}} -> (tensor<*xf32>, !flow.token)
// CHECK: state.read {{.*}}!state.resource<tensor<?x5xf32>>{{.*}} -> (tensor<*xf32>, !flow.token)
flow.graph @read {
  %s, %ts = state.reference {variable = @strict} : () -> (!state.ref<tensor<2x3xf32>>, !flow.token)
  %l, %tl = state.reference {variable = @loose} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %p, %tp = state.handle {variable = @part} : () -> (!state.resource<tensor<?x5xf32>>, !flow.token)
  %x, %tx = state.read %s : (!state.ref<tensor<2x3xf32>>) -> (tensor<*xf32>, !flow.token)
  %y, %ty = state.read %l : (!state.ref<tensor<4xf32>>) -> (tensor<*xf32>, !flow.token)
  %z, %tz = state.read %p : (!state.resource<tensor<?x5xf32>>) -> (tensor<*xf32>, !flow.token)
  flow.fetch %x {name = "x:0"} : (tensor<*xf32>) -> ()
  flow.fetch %y {name = "y:0"} : (tensor<*xf32>) -> ()
  flow.fetch %z {name = "z:0"} : (tensor<*xf32>) -> ()
}

// Another signature assigns.
flow.graph @assign {
  %v = flow.feed {name = "v:0"} : () -> tensor<*xf32>
  %s, %ts = state.reference {variable = @strict} : () -> (!state.ref<tensor<2x3xf32>>, !flow.token)
  %l, %tl = state.reference {variable = @loose} : () -> (!state.ref<tensor<4xf32>>, !flow.token)
  %a = state.assign %s, %v {validate_shape = true} : (!state.ref<tensor<2x3xf32>>, tensor<*xf32>) -> !flow.token
  %b = state.assign %l, %v {validate_shape = false} : (!state.ref<tensor<4xf32>>, tensor<*xf32>) -> !flow.token
  flow.target %a {name = "a"} : (!flow.token) -> ()
  flow.target %b {name = "b"} : (!flow.token) -> ()
}
