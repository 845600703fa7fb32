// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A codelet stays in one frame, and its ops live or die together.
// RUN: sluice-opt --codegen-form-codelets %s | FileCheck %s

// The body runs in all iterations but the last one, in which the condition is computed too.
// CHECK-LABEL: flow.graph @loop
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.neg
// CHECK-NEXT: nd.exp
// CHECK-NEXT: flow.yield
// CHECK: flow.merge
// CHECK: flow.codelet
// CHECK: nd.reduce_sum
// CHECK: nd.less
// CHECK-NEXT: flow.yield
// CHECK: flow.switch
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.exp
// CHECK-NEXT: nd.neg
// CHECK-NEXT: flow.yield
// CHECK: flow.exit
flow.graph @loop {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %limit = nd.constant {value = dense<9.0> : tensor<f32>} : () -> tensor<f32>
  %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %n = nd.neg %x : (tensor<16xf32>) -> tensor<16xf32>
  %e = nd.exp %n : (tensor<16xf32>) -> tensor<16xf32>
  %x0 = flow.enter %e {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %y, %i, %t = flow.merge %x0, %next : (tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<i32>, !flow.token)
  %s = nd.reduce_sum %y, %axes {keep_dims = false} : (tensor<16xf32>, tensor<1xi32>) -> tensor<f32>
  %p = nd.less %s, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %c = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %f, %b, %st = flow.switch %y, %c : (tensor<16xf32>, tensor<i1>) -> (tensor<16xf32>, tensor<16xf32>, !flow.token)
  %u = nd.exp %b : (tensor<16xf32>) -> tensor<16xf32>
  %v = nd.neg %u : (tensor<16xf32>) -> tensor<16xf32>
  %next = flow.next_iteration %v : (tensor<16xf32>) -> tensor<16xf32>
  %r = flow.exit %f : (tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %r {name = "r"} : (tensor<16xf32>) -> ()
}

// The product depends on the branch that is taken, the operands before it do not.
// CHECK-LABEL: flow.graph @branch
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.neg
// CHECK-NEXT: nd.exp
// CHECK-NEXT: flow.yield
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.mul
// CHECK-NEXT: nd.tanh
// CHECK-NEXT: flow.yield
flow.graph @branch {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %f, %t, %s = flow.switch %x, %p : (tensor<16xf32>, tensor<i1>) -> (tensor<16xf32>, tensor<16xf32>, !flow.token)
  %a = nd.neg %x : (tensor<16xf32>) -> tensor<16xf32>
  %b = nd.exp %a : (tensor<16xf32>) -> tensor<16xf32>
  %c = nd.mul %b, %t : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %d = nd.tanh %c : (tensor<16xf32>) -> tensor<16xf32>
  %m, %i, %mt = flow.merge %f, %d : (tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<i32>, !flow.token)
  flow.fetch %m {name = "m"} : (tensor<16xf32>) -> ()
}
