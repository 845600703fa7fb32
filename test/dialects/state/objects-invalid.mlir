// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ops on shared objects must be, one negative test for each constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// state.object C2
// expected-error@below {{expected kind "table", "queue", "barrier", "accumulator", "stage", "mutex", "reader" but got "heap"}}
state.object @t {key = "t", kind = "heap"}

// -----
// state.queue_handle C1
// expected-error@below {{expected the name of a state.object of kind "queue" but got @q}}
%r:2 = state.queue_handle {capacity = 10 : i64, components = [tensor<2xf32>, tensor<*xi64>], min_after_dequeue = 0 : i64, name = "q", object = @q, order = "fifo", seed = 0 : i64, seed2 = 0 : i64} : () -> (!state.object<"queue">, !flow.token)

// -----
// state.queue_handle C1
// expected-note@below {{this one is a table}}
state.object @q {key = "q", kind = "table"}
// expected-error@below {{expected the name of a state.object of kind "queue" but got @q}}
%r:2 = state.queue_handle {capacity = 10 : i64, components = [tensor<2xf32>, tensor<*xi64>], min_after_dequeue = 0 : i64, name = "q", object = @q, order = "fifo", seed = 0 : i64, seed2 = 0 : i64} : () -> (!state.object<"queue">, !flow.token)

// -----
// state.queue_handle C2
state.object @q {key = "q", kind = "queue"}
// expected-error@below {{expected order "fifo", "padding", "priority" or "random" but got "any"}}
%r:2 = state.queue_handle {capacity = 10 : i64, components = [tensor<2xf32>, tensor<*xi64>], min_after_dequeue = 0 : i64, name = "q", object = @q, order = "any", seed = 0 : i64, seed2 = 0 : i64} : () -> (!state.object<"queue">, !flow.token)

// -----
// state.queue_handle C3
state.object @q {key = "q", kind = "queue"}
// expected-error@below {{expected tensor types as components, at least one, but got []}}
%r:2 = state.queue_handle {capacity = 10 : i64, components = [], min_after_dequeue = 0 : i64, name = "q", object = @q, order = "fifo", seed = 0 : i64, seed2 = 0 : i64} : () -> (!state.object<"queue">, !flow.token)

// -----
// state.queue_handle C3
state.object @q {key = "q", kind = "queue"}
// expected-error@below {{expected tensor types as components, at least one, but got [i64]}}
%r:2 = state.queue_handle {capacity = 10 : i64, components = [i64], min_after_dequeue = 0 : i64, name = "q", object = @q, order = "fifo", seed = 0 : i64, seed2 = 0 : i64} : () -> (!state.object<"queue">, !flow.token)

// -----
// state.enqueue C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<f32>)
// expected-error@below {{operand #0 must be queue handle}}
%r = state.enqueue %v#0, %v#1 {many = false} : (tensor<i64>, tensor<f32>) -> !flow.token

// -----
// state.enqueue C2
%v:2 = "test.value"() : () -> (!state.object<"queue">, !state.object<"queue">)
// expected-error@below {{expected tensors as components, at least one, and behind them tokens}}
%r = state.enqueue %v#0, %v#1 {many = false} : (!state.object<"queue">, !state.object<"queue">) -> !flow.token

// -----
// state.enqueue C2
%v = "test.value"() : () -> !state.object<"queue">
// expected-error@below {{expected tensors as components, at least one, and behind them tokens}}
%r = state.enqueue %v {many = false} : (!state.object<"queue">) -> !flow.token

// -----
// state.dequeue C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be queue handle}}
%r:2 = state.dequeue %v : (tensor<i64>) -> (tensor<f32>, !flow.token)

// -----
// state.dequeue_many C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<i32>)
// expected-error@below {{operand #0 must be queue handle}}
%r:2 = state.dequeue_many %v#0, %v#1 {allow_fewer = false} : (tensor<i64>, tensor<i32>) -> (tensor<?xf32>, !flow.token)

// -----
// state.dequeue_many C2
%v:2 = "test.value"() : () -> (!state.object<"queue">, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = state.dequeue_many %v#0, %v#1 {allow_fewer = false} : (!state.object<"queue">, tensor<f32>) -> (tensor<?xf32>, !flow.token)

// -----
// state.queue_close C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be queue handle}}
%r = state.queue_close %v {cancels = false} : (tensor<i64>) -> !flow.token

// -----
// state.queue_size C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be queue handle}}
%r:2 = state.queue_size %v : (tensor<i64>) -> (tensor<i32>, !flow.token)

// -----
// state.queue_size C2
%v = "test.value"() : () -> !state.object<"queue">
// expected-error@below {{result #0 must be tensor of integers}}
%r:2 = state.queue_size %v : (!state.object<"queue">) -> (tensor<f32>, !flow.token)

// -----
// state.queue_is_closed C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be queue handle}}
%r:2 = state.queue_is_closed %v : (tensor<i64>) -> (tensor<i1>, !flow.token)

// -----
// state.queue_is_closed C2
%v = "test.value"() : () -> !state.object<"queue">
// expected-error@below {{result #0 must be tensor of i1}}
%r:2 = state.queue_is_closed %v : (!state.object<"queue">) -> (tensor<f32>, !flow.token)

// -----
// state.pack_handles C1
%v:2 = "test.value"() : () -> (!state.object<"queue">, !state.object<"mutex">)
// expected-error@below {{expected handles of kind "queue" and behind them tokens}}
%r:2 = state.pack_handles %v#0, %v#1 : (!state.object<"queue">, !state.object<"mutex">) -> (!state.handles<"queue">, !flow.token)

// -----
// state.choose_handle C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<i32>)
// expected-error@below {{operand #0 must be several object handles}}
%r:2 = state.choose_handle %v#0, %v#1 : (tensor<i64>, tensor<i32>) -> (!state.object<"queue">, !flow.token)

// -----
// state.choose_handle C2
%v:2 = "test.value"() : () -> (!state.handles<"queue">, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = state.choose_handle %v#0, %v#1 : (!state.handles<"queue">, tensor<f32>) -> (!state.object<"queue">, !flow.token)

// -----
// state.choose_handle C3
%v:2 = "test.value"() : () -> (!state.handles<"queue">, tensor<i32>)
// expected-error@below {{expected a handle of kind "queue" but got}}
%r:2 = state.choose_handle %v#0, %v#1 : (!state.handles<"queue">, tensor<i32>) -> (!state.object<"mutex">, !flow.token)

// -----
// state.barrier_handle C1
// expected-error@below {{expected the name of a state.object of kind "barrier" but got @b}}
%r:2 = state.barrier_handle {components = [tensor<f32>, tensor<2xi64>], name = "b", object = @b} : () -> (!state.object<"barrier">, !flow.token)

// -----
// state.barrier_handle C1
// expected-note@below {{this one is a table}}
state.object @b {key = "b", kind = "table"}
// expected-error@below {{expected the name of a state.object of kind "barrier" but got @b}}
%r:2 = state.barrier_handle {components = [tensor<f32>, tensor<2xi64>], name = "b", object = @b} : () -> (!state.object<"barrier">, !flow.token)

// -----
// state.barrier_handle C2
state.object @b {key = "b", kind = "barrier"}
// expected-error@below {{expected tensor types as components, at least one, but got []}}
%r:2 = state.barrier_handle {components = [], name = "b", object = @b} : () -> (!state.object<"barrier">, !flow.token)

// -----
// state.barrier_handle C2
state.object @b {key = "b", kind = "barrier"}
// expected-error@below {{expected tensor types as components, at least one, but got [i64]}}
%r:2 = state.barrier_handle {components = [i64], name = "b", object = @b} : () -> (!state.object<"barrier">, !flow.token)

// -----
// state.barrier_insert C1
%v:3 = "test.value"() : () -> (tensor<i64>, tensor<2x!nd.string>, tensor<2xf32>)
// expected-error@below {{operand #0 must be barrier handle}}
%r = state.barrier_insert %v#0, %v#1, %v#2 {component = 0 : i64} : (tensor<i64>, tensor<2x!nd.string>, tensor<2xf32>) -> !flow.token

// -----
// state.barrier_insert C2
%v:3 = "test.value"() : () -> (!state.object<"barrier">, tensor<f32>, tensor<2xf32>)
// expected-error@below {{operand #1 must be tensor of strings}}
%r = state.barrier_insert %v#0, %v#1, %v#2 {component = 0 : i64} : (!state.object<"barrier">, tensor<f32>, tensor<2xf32>) -> !flow.token

// -----
// state.barrier_take C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<i32>)
// expected-error@below {{operand #0 must be barrier handle}}
%r:4 = state.barrier_take %v#0, %v#1 {allow_fewer = false} : (tensor<i64>, tensor<i32>) -> (tensor<?xi64>, tensor<?x!nd.string>, tensor<?xf32>, !flow.token)

// -----
// state.barrier_take C2
%v:2 = "test.value"() : () -> (!state.object<"barrier">, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:4 = state.barrier_take %v#0, %v#1 {allow_fewer = false} : (!state.object<"barrier">, tensor<f32>) -> (tensor<?xi64>, tensor<?x!nd.string>, tensor<?xf32>, !flow.token)

// -----
// state.barrier_take C3
%v:2 = "test.value"() : () -> (!state.object<"barrier">, tensor<i32>)
// expected-error@below {{result #0 must be tensor of i64}}
%r:4 = state.barrier_take %v#0, %v#1 {allow_fewer = false} : (!state.object<"barrier">, tensor<i32>) -> (tensor<f32>, tensor<?x!nd.string>, tensor<?xf32>, !flow.token)

// -----
// state.barrier_take C4
%v:2 = "test.value"() : () -> (!state.object<"barrier">, tensor<i32>)
// expected-error@below {{result #1 must be tensor of strings}}
%r:4 = state.barrier_take %v#0, %v#1 {allow_fewer = false} : (!state.object<"barrier">, tensor<i32>) -> (tensor<?xi64>, tensor<f32>, tensor<?xf32>, !flow.token)

// -----
// state.barrier_close C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be barrier handle}}
%r = state.barrier_close %v {cancels = false} : (tensor<i64>) -> !flow.token

// -----
// state.barrier_size C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be barrier handle}}
%r:2 = state.barrier_size %v {incomplete = false} : (tensor<i64>) -> (tensor<i32>, !flow.token)

// -----
// state.barrier_size C2
%v = "test.value"() : () -> !state.object<"barrier">
// expected-error@below {{result #0 must be tensor of integers}}
%r:2 = state.barrier_size %v {incomplete = false} : (!state.object<"barrier">) -> (tensor<f32>, !flow.token)

// -----
// state.accumulator_handle C1
// expected-error@below {{expected the name of a state.object of kind "accumulator" but got @a}}
%r:2 = state.accumulator_handle {averages = true, dtype = f32, name = "a", object = @a, shape = tensor<2xf32>, sparse = false} : () -> (!state.object<"accumulator">, !flow.token)

// -----
// state.accumulator_handle C1
// expected-note@below {{this one is a table}}
state.object @a {key = "a", kind = "table"}
// expected-error@below {{expected the name of a state.object of kind "accumulator" but got @a}}
%r:2 = state.accumulator_handle {averages = true, dtype = f32, name = "a", object = @a, shape = tensor<2xf32>, sparse = false} : () -> (!state.object<"accumulator">, !flow.token)

// -----
// state.accumulator_handle C2
state.object @a {key = "a", kind = "accumulator"}
// expected-error@below {{expected a tensor type as shape but got 'f32'}}
%r:2 = state.accumulator_handle {averages = true, dtype = f32, name = "a", object = @a, shape = f32, sparse = false} : () -> (!state.object<"accumulator">, !flow.token)

// -----
// state.accumulator_apply C1
%v:3 = "test.value"() : () -> (tensor<i64>, tensor<i64>, tensor<2xf32>)
// expected-error@below {{operand #0 must be accumulator handle}}
%r = state.accumulator_apply %v#0, %v#1, %v#2 : (tensor<i64>, tensor<i64>, tensor<2xf32>) -> !flow.token

// -----
// state.accumulator_apply C2
%v:3 = "test.value"() : () -> (!state.object<"accumulator">, tensor<f32>, tensor<2xf32>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r = state.accumulator_apply %v#0, %v#1, %v#2 : (!state.object<"accumulator">, tensor<f32>, tensor<2xf32>) -> !flow.token

// -----
// state.accumulator_apply C3
%v:3 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i64>, tensor<!nd.string>)
// expected-error@below {{operand #2 must be tensor of numbers}}
%r = state.accumulator_apply %v#0, %v#1, %v#2 : (!state.object<"accumulator">, tensor<i64>, tensor<!nd.string>) -> !flow.token

// -----
// state.accumulator_apply_rows C1
%v:5 = "test.value"() : () -> (tensor<i64>, tensor<i64>, tensor<1xi64>, tensor<1x2xf32>, tensor<2xi64>)
// expected-error@below {{operand #0 must be accumulator handle}}
%r = state.accumulator_apply_rows %v#0, %v#1, %v#2, %v#3, %v#4 {has_known_shape = true} : (tensor<i64>, tensor<i64>, tensor<1xi64>, tensor<1x2xf32>, tensor<2xi64>) -> !flow.token

// -----
// state.accumulator_apply_rows C2
%v:5 = "test.value"() : () -> (!state.object<"accumulator">, tensor<f32>, tensor<1xi64>, tensor<1x2xf32>, tensor<2xi64>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r = state.accumulator_apply_rows %v#0, %v#1, %v#2, %v#3, %v#4 {has_known_shape = true} : (!state.object<"accumulator">, tensor<f32>, tensor<1xi64>, tensor<1x2xf32>, tensor<2xi64>) -> !flow.token

// -----
// state.accumulator_apply_rows C3
%v:5 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i64>, tensor<f32>, tensor<1x2xf32>, tensor<2xi64>)
// expected-error@below {{operand #2 must be tensor of i64}}
%r = state.accumulator_apply_rows %v#0, %v#1, %v#2, %v#3, %v#4 {has_known_shape = true} : (!state.object<"accumulator">, tensor<i64>, tensor<f32>, tensor<1x2xf32>, tensor<2xi64>) -> !flow.token

// -----
// state.accumulator_apply_rows C4
%v:5 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i64>, tensor<1xi64>, tensor<!nd.string>, tensor<2xi64>)
// expected-error@below {{operand #3 must be tensor of numbers}}
%r = state.accumulator_apply_rows %v#0, %v#1, %v#2, %v#3, %v#4 {has_known_shape = true} : (!state.object<"accumulator">, tensor<i64>, tensor<1xi64>, tensor<!nd.string>, tensor<2xi64>) -> !flow.token

// -----
// state.accumulator_apply_rows C5
%v:5 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i64>, tensor<1xi64>, tensor<1x2xf32>, tensor<f32>)
// expected-error@below {{operand #4 must be tensor of i64}}
%r = state.accumulator_apply_rows %v#0, %v#1, %v#2, %v#3, %v#4 {has_known_shape = true} : (!state.object<"accumulator">, tensor<i64>, tensor<1xi64>, tensor<1x2xf32>, tensor<f32>) -> !flow.token

// -----
// state.accumulator_take C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<i32>)
// expected-error@below {{operand #0 must be accumulator handle}}
%r:2 = state.accumulator_take %v#0, %v#1 : (tensor<i64>, tensor<i32>) -> (tensor<2xf32>, !flow.token)

// -----
// state.accumulator_take C2
%v:2 = "test.value"() : () -> (!state.object<"accumulator">, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = state.accumulator_take %v#0, %v#1 : (!state.object<"accumulator">, tensor<f32>) -> (tensor<2xf32>, !flow.token)

// -----
// state.accumulator_take C3
%v:2 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i32>)
// expected-error@below {{result #0 must be tensor of numbers}}
%r:2 = state.accumulator_take %v#0, %v#1 : (!state.object<"accumulator">, tensor<i32>) -> (tensor<!nd.string>, !flow.token)

// -----
// state.accumulator_take_rows C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<i32>)
// expected-error@below {{operand #0 must be accumulator handle}}
%r:4 = state.accumulator_take_rows %v#0, %v#1 : (tensor<i64>, tensor<i32>) -> (tensor<?xi64>, tensor<?x2xf32>, tensor<2xi64>, !flow.token)

// -----
// state.accumulator_take_rows C2
%v:2 = "test.value"() : () -> (!state.object<"accumulator">, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:4 = state.accumulator_take_rows %v#0, %v#1 : (!state.object<"accumulator">, tensor<f32>) -> (tensor<?xi64>, tensor<?x2xf32>, tensor<2xi64>, !flow.token)

// -----
// state.accumulator_take_rows C3
%v:2 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i32>)
// expected-error@below {{result #0 must be tensor of i64}}
%r:4 = state.accumulator_take_rows %v#0, %v#1 : (!state.object<"accumulator">, tensor<i32>) -> (tensor<f32>, tensor<?x2xf32>, tensor<2xi64>, !flow.token)

// -----
// state.accumulator_take_rows C4
%v:2 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i32>)
// expected-error@below {{result #1 must be tensor of numbers}}
%r:4 = state.accumulator_take_rows %v#0, %v#1 : (!state.object<"accumulator">, tensor<i32>) -> (tensor<?xi64>, tensor<!nd.string>, tensor<2xi64>, !flow.token)

// -----
// state.accumulator_take_rows C5
%v:2 = "test.value"() : () -> (!state.object<"accumulator">, tensor<i32>)
// expected-error@below {{result #2 must be tensor of i64}}
%r:4 = state.accumulator_take_rows %v#0, %v#1 : (!state.object<"accumulator">, tensor<i32>) -> (tensor<?xi64>, tensor<?x2xf32>, tensor<f32>, !flow.token)

// -----
// state.accumulator_count C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be accumulator handle}}
%r:2 = state.accumulator_count %v : (tensor<i64>) -> (tensor<i32>, !flow.token)

// -----
// state.accumulator_count C2
%v = "test.value"() : () -> !state.object<"accumulator">
// expected-error@below {{result #0 must be tensor of integers}}
%r:2 = state.accumulator_count %v : (!state.object<"accumulator">) -> (tensor<f32>, !flow.token)

// -----
// state.accumulator_set_step C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<i64>)
// expected-error@below {{operand #0 must be accumulator handle}}
%r = state.accumulator_set_step %v#0, %v#1 : (tensor<i64>, tensor<i64>) -> !flow.token

// -----
// state.accumulator_set_step C2
%v:2 = "test.value"() : () -> (!state.object<"accumulator">, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r = state.accumulator_set_step %v#0, %v#1 : (!state.object<"accumulator">, tensor<f32>) -> !flow.token

// -----
// state.mutex_handle C1
// expected-error@below {{expected the name of a state.object of kind "mutex" but got @m}}
%r:2 = state.mutex_handle {name = "m", object = @m} : () -> (!state.object<"mutex">, !flow.token)

// -----
// state.mutex_handle C1
// expected-note@below {{this one is a table}}
state.object @m {key = "m", kind = "table"}
// expected-error@below {{expected the name of a state.object of kind "mutex" but got @m}}
%r:2 = state.mutex_handle {name = "m", object = @m} : () -> (!state.object<"mutex">, !flow.token)

// -----
// state.mutex_lock C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be mutex handle}}
%r:2 = state.mutex_lock %v : (tensor<i64>) -> (!state.object<"lock">, !flow.token)

// -----
// state.mutex_lock C2
%v = "test.value"() : () -> !state.object<"mutex">
// expected-error@below {{result #0 must be lock handle}}
%r:2 = state.mutex_lock %v : (!state.object<"mutex">) -> (!state.object<"mutex">, !flow.token)

// -----
// state.mutex_release C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be lock handle}}
%r = state.mutex_release %v : (tensor<i64>) -> !flow.token

// -----
// state.stage_handle C1
// expected-error@below {{expected the name of a state.object of kind "stage" but got @s}}
%r:2 = state.stage_handle {capacity = 0 : i64, keyed = false, memory_limit = 0 : i64, name = "s", object = @s} : () -> (!state.object<"stage">, !flow.token)

// -----
// state.stage_handle C1
// expected-note@below {{this one is a table}}
state.object @s {key = "s", kind = "table"}
// expected-error@below {{expected the name of a state.object of kind "stage" but got @s}}
%r:2 = state.stage_handle {capacity = 0 : i64, keyed = false, memory_limit = 0 : i64, name = "s", object = @s} : () -> (!state.object<"stage">, !flow.token)

// -----
// state.stage_put C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<f32>)
// expected-error@below {{operand #0 must be stage handle}}
%r = state.stage_put %v#0, %v#1 : (tensor<i64>, tensor<f32>) -> !flow.token

// -----
// state.stage_put C2
%v:2 = "test.value"() : () -> (!state.object<"stage">, !state.object<"queue">)
// expected-error@below {{expected tensors as components and behind them tokens}}
%r = state.stage_put %v#0, %v#1 : (!state.object<"stage">, !state.object<"queue">) -> !flow.token

// -----
// state.stage_put_at C1
%v:4 = "test.value"() : () -> (tensor<i64>, tensor<i64>, tensor<1xi32>, tensor<f32>)
// expected-error@below {{operand #0 must be stage handle}}
%r = state.stage_put_at %v#0, %v#1, %v#2, %v#3 {size = 2 : i64} : (tensor<i64>, tensor<i64>, tensor<1xi32>, tensor<f32>) -> !flow.token

// -----
// state.stage_put_at C2
%v:4 = "test.value"() : () -> (!state.object<"stage">, tensor<i64>, tensor<1xi32>, !state.object<"queue">)
// expected-error@below {{expected tensors as components and behind them tokens}}
%r = state.stage_put_at %v#0, %v#1, %v#2, %v#3 {size = 2 : i64} : (!state.object<"stage">, tensor<i64>, tensor<1xi32>, !state.object<"queue">) -> !flow.token

// -----
// state.stage_put_at C3
%v:4 = "test.value"() : () -> (!state.object<"stage">, tensor<f32>, tensor<1xi32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r = state.stage_put_at %v#0, %v#1, %v#2, %v#3 {size = 2 : i64} : (!state.object<"stage">, tensor<f32>, tensor<1xi32>, tensor<f32>) -> !flow.token

// -----
// state.stage_put_at C4
%v:4 = "test.value"() : () -> (!state.object<"stage">, tensor<i64>, tensor<f32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = state.stage_put_at %v#0, %v#1, %v#2, %v#3 {size = 2 : i64} : (!state.object<"stage">, tensor<i64>, tensor<f32>, tensor<f32>) -> !flow.token

// -----
// state.stage_take C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be stage handle}}
%r:2 = state.stage_take %v : (tensor<i64>) -> (tensor<f32>, !flow.token)

// -----
// state.stage_peek C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<i32>)
// expected-error@below {{operand #0 must be stage handle}}
%r:2 = state.stage_peek %v#0, %v#1 : (tensor<i64>, tensor<i32>) -> (tensor<f32>, !flow.token)

// -----
// state.stage_peek C2
%v:2 = "test.value"() : () -> (!state.object<"stage">, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = state.stage_peek %v#0, %v#1 : (!state.object<"stage">, tensor<f32>) -> (tensor<f32>, !flow.token)

// -----
// state.stage_take_at C1
%v:3 = "test.value"() : () -> (tensor<i64>, tensor<i64>, tensor<1xi32>)
// expected-error@below {{operand #0 must be stage handle}}
%r:2 = state.stage_take_at %v#0, %v#1, %v#2 {keeps = false} : (tensor<i64>, tensor<i64>, tensor<1xi32>) -> (tensor<f32>, !flow.token)

// -----
// state.stage_take_at C2
%v:3 = "test.value"() : () -> (!state.object<"stage">, tensor<f32>, tensor<1xi32>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r:2 = state.stage_take_at %v#0, %v#1, %v#2 {keeps = false} : (!state.object<"stage">, tensor<f32>, tensor<1xi32>) -> (tensor<f32>, !flow.token)

// -----
// state.stage_take_at C3
%v:3 = "test.value"() : () -> (!state.object<"stage">, tensor<i64>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = state.stage_take_at %v#0, %v#1, %v#2 {keeps = false} : (!state.object<"stage">, tensor<i64>, tensor<f32>) -> (tensor<f32>, !flow.token)

// -----
// state.stage_take_least C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<1xi32>)
// expected-error@below {{operand #0 must be stage handle}}
%r:3 = state.stage_take_least %v#0, %v#1 : (tensor<i64>, tensor<1xi32>) -> (tensor<i64>, tensor<f32>, !flow.token)

// -----
// state.stage_take_least C2
%v:2 = "test.value"() : () -> (!state.object<"stage">, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:3 = state.stage_take_least %v#0, %v#1 : (!state.object<"stage">, tensor<f32>) -> (tensor<i64>, tensor<f32>, !flow.token)

// -----
// state.stage_take_least C3
%v:2 = "test.value"() : () -> (!state.object<"stage">, tensor<1xi32>)
// expected-error@below {{result #0 must be tensor of i64}}
%r:3 = state.stage_take_least %v#0, %v#1 : (!state.object<"stage">, tensor<1xi32>) -> (tensor<f32>, tensor<f32>, !flow.token)

// -----
// state.stage_size C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be stage handle}}
%r:2 = state.stage_size %v {incomplete = false} : (tensor<i64>) -> (tensor<i32>, !flow.token)

// -----
// state.stage_size C2
%v = "test.value"() : () -> !state.object<"stage">
// expected-error@below {{result #0 must be tensor of integers}}
%r:2 = state.stage_size %v {incomplete = false} : (!state.object<"stage">) -> (tensor<f32>, !flow.token)

// -----
// state.stage_clear C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be stage handle}}
%r = state.stage_clear %v : (tensor<i64>) -> !flow.token
