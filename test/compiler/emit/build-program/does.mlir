// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops become nodes that name their kernels; gates, joins, triggers and afters become edges.
// RUN: sluice-opt --emit-build-program %s | FileCheck %s

// CHECK: exe.resource @w {key = "w", kind = "variable", type = tensor<f32>}
state.variable @w {key = "w", type = tensor<f32>}

// CHECK-LABEL: exe.signature @edges
// CHECK: %[[X:.*]] = exe.node feed "x:0" in 0() : () -> tensor<f32>
// CHECK: %[[REF:.*]]:2 = exe.node kernel "" in 0() {kernel = "sluice_kernel_state_reference_any"
// CHECK: exe.node kernel "" in 0(%[[REF]]#0, %[[X]]) control(%[[REF]]#1)
flow.graph @edges {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %j = flow.join %t : (!flow.token) -> !flow.token
  %g = flow.gate %x, %j : (tensor<f32>, !flow.token) -> tensor<f32>
  %done = state.assign %v, %g {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  flow.target %done {name = "set"} : (!flow.token) -> ()
}

// An order edge does not kill; a read waits for its triggers but takes only the variable.
// CHECK-LABEL: exe.signature @orders
// CHECK: %[[X:.*]] = exe.node feed "x:0"
// CHECK: %[[REF:.*]]:2 = exe.node kernel
// CHECK: %[[SET:.*]] = exe.node kernel "" in 0(%[[REF]]#0, %[[X]])
// CHECK: exe.node kernel "" in 0(%[[REF]]#0) control(%[[X]]) order(%[[SET]])
flow.graph @orders {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %v, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
  %done = state.assign %v, %x {validate_shape = true} : (!state.ref<tensor<f32>>, tensor<f32>) -> !flow.token
  %order = flow.trigger %done : (!flow.token) -> !flow.token
  %y, %read = state.read %v, %x, %order : (!state.ref<tensor<f32>>, tensor<f32>, !flow.token) -> (tensor<f32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// CHECK-LABEL: exe.signature @loop
// CHECK: exe.frame {id = 0 : i64, name = "", parent = 0 : i64, window = 1 : i64}
// CHECK: exe.frame {id = 1 : i64, name = "l", parent = 0 : i64, window = 7 : i64}
// CHECK: exe.node enter "" in 0({{.*}}child = 1
// CHECK: exe.node merge "" in 1
// CHECK: exe.node next_iteration "" in 1
// CHECK: exe.node exit "" in 1
flow.graph @loop {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %ten = nd.constant {value = dense<10> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %e = flow.enter %zero {frame = "l", constant = false, parallel_iterations = 7 : i64} : (tensor<i32>) -> tensor<i32>
  %m, %i, %mt = flow.merge %e, %n : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %p = nd.less %m, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %t, %st = flow.switch %m, %c : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %s = nd.add %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %n = flow.next_iteration %s : (tensor<i32>) -> tensor<i32>
  %x = flow.exit %f : (tensor<i32>) -> tensor<i32>
  flow.fetch %x {name = "i:0"} : (tensor<i32>) -> ()
}
