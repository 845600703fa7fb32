// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every array op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0 = "test.value"() : () -> tensor<i32>
// CHECK: array.create %{{.*}} {clear_after_read = true, dtype = f32, dynamic_size = false, element_shape = tensor<*xf32>, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
%r0:3 = array.create %v0 {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)

%v1:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>)
// CHECK: array.write %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)
%r1:2 = array.write %v1#0, %v1#1, %v1#2, %v1#3 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)

%v2:3 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>)
// CHECK: array.read %{{.*}}, %{{.*}}, %{{.*}} : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
%r2:2 = array.read %v2#0, %v2#1, %v2#2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)

%v3:3 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>)
// CHECK: array.gather %{{.*}}, %{{.*}}, %{{.*}} {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
%r3:2 = array.gather %v3#0, %v3#1, %v3#2 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)

%v4:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?xf32>, tensor<f32>)
// CHECK: array.scatter %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
%r4:2 = array.scatter %v4#0, %v4#1, %v4#2, %v4#3 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)

%v5:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>)
// CHECK: array.concat %{{.*}}, %{{.*}} {element_shape_except0 = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<*xf32>, tensor<?xi64>, !flow.token)
%r5:3 = array.concat %v5#0, %v5#1 {element_shape_except0 = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<*xf32>, tensor<?xi64>, !flow.token)

%v6:4 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>, tensor<f32>)
// CHECK: array.split %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (!array.handle<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>, tensor<f32>) -> (tensor<f32>, !flow.token)
%r6:2 = array.split %v6#0, %v6#1, %v6#2, %v6#3 : (!array.handle<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>, tensor<f32>) -> (tensor<f32>, !flow.token)

%v7:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>)
// CHECK: array.size %{{.*}}, %{{.*}} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token)
%r7:2 = array.size %v7#0, %v7#1 : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token)

%v8 = "test.value"() : () -> !array.handle<tensor<*xf32>>
// CHECK: array.close %{{.*}} : (!array.handle<tensor<*xf32>>) -> !flow.token
%r8 = array.close %v8 : (!array.handle<tensor<*xf32>>) -> !flow.token

%v9:2 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>)
// CHECK: array.grad %{{.*}}, %{{.*}} {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
%r9:3 = array.grad %v9#0, %v9#1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)

%v10:3 = "test.value"() : () -> (!array.handle<tensor<*xf32>>, tensor<f32>, tensor<?xi32>)
// CHECK: array.grad_with_shape %{{.*}}, %{{.*}}, %{{.*}} {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>, tensor<?xi32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
%r10:3 = array.grad_with_shape %v10#0, %v10#1, %v10#2 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>, tensor<?xi32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)

%v11 = "test.value"() : () -> tensor<i32>
// CHECK: array.stack_create %{{.*}} {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
%r11:2 = array.stack_create %v11 {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)

%v12:2 = "test.value"() : () -> (!array.stack<tensor<*xf32>>, tensor<f32>)
// CHECK: array.stack_push %{{.*}}, %{{.*}} {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<f32>) -> (tensor<f32>, !flow.token)
%r12:2 = array.stack_push %v12#0, %v12#1 {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<f32>) -> (tensor<f32>, !flow.token)

%v13 = "test.value"() : () -> !array.stack<tensor<*xf32>>
// CHECK: array.stack_pop %{{.*}} : (!array.stack<tensor<*xf32>>) -> (tensor<*xf32>, !flow.token)
%r13:2 = array.stack_pop %v13 : (!array.stack<tensor<*xf32>>) -> (tensor<*xf32>, !flow.token)

%v14 = "test.value"() : () -> !array.stack<tensor<*xf32>>
// CHECK: array.stack_close %{{.*}} : (!array.stack<tensor<*xf32>>) -> !flow.token
%r14 = array.stack_close %v14 : (!array.stack<tensor<*xf32>>) -> !flow.token
