// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without devices nothing happens. A graph that asks for nothing stays on the first device.
// RUN: sluice-opt --place-on-devices %s | FileCheck %s --implicit-check-not=wire.
// RUN: sluice-opt --place-at-random=seed=1 %s | FileCheck %s --implicit-check-not=wire.
// RUN: sluice-opt --place-on-devices=devices=3 %s | FileCheck %s --check-prefix=FIRST
// RUN: sluice-opt --place-at-random="devices=1 seed=5" %s | FileCheck %s --check-prefix=FIRST

// FIRST: wire.devices = [{address = "127.0.0.1:0", name = "/job:localhost/replica:0/task:0/device:CPU:0"}
// FIRST-NOT: wire.device = {{[1-9]}}
// CHECK: state.variable @w {key = "w", type = tensor<f32>}
state.variable @w {key = "w", type = tensor<f32>}
// CHECK: flow.graph @main
// FIRST-COUNT-9: wire.device = 0 : i64
// FIRST-NOT: wire.device
flow.graph @main {
  %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %r, %u = state.read %v, %x : (!state.ref<tensor<f32>>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y = nd.add %r, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %a = flow.after %y : (tensor<f32>) -> !flow.token
  %d = state.assign_add %v, %c, %a : (!state.ref<tensor<f32>>, tensor<f32>, !flow.token) -> !flow.token
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
  flow.target %d {name = "d"} : (!flow.token) -> ()
}
