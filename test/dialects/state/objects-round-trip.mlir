// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on shared objects as their records show them: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

// CHECK: state.object @q {key = "q", kind = "queue"}
state.object @q {key = "q", kind = "queue"}
// CHECK: state.object @b {key = "b", kind = "barrier"}
state.object @b {key = "b", kind = "barrier"}
// CHECK: state.object @a {key = "a", kind = "accumulator"}
state.object @a {key = "a", kind = "accumulator"}
// CHECK: state.object @m {key = "m", kind = "mutex"}
state.object @m {key = "m", kind = "mutex"}
// CHECK: state.object @s {key = "s", kind = "stage"}
state.object @s {key = "s", kind = "stage"}

// CHECK: state.queue_handle  {capacity = 10 : i64, components = [tensor<2xf32>, tensor<*xi64>], min_after_dequeue = 0 : i64, name = "q", object = @q, order = "fifo", seed = 0 : i64, seed2 = 0 : i64} : () -> (!state.object<"queue">, !flow.token)
%q0:2 = state.queue_handle  {capacity = 10 : i64, components = [tensor<2xf32>, tensor<*xi64>], min_after_dequeue = 0 : i64, name = "q", object = @q, order = "fifo", seed = 0 : i64, seed2 = 0 : i64} : () -> (!state.object<"queue">, !flow.token)

%w1:2 = "test.value"() : () -> (!state.object<"queue">, tensor<f32>)
// CHECK: state.enqueue %{{.*}}, %{{.*}} {many = false} : (!state.object<"queue">, tensor<f32>) -> !flow.token
%q1 = state.enqueue %w1#0, %w1#1 {many = false} : (!state.object<"queue">, tensor<f32>) -> !flow.token

%w2 = "test.value"() : () -> !state.object<"queue">
// CHECK: state.dequeue %{{.*}} : (!state.object<"queue">) -> (tensor<f32>, !flow.token)
%q2:2 = state.dequeue %w2 : (!state.object<"queue">) -> (tensor<f32>, !flow.token)

%w3:2 = "test.value"() : () -> (!state.object<"queue">, tensor<i32>)
// CHECK: state.dequeue_many %{{.*}}, %{{.*}} {allow_fewer = false} : (!state.object<"queue">, tensor<i32>) -> (tensor<?xf32>, !flow.token)
%q3:2 = state.dequeue_many %w3#0, %w3#1 {allow_fewer = false} : (!state.object<"queue">, tensor<i32>) -> (tensor<?xf32>, !flow.token)

%w4 = "test.value"() : () -> !state.object<"queue">
// CHECK: state.queue_close %{{.*}} {cancels = false} : (!state.object<"queue">) -> !flow.token
%q4 = state.queue_close %w4 {cancels = false} : (!state.object<"queue">) -> !flow.token

%w5 = "test.value"() : () -> !state.object<"queue">
// CHECK: state.queue_size %{{.*}} : (!state.object<"queue">) -> (tensor<i32>, !flow.token)
%q5:2 = state.queue_size %w5 : (!state.object<"queue">) -> (tensor<i32>, !flow.token)

%w6 = "test.value"() : () -> !state.object<"queue">
// CHECK: state.queue_is_closed %{{.*}} : (!state.object<"queue">) -> (tensor<i1>, !flow.token)
%q6:2 = state.queue_is_closed %w6 : (!state.object<"queue">) -> (tensor<i1>, !flow.token)

%w7:2 = "test.value"() : () -> (!state.object<"queue">, !state.object<"queue">)
// CHECK: state.pack_handles %{{.*}}, %{{.*}} : (!state.object<"queue">, !state.object<"queue">) -> (!state.handles<"queue">, !flow.token)
%q7:2 = state.pack_handles %w7#0, %w7#1 : (!state.object<"queue">, !state.object<"queue">) -> (!state.handles<"queue">, !flow.token)

%w8:2 = "test.value"() : () -> (!state.handles<"queue">, tensor<i32>)
// CHECK: state.choose_handle %{{.*}}, %{{.*}} : (!state.handles<"queue">, tensor<i32>) -> (!state.object<"queue">, !flow.token)
%q8:2 = state.choose_handle %w8#0, %w8#1 : (!state.handles<"queue">, tensor<i32>) -> (!state.object<"queue">, !flow.token)

// CHECK: state.barrier_handle  {components = [tensor<f32>, tensor<2xi64>], name = "b", object = @b} : () -> (!state.object<"barrier">, !flow.token)
%q9:2 = state.barrier_handle  {components = [tensor<f32>, tensor<2xi64>], name = "b", object = @b} : () -> (!state.object<"barrier">, !flow.token)

%w10:3 = "test.value"() : () -> (!state.object<"barrier">, tensor<2x!nd.string>, tensor<2xf32>)
// CHECK: state.barrier_insert %{{.*}}, %{{.*}}, %{{.*}} {component = 0 : i64} : (!state.object<"barrier">, tensor<2x!nd.string>, tensor<2xf32>) -> !flow.token
%q10 = state.barrier_insert %w10#0, %w10#1, %w10#2 {component = 0 : i64} : (!state.object<"barrier">, tensor<2x!nd.string>, tensor<2xf32>) -> !flow.token

%w11:2 = "test.value"() : () -> (!state.object<"barrier">, tensor<i32>)
// CHECK: state.barrier_take %{{.*}}, %{{.*}} {allow_fewer = false} : (!state.object<"barrier">, tensor<i32>) -> (tensor<?xi64>, tensor<?x!nd.string>, tensor<?xf32>, !flow.token)
%q11:4 = state.barrier_take %w11#0, %w11#1 {allow_fewer = false} : (!state.object<"barrier">, tensor<i32>) -> (tensor<?xi64>, tensor<?x!nd.string>, tensor<?xf32>, !flow.token)

%w12 = "test.value"() : () -> !state.object<"barrier">
// CHECK: state.barrier_close %{{.*}} {cancels = false} : (!state.object<"barrier">) -> !flow.token
%q12 = state.barrier_close %w12 {cancels = false} : (!state.object<"barrier">) -> !flow.token

%w13 = "test.value"() : () -> !state.object<"barrier">
// CHECK: state.barrier_size %{{.*}} {incomplete = false} : (!state.object<"barrier">) -> (tensor<i32>, !flow.token)
%q13:2 = state.barrier_size %w13 {incomplete = false} : (!state.object<"barrier">) -> (tensor<i32>, !flow.token)

// CHECK: state.accumulator_handle  {averages = true, dtype = f32, name = "a", object = @a, shape = tensor<2xf32>, sparse = false} : () -> (!state.object<"accumulator">, !flow.token)
%q14:2 = state.accumulator_handle  {averages = true, dtype = f32, name = "a", object = @a, shape = tensor<2xf32>, sparse = false} : () -> (!state.object<"accumulator">, !flow.token)

%w15:3 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i64>, tensor<2xf32>)
// CHECK: state.accumulator_apply %{{.*}}, %{{.*}}, %{{.*}} : (!state.object<"accumulator">, tensor<i64>, tensor<2xf32>) -> !flow.token
%q15 = state.accumulator_apply %w15#0, %w15#1, %w15#2 : (!state.object<"accumulator">, tensor<i64>, tensor<2xf32>) -> !flow.token

%w16:5 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i64>, tensor<1xi64>, tensor<1x2xf32>, tensor<2xi64>)
// CHECK: state.accumulator_apply_rows %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {has_known_shape = true} : (!state.object<"accumulator">, tensor<i64>, tensor<1xi64>, tensor<1x2xf32>, tensor<2xi64>) -> !flow.token
%q16 = state.accumulator_apply_rows %w16#0, %w16#1, %w16#2, %w16#3, %w16#4 {has_known_shape = true} : (!state.object<"accumulator">, tensor<i64>, tensor<1xi64>, tensor<1x2xf32>, tensor<2xi64>) -> !flow.token

%w17:2 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i32>)
// CHECK: state.accumulator_take %{{.*}}, %{{.*}} : (!state.object<"accumulator">, tensor<i32>) -> (tensor<2xf32>, !flow.token)
%q17:2 = state.accumulator_take %w17#0, %w17#1 : (!state.object<"accumulator">, tensor<i32>) -> (tensor<2xf32>, !flow.token)

%w18:2 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i32>)
// CHECK: state.accumulator_take_rows %{{.*}}, %{{.*}} : (!state.object<"accumulator">, tensor<i32>) -> (tensor<?xi64>, tensor<?x2xf32>, tensor<2xi64>, !flow.token)
%q18:4 = state.accumulator_take_rows %w18#0, %w18#1 : (!state.object<"accumulator">, tensor<i32>) -> (tensor<?xi64>, tensor<?x2xf32>, tensor<2xi64>, !flow.token)

%w19 = "test.value"() : () -> !state.object<"accumulator">
// CHECK: state.accumulator_count %{{.*}} : (!state.object<"accumulator">) -> (tensor<i32>, !flow.token)
%q19:2 = state.accumulator_count %w19 : (!state.object<"accumulator">) -> (tensor<i32>, !flow.token)

%w20:2 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i64>)
// CHECK: state.accumulator_set_step %{{.*}}, %{{.*}} : (!state.object<"accumulator">, tensor<i64>) -> !flow.token
%q20 = state.accumulator_set_step %w20#0, %w20#1 : (!state.object<"accumulator">, tensor<i64>) -> !flow.token

// CHECK: state.mutex_handle  {name = "m", object = @m} : () -> (!state.object<"mutex">, !flow.token)
%q21:2 = state.mutex_handle  {name = "m", object = @m} : () -> (!state.object<"mutex">, !flow.token)

%w22 = "test.value"() : () -> !state.object<"mutex">
// CHECK: state.mutex_lock %{{.*}} : (!state.object<"mutex">) -> (!state.object<"lock">, !flow.token)
%q22:2 = state.mutex_lock %w22 : (!state.object<"mutex">) -> (!state.object<"lock">, !flow.token)

%w23 = "test.value"() : () -> !state.object<"lock">
// CHECK: state.mutex_release %{{.*}} : (!state.object<"lock">) -> !flow.token
%q23 = state.mutex_release %w23 : (!state.object<"lock">) -> !flow.token

// CHECK: state.stage_handle  {capacity = 0 : i64, keyed = false, memory_limit = 0 : i64, name = "s", object = @s} : () -> (!state.object<"stage">, !flow.token)
%q24:2 = state.stage_handle  {capacity = 0 : i64, keyed = false, memory_limit = 0 : i64, name = "s", object = @s} : () -> (!state.object<"stage">, !flow.token)

%w25:2 = "test.value"() : () -> (!state.object<"stage">, tensor<f32>)
// CHECK: state.stage_put %{{.*}}, %{{.*}} : (!state.object<"stage">, tensor<f32>) -> !flow.token
%q25 = state.stage_put %w25#0, %w25#1 : (!state.object<"stage">, tensor<f32>) -> !flow.token

%w26:4 = "test.value"() : () -> (!state.object<"stage">, tensor<i64>, tensor<1xi32>, tensor<f32>)
// CHECK: state.stage_put_at %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {size = 2 : i64} : (!state.object<"stage">, tensor<i64>, tensor<1xi32>, tensor<f32>) -> !flow.token
%q26 = state.stage_put_at %w26#0, %w26#1, %w26#2, %w26#3 {size = 2 : i64} : (!state.object<"stage">, tensor<i64>, tensor<1xi32>, tensor<f32>) -> !flow.token

%w27 = "test.value"() : () -> !state.object<"stage">
// CHECK: state.stage_take %{{.*}} : (!state.object<"stage">) -> (tensor<f32>, !flow.token)
%q27:2 = state.stage_take %w27 : (!state.object<"stage">) -> (tensor<f32>, !flow.token)

%w28:2 = "test.value"() : () -> (!state.object<"stage">, tensor<i32>)
// CHECK: state.stage_peek %{{.*}}, %{{.*}} : (!state.object<"stage">, tensor<i32>) -> (tensor<f32>, !flow.token)
%q28:2 = state.stage_peek %w28#0, %w28#1 : (!state.object<"stage">, tensor<i32>) -> (tensor<f32>, !flow.token)

%w29:3 = "test.value"() : () -> (!state.object<"stage">, tensor<i64>, tensor<1xi32>)
// CHECK: state.stage_take_at %{{.*}}, %{{.*}}, %{{.*}} {keeps = false} : (!state.object<"stage">, tensor<i64>, tensor<1xi32>) -> (tensor<f32>, !flow.token)
%q29:2 = state.stage_take_at %w29#0, %w29#1, %w29#2 {keeps = false} : (!state.object<"stage">, tensor<i64>, tensor<1xi32>) -> (tensor<f32>, !flow.token)

%w30:2 = "test.value"() : () -> (!state.object<"stage">, tensor<1xi32>)
// CHECK: state.stage_take_least %{{.*}}, %{{.*}} : (!state.object<"stage">, tensor<1xi32>) -> (tensor<i64>, tensor<f32>, !flow.token)
%q30:3 = state.stage_take_least %w30#0, %w30#1 : (!state.object<"stage">, tensor<1xi32>) -> (tensor<i64>, tensor<f32>, !flow.token)

%w31 = "test.value"() : () -> !state.object<"stage">
// CHECK: state.stage_size %{{.*}} {incomplete = false} : (!state.object<"stage">) -> (tensor<i32>, !flow.token)
%q31:2 = state.stage_size %w31 {incomplete = false} : (!state.object<"stage">) -> (tensor<i32>, !flow.token)

%w32 = "test.value"() : () -> !state.object<"stage">
// CHECK: state.stage_clear %{{.*}} : (!state.object<"stage">) -> !flow.token
%q32 = state.stage_clear %w32 : (!state.object<"stage">) -> !flow.token
