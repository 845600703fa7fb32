// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every state op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

// CHECK: state.variable @w {key = "w", type = tensor<2x3xf32>}
state.variable @w {key = "w", type = tensor<2x3xf32>}
// CHECK: state.variable @b {initial = dense<[5.000000e-01, 1.000000e+00]> : tensor<2xf32>, key = "b", type = tensor<?xf32>}
state.variable @b {key = "b", type = tensor<?xf32>, initial = dense<[0.5, 1.0]> : tensor<2xf32>}
// CHECK: state.variable @l {initial = dense_resource<l> : tensor<4xi8>, key = "l", type = tensor<*xi8>}
state.variable @l {key = "l", type = tensor<*xi8>, initial = dense_resource<l> : tensor<4xi8>}
// CHECK: state.generator @g {key = "dropout/uniform"}
state.generator @g {key = "dropout/uniform"}

// CHECK: state.reference  {variable = @w} : () -> (!state.ref<tensor<2xf32>>, !flow.token)
%r0:2 = state.reference {variable = @w} : () -> (!state.ref<tensor<2xf32>>, !flow.token)

// CHECK: state.handle  {variable = @w} : () -> (!state.resource<tensor<2xf32>>, !flow.token)
%r1:2 = state.handle {variable = @w} : () -> (!state.resource<tensor<2xf32>>, !flow.token)

%v2 = "test.value"() : () -> !state.ref<tensor<2xf32>>
// CHECK: state.read %{{.*}} : (!state.ref<tensor<2xf32>>) -> (tensor<2xf32>, !flow.token)
%r2:2 = state.read %v2 : (!state.ref<tensor<2xf32>>) -> (tensor<2xf32>, !flow.token)

%v3:2 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<2xf32>)
// CHECK: state.assign %{{.*}}, %{{.*}} {validate_shape = true} : (!state.ref<tensor<2xf32>>, tensor<2xf32>) -> !flow.token
%r3 = state.assign %v3#0, %v3#1 {validate_shape = true} : (!state.ref<tensor<2xf32>>, tensor<2xf32>) -> !flow.token

%v4:2 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<2xf32>)
// CHECK: state.assign_add %{{.*}}, %{{.*}} : (!state.ref<tensor<2xf32>>, tensor<2xf32>) -> !flow.token
%r4 = state.assign_add %v4#0, %v4#1 : (!state.ref<tensor<2xf32>>, tensor<2xf32>) -> !flow.token

%v5:2 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<2xf32>)
// CHECK: state.assign_sub %{{.*}}, %{{.*}} : (!state.ref<tensor<2xf32>>, tensor<2xf32>) -> !flow.token
%r5 = state.assign_sub %v5#0, %v5#1 : (!state.ref<tensor<2xf32>>, tensor<2xf32>) -> !flow.token

%v6:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>)
// CHECK: state.scatter_update %{{.*}}, %{{.*}}, %{{.*}} : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token
%r6 = state.scatter_update %v6#0, %v6#1, %v6#2 : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

%v7:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>)
// CHECK: state.scatter_add %{{.*}}, %{{.*}}, %{{.*}} : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token
%r7 = state.scatter_add %v7#0, %v7#1, %v7#2 : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

%v8:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>)
// CHECK: state.scatter_sub %{{.*}}, %{{.*}}, %{{.*}} : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token
%r8 = state.scatter_sub %v8#0, %v8#1, %v8#2 : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

%taken:3 = "test.value"() : () -> (tensor<i1>, !state.ref<tensor<2xf32>>, !state.resource<tensor<f32>>)
// CHECK: state.take %{{.*}}, %{{.*}}, %{{.*}} : (tensor<i1>, !state.ref<tensor<2xf32>>, !state.resource<tensor<f32>>) -> (tensor<2xf32>, tensor<f32>, !flow.token)
%values:3 = state.take %taken#0, %taken#1, %taken#2 : (tensor<i1>, !state.ref<tensor<2xf32>>, !state.resource<tensor<f32>>) -> (tensor<2xf32>, tensor<f32>, !flow.token)
// CHECK: state.give %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<i1>, !state.ref<tensor<2xf32>>, !state.resource<tensor<f32>>, tensor<2xf32>, tensor<f32>, !flow.token) -> !flow.token
%given = state.give %taken#0, %taken#1, %taken#2, %values#0, %values#1, %values#2 : (tensor<i1>, !state.ref<tensor<2xf32>>, !state.resource<tensor<f32>>, tensor<2xf32>, tensor<f32>, !flow.token) -> !flow.token

%v9 = "test.value"() : () -> !state.ref<tensor<2xf32>>
// CHECK: state.is_initialized %{{.*}} : (!state.ref<tensor<2xf32>>) -> (tensor<i1>, !flow.token)
%r9:2 = state.is_initialized %v9 : (!state.ref<tensor<2xf32>>) -> (tensor<i1>, !flow.token)

%v10 = "test.value"() : () -> !state.ref<tensor<2xf32>>
// CHECK: state.variable_shape %{{.*}} : (!state.ref<tensor<2xf32>>) -> (tensor<?xi32>, !flow.token)
%r10:2 = state.variable_shape %v10 : (!state.ref<tensor<2xf32>>) -> (tensor<?xi32>, !flow.token)

%v11:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<f32>, tensor<2xf32>)
// CHECK: state.apply_gradient_descent %{{.*}}, %{{.*}}, %{{.*}} : (!state.ref<tensor<2xf32>>, tensor<f32>, tensor<2xf32>) -> !flow.token
%r11 = state.apply_gradient_descent %v11#0, %v11#1, %v11#2 : (!state.ref<tensor<2xf32>>, tensor<f32>, tensor<2xf32>) -> !flow.token

%v12:5 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<2xf32>, tensor<f32>)
// CHECK: state.apply_momentum %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {use_nesterov = false} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<2xf32>, tensor<f32>) -> !flow.token
%r12 = state.apply_momentum %v12#0, %v12#1, %v12#2, %v12#3, %v12#4 {use_nesterov = false} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<2xf32>, tensor<f32>) -> !flow.token

%v13:10 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>)
// CHECK: state.apply_adam %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {use_nesterov = false} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>) -> !flow.token
%r13 = state.apply_adam %v13#0, %v13#1, %v13#2, %v13#3, %v13#4, %v13#5, %v13#6, %v13#7, %v13#8, %v13#9 {use_nesterov = false} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>) -> !flow.token

%v14:2 = "test.value"() : () -> (tensor<i1>, tensor<f32>)
// CHECK: state.assert %{{.*}}, %{{.*}} {summarize = 3 : i64} : (tensor<i1>, tensor<f32>) -> !flow.token
%r14 = state.assert %v14#0, %v14#1 {summarize = 3 : i64} : (tensor<i1>, tensor<f32>) -> !flow.token

%v114:2 = "test.value"() : () -> (tensor<3xi32>, tensor<5x2xf32>)
// CHECK: state.check_range %{{.*}}, %{{.*}} {allows_negative = false, dim = 0 : i64, fails = "is not in", name = "indices"} : (tensor<3xi32>, tensor<5x2xf32>) -> !flow.token
%r114 = state.check_range %v114#0, %v114#1 {dim = 0 : i64, allows_negative = false, name = "indices", fails = "is not in"} : (tensor<3xi32>, tensor<5x2xf32>) -> !flow.token

%v914:2 = "test.value"() : () -> (tensor<3x2xi32>, tensor<5x2xf32>)
// CHECK: state.check_points %{{.*}}, %{{.*}} {columns = false, fails = "does not index into shape"} : (tensor<3x2xi32>, tensor<5x2xf32>) -> !flow.token
%r914 = state.check_points %v914#0, %v914#1 {columns = false, fails = "does not index into shape"} : (tensor<3x2xi32>, tensor<5x2xf32>) -> !flow.token

%v915:2 = "test.value"() : () -> (tensor<3xi32>, tensor<5x3xi32>)
// CHECK: state.check_numbers %{{.*}}, %{{.*}} {refused = "zero"} : (tensor<3xi32>, tensor<5x3xi32>) -> !flow.token
%r915 = state.check_numbers %v915#0, %v915#1 {refused = "zero"} : (tensor<3xi32>, tensor<5x3xi32>) -> !flow.token

%v15 = "test.value"() : () -> tensor<f32>
// CHECK: state.print %{{.*}} {first_n = -1 : i64, message = "x: ", summarize = 3 : i64} : (tensor<f32>) -> !flow.token
%r15 = state.print %v15 {message = "x: ", first_n = -1 : i64, summarize = 3 : i64} : (tensor<f32>) -> !flow.token

%v16 = "test.value"() : () -> tensor<1xi32>
// CHECK: state.random_uniform %{{.*}} {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<?xf32>, !flow.token)
%r16:2 = state.random_uniform %v16 {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<?xf32>, !flow.token)

// CHECK: state.random_position %{{.*}} {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<3xi64>, !flow.token)
%r116:2 = state.random_position %v16 {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<3xi64>, !flow.token)

%w101:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>)
// CHECK: state.scatter_mul %{{.*}}, %{{.*}}, %{{.*}} : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token
%q101 = state.scatter_mul %w101#0, %w101#1, %w101#2 : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

%w102:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>)
// CHECK: state.scatter_div %{{.*}}, %{{.*}}, %{{.*}} : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token
%q102 = state.scatter_div %w102#0, %w102#1, %w102#2 : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

%w103:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>)
// CHECK: state.scatter_max %{{.*}}, %{{.*}}, %{{.*}} : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token
%q103 = state.scatter_max %w103#0, %w103#1, %w103#2 : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

%w104:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>)
// CHECK: state.scatter_min %{{.*}}, %{{.*}}, %{{.*}} : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token
%q104 = state.scatter_min %w104#0, %w104#1, %w104#2 : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

%w105:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1x1xi32>, tensor<1xf32>)
// CHECK: state.update_points %{{.*}}, %{{.*}}, %{{.*}} {how = "add", ignore_bad_indices = false} : (!state.ref<tensor<2xf32>>, tensor<1x1xi32>, tensor<1xf32>) -> !flow.token
%q105 = state.update_points %w105#0, %w105#1, %w105#2 {how = "add", ignore_bad_indices = false} : (!state.ref<tensor<2xf32>>, tensor<1x1xi32>, tensor<1xf32>) -> !flow.token

%w106:5 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<1xf32>, tensor<1xi32>)
// CHECK: state.update_rows %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {rule = "adagrad"} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<1xf32>, tensor<1xi32>) -> !flow.token
%q106 = state.update_rows %w106#0, %w106#1, %w106#2, %w106#3, %w106#4 {rule = "adagrad"} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<1xf32>, tensor<1xi32>) -> !flow.token

%w107 = "test.value"() : () -> !state.ref<tensor<i32>>
// CHECK: state.count_up_to %{{.*}} {limit = 3 : i64} : (!state.ref<tensor<i32>>) -> (tensor<i32>, !flow.token)
%q107:2 = state.count_up_to %w107 {limit = 3 : i64} : (!state.ref<tensor<i32>>) -> (tensor<i32>, !flow.token)

// CHECK: state.object @words {key = "words", kind = "table"}
state.object @words {key = "words", kind = "table"}

// CHECK: state.table_handle  {buckets = 0 : i64, key_dtype = !nd.string, kind = "static", name = "t", object = @words, value_dtype = i64, value_shape = tensor<i64>} : () -> (!state.object<"table">, !flow.token)
%q108:2 = state.table_handle  {buckets = 0 : i64, key_dtype = !nd.string, kind = "static", name = "t", object = @words, value_dtype = i64, value_shape = tensor<i64>} : () -> (!state.object<"table">, !flow.token)

%w109:3 = "test.value"() : () -> (tensor<!nd.string>, tensor<!nd.string>, tensor<f32>)
// CHECK: state.make_table %{{.*}}, %{{.*}}, %{{.*}} {buckets = 0 : i64, key_dtype = !nd.string, kind = "dense", name = "t", value_dtype = i64, value_shape = tensor<i64>} : (tensor<!nd.string>, tensor<!nd.string>, tensor<f32>) -> (!state.object<"table">, !flow.token)
%q109:2 = state.make_table %w109#0, %w109#1, %w109#2 {buckets = 0 : i64, key_dtype = !nd.string, kind = "dense", name = "t", value_dtype = i64, value_shape = tensor<i64>} : (tensor<!nd.string>, tensor<!nd.string>, tensor<f32>) -> (!state.object<"table">, !flow.token)

%w110:3 = "test.value"() : () -> (!state.object<"table">, tensor<2x!nd.string>, tensor<2xi64>)
// CHECK: state.table_import %{{.*}}, %{{.*}}, %{{.*}} {initializes = false} : (!state.object<"table">, tensor<2x!nd.string>, tensor<2xi64>) -> !flow.token
%q110 = state.table_import %w110#0, %w110#1, %w110#2 {initializes = false} : (!state.object<"table">, tensor<2x!nd.string>, tensor<2xi64>) -> !flow.token

%w111:3 = "test.value"() : () -> (!state.object<"table">, tensor<2x!nd.string>, tensor<2xi64>)
// CHECK: state.table_insert %{{.*}}, %{{.*}}, %{{.*}} : (!state.object<"table">, tensor<2x!nd.string>, tensor<2xi64>) -> !flow.token
%q111 = state.table_insert %w111#0, %w111#1, %w111#2 : (!state.object<"table">, tensor<2x!nd.string>, tensor<2xi64>) -> !flow.token

%w112:2 = "test.value"() : () -> (!state.object<"table">, tensor<2x!nd.string>)
// CHECK: state.table_remove %{{.*}}, %{{.*}} : (!state.object<"table">, tensor<2x!nd.string>) -> !flow.token
%q112 = state.table_remove %w112#0, %w112#1 : (!state.object<"table">, tensor<2x!nd.string>) -> !flow.token

%w113:3 = "test.value"() : () -> (!state.object<"table">, tensor<2x!nd.string>, tensor<i64>)
// CHECK: state.table_find %{{.*}}, %{{.*}}, %{{.*}} : (!state.object<"table">, tensor<2x!nd.string>, tensor<i64>) -> (tensor<2xi64>, !flow.token)
%q113:2 = state.table_find %w113#0, %w113#1, %w113#2 : (!state.object<"table">, tensor<2x!nd.string>, tensor<i64>) -> (tensor<2xi64>, !flow.token)

%w114 = "test.value"() : () -> !state.object<"table">
// CHECK: state.table_size %{{.*}} : (!state.object<"table">) -> (tensor<i64>, !flow.token)
%q114:2 = state.table_size %w114 : (!state.object<"table">) -> (tensor<i64>, !flow.token)

%w115 = "test.value"() : () -> !state.object<"table">
// CHECK: state.table_export %{{.*}} : (!state.object<"table">) -> (tensor<?x!nd.string>, tensor<?xi64>, !flow.token)
%q115:3 = state.table_export %w115 : (!state.object<"table">) -> (tensor<?x!nd.string>, tensor<?xi64>, !flow.token)

%w116:2 = "test.value"() : () -> (!state.object<"table">, tensor<!nd.string>)
// CHECK: state.table_load %{{.*}}, %{{.*}} {delimiter = " ", key_index = -2 : i64, offset = 0 : i64, value_index = -1 : i64, vocab_size = -1 : i64} : (!state.object<"table">, tensor<!nd.string>) -> !flow.token
%q116 = state.table_load %w116#0, %w116#1 {delimiter = " ", key_index = -2 : i64, offset = 0 : i64, value_index = -1 : i64, vocab_size = -1 : i64} : (!state.object<"table">, tensor<!nd.string>) -> !flow.token

%w117:4 = "test.value"() : () -> (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<2xf32>)
// CHECK: state.save_tensors %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {form = "bundle"} : (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<2xf32>) -> !flow.token
%q117 = state.save_tensors %w117#0, %w117#1, %w117#2, %w117#3 {form = "bundle"} : (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<2xf32>) -> !flow.token

%w118:3 = "test.value"() : () -> (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>)
// CHECK: state.restore_tensors %{{.*}}, %{{.*}}, %{{.*}} {form = "any"} : (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> (tensor<*xf32>, !flow.token)
%q118:2 = state.restore_tensors %w118#0, %w118#1, %w118#2 {form = "any"} : (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> (tensor<*xf32>, !flow.token)

%w119:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<!nd.string>)
// CHECK: state.merge_checkpoints %{{.*}}, %{{.*}} {allow_missing_files = false, delete_old_folders = true} : (tensor<2x!nd.string>, tensor<!nd.string>) -> !flow.token
%q119 = state.merge_checkpoints %w119#0, %w119#1 {allow_missing_files = false, delete_old_folders = true} : (tensor<2x!nd.string>, tensor<!nd.string>) -> !flow.token

%print_text = "test.value"() : () -> tensor<!nd.string>
// CHECK: state.print_text %{{.*}} {end = "\0A"} : (tensor<!nd.string>) -> !flow.token
%print_text_done = state.print_text %print_text {end = "\0A"} : (tensor<!nd.string>) -> !flow.token

// CHECK: l: "0x0100000001020304"
{-#
  dialect_resources: {
    builtin: {
      l: "0x0100000001020304"
    }
  }
#-}
