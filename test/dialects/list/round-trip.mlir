// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every list op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0 = "test.value"() : () -> tensor<i32>
// CHECK: list.make %{{.*}} {element_shape = tensor<4xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<4xf32>>
%r0 = list.make %v0 {element_shape = tensor<4xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<4xf32>>

%v1 = "test.value"() : () -> !list.of<tensor<4xf32>>
// CHECK: list.zeros_like %{{.*}} : (!list.of<tensor<4xf32>>) -> !list.of<tensor<4xf32>>
%r1 = list.zeros_like %v1 : (!list.of<tensor<4xf32>>) -> !list.of<tensor<4xf32>>

%v2 = "test.value"() : () -> tensor<3x4xf32>
// CHECK: list.unstack %{{.*}} {element_shape = tensor<*xf32>} : (tensor<3x4xf32>) -> !list.of<tensor<4xf32>>
%r2 = list.unstack %v2 {element_shape = tensor<*xf32>} : (tensor<3x4xf32>) -> !list.of<tensor<4xf32>>

%v3 = "test.value"() : () -> !list.of<tensor<4xf32>>
// CHECK: list.length %{{.*}} : (!list.of<tensor<4xf32>>) -> tensor<i32>
%r3 = list.length %v3 : (!list.of<tensor<4xf32>>) -> tensor<i32>

%v4:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// CHECK: list.get %{{.*}}, %{{.*}} {beyond = false, clear = false} : (!list.of<tensor<4xf32>>, tensor<i32>) -> (tensor<4xf32>, !list.of<tensor<4xf32>>)
%r4:2 = list.get %v4#0, %v4#1 {beyond = false, clear = false} : (!list.of<tensor<4xf32>>, tensor<i32>) -> (tensor<4xf32>, !list.of<tensor<4xf32>>)

%v5:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>)
// CHECK: list.set %{{.*}}, %{{.*}}, %{{.*}} {grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> !list.of<tensor<4xf32>>
%r5 = list.set %v5#0, %v5#1, %v5#2 {grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> !list.of<tensor<4xf32>>

%v6:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>)
// CHECK: list.accumulate %{{.*}}, %{{.*}}, %{{.*}} : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> !list.of<tensor<4xf32>>
%r6 = list.accumulate %v6#0, %v6#1, %v6#2 : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> !list.of<tensor<4xf32>>

%v7:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<4xf32>)
// CHECK: list.push %{{.*}}, %{{.*}} {limit = -1 : i64} : (!list.of<tensor<4xf32>>, tensor<4xf32>) -> !list.of<tensor<4xf32>>
%r7 = list.push %v7#0, %v7#1 {limit = -1 : i64} : (!list.of<tensor<4xf32>>, tensor<4xf32>) -> !list.of<tensor<4xf32>>

%v8 = "test.value"() : () -> !list.of<tensor<4xf32>>
// CHECK: list.pop %{{.*}} {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>) -> (tensor<4xf32>, !list.of<tensor<4xf32>>)
%r8:2 = list.pop %v8 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>) -> (tensor<4xf32>, !list.of<tensor<4xf32>>)

%v9:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// CHECK: list.resize %{{.*}}, %{{.*}} : (!list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<4xf32>>
%r9 = list.resize %v9#0, %v9#1 : (!list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<4xf32>>

%v10 = "test.value"() : () -> !list.of<tensor<4xf32>>
// CHECK: list.stack %{{.*}} {element_shape = tensor<4xf32>, num_elements = -1 : i64} : (!list.of<tensor<4xf32>>) -> tensor<?x4xf32>
%r10 = list.stack %v10 {element_shape = tensor<4xf32>, num_elements = -1 : i64} : (!list.of<tensor<4xf32>>) -> tensor<?x4xf32>

%v11:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>)
// CHECK: list.gather %{{.*}}, %{{.*}} {beyond = false, clear = true, element_shape = tensor<4xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> (tensor<?x4xf32>, !list.of<tensor<4xf32>>)
%r11:2 = list.gather %v11#0, %v11#1 {beyond = false, clear = true, element_shape = tensor<4xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> (tensor<?x4xf32>, !list.of<tensor<4xf32>>)

%v12:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>, tensor<?x4xf32>)
// CHECK: list.scatter %{{.*}}, %{{.*}}, %{{.*}} {accumulate = false, grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<?xi32>, tensor<?x4xf32>) -> !list.of<tensor<4xf32>>
%r12 = list.scatter %v12#0, %v12#1, %v12#2 {accumulate = false, grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<?xi32>, tensor<?x4xf32>) -> !list.of<tensor<4xf32>>

%v13 = "test.value"() : () -> !list.of<tensor<*xf32>>
// CHECK: list.concat %{{.*}} {clear = true, element_shape_except0 = tensor<*xf32>} : (!list.of<tensor<*xf32>>) -> (tensor<*xf32>, tensor<?xi64>, !list.of<tensor<*xf32>>)
%r13:3 = list.concat %v13 {clear = true, element_shape_except0 = tensor<*xf32>} : (!list.of<tensor<*xf32>>) -> (tensor<*xf32>, tensor<?xi64>, !list.of<tensor<*xf32>>)

%v14:3 = "test.value"() : () -> (!list.of<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>)
// CHECK: list.split %{{.*}}, %{{.*}}, %{{.*}} {accumulate = false, grow = false, once = true} : (!list.of<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>) -> !list.of<tensor<*xf32>>
%r14 = list.split %v14#0, %v14#1, %v14#2 {accumulate = false, grow = false, once = true} : (!list.of<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>) -> !list.of<tensor<*xf32>>

%v15 = "test.value"() : () -> !list.of<tensor<4xf32>>
// CHECK: list.cell_open %{{.*}} {cell = 0 : i64, element = tensor<4xf32>} : (!list.of<tensor<4xf32>>) -> ()
list.cell_open %v15 {cell = 0 : i64, element = tensor<4xf32>} : (!list.of<tensor<4xf32>>) -> ()

// CHECK: list.cell_close {cell = 0 : i64} : () -> !list.of<tensor<4xf32>>
%r16 = list.cell_close {cell = 0 : i64} : () -> !list.of<tensor<4xf32>>

%v17 = "test.value"() : () -> tensor<i32>
// CHECK: list.cell_make %{{.*}} {cell = 0 : i64, zeros = false} : (tensor<i32>) -> ()
list.cell_make %v17 {cell = 0 : i64, zeros = false} : (tensor<i32>) -> ()

// CHECK: list.cell_length {cell = 0 : i64} : () -> tensor<i32>
%r18 = list.cell_length {cell = 0 : i64} : () -> tensor<i32>

%v19 = "test.value"() : () -> tensor<i32>
// CHECK: list.cell_get %{{.*}} {beyond = false, cell = 0 : i64, clear = false} : (tensor<i32>) -> tensor<4xf32>
%r19 = list.cell_get %v19 {beyond = false, cell = 0 : i64, clear = false} : (tensor<i32>) -> tensor<4xf32>

%v20:2 = "test.value"() : () -> (tensor<i32>, tensor<4xf32>)
// CHECK: list.cell_set %{{.*}}, %{{.*}} {cell = 0 : i64, grow = false, once = true} : (tensor<i32>, tensor<4xf32>) -> ()
list.cell_set %v20#0, %v20#1 {cell = 0 : i64, grow = false, once = true} : (tensor<i32>, tensor<4xf32>) -> ()

%v21:2 = "test.value"() : () -> (tensor<i32>, tensor<4xf32>)
// CHECK: list.cell_accumulate %{{.*}}, %{{.*}} {cell = 0 : i64} : (tensor<i32>, tensor<4xf32>) -> ()
list.cell_accumulate %v21#0, %v21#1 {cell = 0 : i64} : (tensor<i32>, tensor<4xf32>) -> ()

%v22 = "test.value"() : () -> tensor<4xf32>
// CHECK: list.cell_push %{{.*}} {cell = 0 : i64, limit = -1 : i64} : (tensor<4xf32>) -> ()
list.cell_push %v22 {cell = 0 : i64, limit = -1 : i64} : (tensor<4xf32>) -> ()

// CHECK: list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<4xf32>
%r23 = list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<4xf32>

%v24:2 = "test.value"() : () -> (!list.of<tensor<*xf32>>, tensor<?xi32>)
// CHECK: list.declare_shape %{{.*}}, %{{.*}} : (!list.of<tensor<*xf32>>, tensor<?xi32>) -> !list.of<tensor<*xf32>>
%r24 = list.declare_shape %v24#0, %v24#1 : (!list.of<tensor<*xf32>>, tensor<?xi32>) -> !list.of<tensor<*xf32>>

%v25:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// CHECK: list.declare_limit %{{.*}}, %{{.*}} : (!list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<4xf32>>
%r25 = list.declare_limit %v25#0, %v25#1 : (!list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<4xf32>>

%v26:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, !list.of<tensor<4xf32>>)
// CHECK: list.add %{{.*}}, %{{.*}} : (!list.of<tensor<4xf32>>, !list.of<tensor<4xf32>>) -> !list.of<tensor<4xf32>>
%r26 = list.add %v26#0, %v26#1 : (!list.of<tensor<4xf32>>, !list.of<tensor<4xf32>>) -> !list.of<tensor<4xf32>>

%v27:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, !list.of<tensor<4xf32>>)
// CHECK: list.append %{{.*}}, %{{.*}} : (!list.of<tensor<4xf32>>, !list.of<tensor<4xf32>>) -> !list.of<tensor<4xf32>>
%r27 = list.append %v27#0, %v27#1 : (!list.of<tensor<4xf32>>, !list.of<tensor<4xf32>>) -> !list.of<tensor<4xf32>>

%v28:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>)
// CHECK: list.pop %{{.*}}, %{{.*}} {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> (tensor<4xf32>, !list.of<tensor<4xf32>>)
%r28:2 = list.pop %v28#0, %v28#1 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> (tensor<4xf32>, !list.of<tensor<4xf32>>)

%v29:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// CHECK: list.peek %{{.*}}, %{{.*}} {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<i32>) -> tensor<4xf32>
%r29 = list.peek %v29#0, %v29#1 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<i32>) -> tensor<4xf32>

%v30:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>, tensor<?xi32>)
// CHECK: list.peek %{{.*}}, %{{.*}}, %{{.*}} {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<?xi32>) -> tensor<4xf32>
%r30 = list.peek %v30#0, %v30#1, %v30#2 {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<?xi32>) -> tensor<4xf32>

%v31 = "test.value"() : () -> !list.of<tensor<4xf32>>
// CHECK: list.only %{{.*}} {element_shape = tensor<?xf32>} : (!list.of<tensor<4xf32>>) -> tensor<4xf32>
%r31 = list.only %v31 {element_shape = tensor<?xf32>} : (!list.of<tensor<4xf32>>) -> tensor<4xf32>

%v32 = "test.value"() : () -> !list.of<tensor<*xf32>>
// CHECK: list.element_shape %{{.*}} : (!list.of<tensor<*xf32>>) -> tensor<*xi32>
%r32 = list.element_shape %v32 : (!list.of<tensor<*xf32>>) -> tensor<*xi32>

%v33:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi64>)
// CHECK: list.stack %{{.*}}, %{{.*}} {element_shape = tensor<4xf32>, num_elements = 3 : i64} : (!list.of<tensor<4xf32>>, tensor<?xi64>) -> tensor<?x4xf32>
%r33 = list.stack %v33#0, %v33#1 {element_shape = tensor<4xf32>, num_elements = 3 : i64} : (!list.of<tensor<4xf32>>, tensor<?xi64>) -> tensor<?x4xf32>

%v34:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi32>)
// CHECK: list.rows %{{.*}}, %{{.*}} {element_shape = tensor<4xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> tensor<?x4xf32>
%r34 = list.rows %v34#0, %v34#1 {element_shape = tensor<4xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> tensor<?x4xf32>

%v35:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<?xi64>)
// CHECK: list.join %{{.*}}, %{{.*}} {element_shape = tensor<4xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi64>) -> (tensor<?xf32>, tensor<?xi64>)
%r35:2 = list.join %v35#0, %v35#1 {element_shape = tensor<4xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi64>) -> (tensor<?xf32>, tensor<?xi64>)

%v36 = "test.value"() : () -> tensor<i32>
// CHECK: list.cell_peek %{{.*}} {cell = 0 : i64, zeros = false} : (tensor<i32>) -> tensor<4xf32>
%r36 = list.cell_peek %v36 {cell = 0 : i64, zeros = false} : (tensor<i32>) -> tensor<4xf32>

%v37 = "test.value"() : () -> tensor<i32>
// CHECK: list.cell_resize %{{.*}} {cell = 0 : i64} : (tensor<i32>) -> ()
list.cell_resize %v37 {cell = 0 : i64} : (tensor<i32>) -> ()

%v38 = "test.value"() : () -> tensor<i32>
// CHECK: list.cell_limit %{{.*}} {cell = 0 : i64} : (tensor<i32>) -> ()
list.cell_limit %v38 {cell = 0 : i64} : (tensor<i32>) -> ()

// Before import-resolve-lists.
// CHECK: list.length %{{.*}} : (!list.unknown) -> tensor<i32>
%u = "test.value"() : () -> !list.unknown
%u0 = list.length %u : (!list.unknown) -> tensor<i32>
// CHECK: list.peek {{.*}} : (!list.of<!list.unknown>, tensor<i32>) -> !list.unknown
%u1:2 = "test.value"() : () -> (!list.of<!list.unknown>, tensor<i32>)
%u2 = list.peek %u1#0, %u1#1 {element_shape = !list.unknown} : (!list.of<!list.unknown>, tensor<i32>) -> !list.unknown
