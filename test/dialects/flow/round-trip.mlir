// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every flow op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

// CHECK: flow.graph @m0 {
// CHECK-NEXT: flow.feed  {name = "x:0"} : () -> tensor<f32>
// CHECK-NEXT: nd.neg %{{.*}} : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: flow.fetch %{{.*}} {name = "y:0"} : (tensor<f32>) -> ()
// CHECK-NEXT: }
flow.graph @m0 {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// CHECK: flow.feed  {name = "x:0"} : () -> tensor<2x?xf32>
%r1 = flow.feed {name = "x:0"} : () -> tensor<2x?xf32>

%v2 = "test.value"() : () -> tensor<f32>
// CHECK: flow.fetch %{{.*}} {name = "y:0"} : (tensor<f32>) -> ()
flow.fetch %v2 {name = "y:0"} : (tensor<f32>) -> ()

%v3 = "test.value"() : () -> !flow.token
// CHECK: flow.target %{{.*}} {name = "train"} : (!flow.token) -> ()
flow.target %v3 {name = "train"} : (!flow.token) -> ()

// CHECK: flow.start  : () -> !flow.token
%r4 = flow.start : () -> !flow.token

%v5:2 = "test.value"() : () -> (!flow.token, !flow.token)
// CHECK: flow.join %{{.*}}, %{{.*}} : (!flow.token, !flow.token) -> !flow.token
%r5 = flow.join %v5#0, %v5#1 : (!flow.token, !flow.token) -> !flow.token

%v6:2 = "test.value"() : () -> (!flow.token, !flow.token)
// CHECK: flow.trigger %{{.*}}, %{{.*}} : (!flow.token, !flow.token) -> !flow.token
%r6 = flow.trigger %v6#0, %v6#1 : (!flow.token, !flow.token) -> !flow.token

%v7:2 = "test.value"() : () -> (tensor<f32>, !flow.token)
// CHECK: flow.gate %{{.*}}, %{{.*}} : (tensor<f32>, !flow.token) -> tensor<f32>
%r7 = flow.gate %v7#0, %v7#1 : (tensor<f32>, !flow.token) -> tensor<f32>

%v8 = "test.value"() : () -> tensor<f32>
// CHECK: flow.after %{{.*}} : (tensor<f32>) -> !flow.token
%r8 = flow.after %v8 : (tensor<f32>) -> !flow.token

%v9:2 = "test.value"() : () -> (tensor<f32>, tensor<i1>)
// CHECK: flow.switch %{{.*}}, %{{.*}} : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
%r9:3 = flow.switch %v9#0, %v9#1 : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)

%v10:2 = "test.value"() : () -> (tensor<f32>, tensor<f32>)
// CHECK: flow.merge %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
%r10:3 = flow.merge %v10#0, %v10#1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)

%v11 = "test.value"() : () -> tensor<f32>
// CHECK: flow.enter %{{.*}} {constant = false, frame = "loop", parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
%r11 = flow.enter %v11 {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>

%v12 = "test.value"() : () -> tensor<f32>
// CHECK: flow.exit %{{.*}} : (tensor<f32>) -> tensor<f32>
%r12 = flow.exit %v12 : (tensor<f32>) -> tensor<f32>

%v13 = "test.value"() : () -> tensor<f32>
// CHECK: flow.next_iteration %{{.*}} : (tensor<f32>) -> tensor<f32>
%r13 = flow.next_iteration %v13 : (tensor<f32>) -> tensor<f32>

%v14 = "test.value"() : () -> tensor<i1>
// CHECK: flow.loop_cond %{{.*}} : (tensor<i1>) -> tensor<i1>
%r14 = flow.loop_cond %v14 : (tensor<i1>) -> tensor<i1>

%v15 = "test.value"() : () -> tensor<2xf32>
// CHECK: flow.independent %{{.*}} {name = "x:0"} : (tensor<2xf32>) -> tensor<2xf32>
%r15 = flow.independent %v15 {name = "x:0"} : (tensor<2xf32>) -> tensor<2xf32>

%v16 = "test.value"() : () -> tensor<2xf32>
// CHECK: flow.gradient of %{{.*}} seeds wrt %{{.*}} stops {name = "gradients"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
%r16 = flow.gradient of %v16 seeds wrt %r15 stops {name = "gradients"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>

// Several of each kind, in one list of types.
%v17:4 = "test.value"() : () -> (tensor<f32>, tensor<complex<f64>>, !list.of<tensor<f32>>, tensor<i32>)
// CHECK: %{{.*}}:2 = flow.gradient of %[[Y:.*]]#0, %[[Y]]#2 seeds %[[Y]]#0, %[[Y]]#2 wrt %[[Y]]#0, %[[Y]]#1 stops %[[Y]]#3 {name = "gradients_1"} : (tensor<f32>, !list.of<tensor<f32>>, tensor<f32>, !list.of<tensor<f32>>, tensor<f32>, tensor<complex<f64>>, tensor<i32>) -> (tensor<f32>, tensor<complex<f64>>)
%r17:2 = flow.gradient of %v17#0, %v17#2 seeds %v17#0, %v17#2 wrt %v17#0, %v17#1 stops %v17#3 {name = "gradients_1"} : (tensor<f32>, !list.of<tensor<f32>>, tensor<f32>, !list.of<tensor<f32>>, tensor<f32>, tensor<complex<f64>>, tensor<i32>) -> (tensor<f32>, tensor<complex<f64>>)

%v18:2 = "test.value"() : () -> (tensor<*xf32>, tensor<*xf32>)
// CHECK: flow.known_as "tf.Relu" %{{.*}} of %{{.*}} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
%r18 = flow.known_as "tf.Relu" %v18#0 of %v18#1 : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>

// With parameters, of several values, and of an op that has no inputs.
// CHECK: flow.known_as "tf.Two" with {alpha = 2.000000e-01 : f32} %{{.*}}, %{{.*}} of %{{.*}} : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
%r19:2 = flow.known_as "tf.Two" with {alpha = 0.2 : f32} %v18#0, %v18#1 of %v18#1 : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
// CHECK: flow.known_as "custom.None" %{{.*}} of : (tensor<*xf32>) -> tensor<*xf32>
%r20 = flow.known_as "custom.None" %v18#0 of : (tensor<*xf32>) -> tensor<*xf32>
