// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, loops, composites and codelets as their records show them: text, printed text and bytecode say the
// same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// CHECK: flow.cond %{{.*}}(%{{.*}}) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>):
// CHECK-NEXT: %[[N:.*]] = nd.neg %[[A]]
// CHECK-NEXT: flow.yield %[[N]] : (tensor<f32>) -> ()
// CHECK-NEXT: } on_false {
// CHECK-NEXT: ^bb0(%[[B:.*]]: tensor<f32>):
// CHECK-NEXT: flow.yield %[[B]] : (tensor<f32>) -> ()
// CHECK-NEXT: }
%r0 = flow.cond %v0#0 (%v0#1) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>):
  %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
  flow.yield %n : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
}

// Control tokens go in and out.
%v1:2 = "test.value"() : () -> (tensor<i1>, !flow.token)
// CHECK: flow.cond %{{.*}}(%{{.*}}) : (tensor<i1>, !flow.token) -> !flow.token on_true {
// CHECK: flow.start
%r1 = flow.cond %v1#0 (%v1#1) : (tensor<i1>, !flow.token) -> !flow.token on_true {
^bb0(%t: !flow.token):
  flow.yield %t : (!flow.token) -> ()
} on_false {
^bb0(%t: !flow.token):
  %s = flow.start : () -> !flow.token
  flow.yield %s : (!flow.token) -> ()
}

%v2:2 = "test.value"() : () -> (tensor<i32>, tensor<i32>)
// CHECK: flow.while(%{{.*}}) (%{{.*}}) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
// CHECK: flow.condition %{{.*}}(%{{.*}}) : (tensor<i1>, tensor<i32>) -> ()
// CHECK-NEXT: } body {
// CHECK: flow.yield %{{.*}} : (tensor<i32>) -> ()
// CHECK-NEXT: }
%r2 = flow.while (%v2#0) (%v2#1) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
^bb0(%i: tensor<i32>, %limit: tensor<i32>):
  %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
  flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
} body {
^bb0(%i: tensor<i32>, %limit: tensor<i32>):
  %next = nd.add %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
  flow.yield %next : (tensor<i32>) -> ()
}

%v3:2 = "test.value"() : () -> (tensor<16xf32>, tensor<f32>)
// CHECK: flow.codelet(%{{.*}}, %{{.*}}) : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32> {
// CHECK: flow.yield %{{.*}} : (tensor<16xf32>) -> ()
// CHECK-NEXT: }
%r3 = flow.codelet (%v3#0, %v3#1) : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32> {
^bb0(%a: tensor<16xf32>, %c: tensor<f32>):
  %m = nd.mul %a, %c : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  %t = nd.tanh %m : (tensor<16xf32>) -> tensor<16xf32>
  flow.yield %t : (tensor<16xf32>) -> ()
}

// CHECK: flow.composite "tf.LeakyRelu" with {alpha = 2.000000e-01 : f32}(%{{.*}}) {wire.requested = "/device:cpu:0"} : (tensor<*xf32>) -> tensor<*xf32> {
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<*xf32>):
%v9 = "test.value"() : () -> tensor<*xf32>
%r9 = flow.composite "tf.LeakyRelu" with {alpha = 0.2 : f32} (%v9) {wire.requested = "/device:cpu:0"} : (tensor<*xf32>) -> tensor<*xf32> {
^bb0(%a: tensor<*xf32>):
  %alpha = nd.constant {value = dense<0.2> : tensor<f32>} : () -> tensor<f32>
  %scaled = nd.mul %a, %alpha : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
  %larger = nd.maximum %a, %scaled : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  flow.yield %larger : (tensor<*xf32>) -> ()
}

// CHECK: flow.composite "tf.Softsign"(%{{.*}}) : (tensor<*xf32>) -> tensor<*xf32> {
%r10 = flow.composite "tf.Softsign" (%v9) : (tensor<*xf32>) -> tensor<*xf32> {
^bb0(%a: tensor<*xf32>):
  %m = nd.abs %a : (tensor<*xf32>) -> tensor<*xf32>
  %q = nd.div %a, %m : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  flow.yield %q : (tensor<*xf32>) -> ()
}
