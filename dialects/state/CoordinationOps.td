// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the state dialect on barriers, accumulators of gradients, and mutexes.
#ifndef SLUICE_STATE_COORDINATION_OPS
#define SLUICE_STATE_COORDINATION_OPS

include "dialects/state/StateBase.td"

// ---- Barriers

def State_BarrierHandleOp : State_ObjectHandleOp<"barrier_handle", State_Barrier, (ins TypeArrayAttr:$components)> {
  let summary = "handle of a barrier";
  let semantics = [{The barrier `object` itself. It gathers tuples of tensors of the types `components`, each under a key, whose components come one by one; once the last one is there, the tuple can be taken. Where such a type has no rank, nothing is said of shapes.}];
  let failures = "INVALID_ARGUMENT when the barrier has been made with other components.";
  let constraints = [{C1. `object` names a `state.object` of the kind "barrier". C2. `components` are tensor types, at least one.}];
  let example = [{%b, %t = state.barrier_handle {object = @b, components = [tensor<f32>, tensor<2xi64>], name = "b"} : () -> (!state.object<"barrier">, !flow.token)}];
  let hasVerifier = 1;
}

def State_BarrierInsertOp : State_Op<"barrier_insert"> {
  let summary = "give keys of a barrier one component";
  let semantics = [{The rows of `values` become the component number `component` of the tuples under `keys`. Tuples that are complete then can be taken.}];
  let failures = "INVALID_ARGUMENT when a key has the component already, there is no such component, or type or shapes do not fit; UNIMPLEMENTED when the component has no elements; CANCELLED when the barrier is closed and a key is new.";
  let constraints = [{C1. `barrier` is the handle of a barrier. C2. `keys` holds strings.}];
  let example = [{%t = state.barrier_insert %b, %k, %v {component = 0 : i64} : (!state.object<"barrier">, tensor<2x!nd.string>, tensor<2xf32>) -> !flow.token}];
  let arguments = (ins State_Barrier:$barrier, ND_Text:$keys, ND_Any:$values, I64Attr:$component, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_BarrierTakeOp : State_WaitingOp<"barrier_take"> {
  let summary = "take complete tuples of a barrier";
  let semantics = [{The next `count` complete tuples, once there are so many: when their keys came first, as numbers that grow; the keys; and the components, each as a batch. Those whose keys came first are taken first. With `allow_fewer` a closed barrier gives what it has, if that is anything.}];
  let failures = "INVALID_ARGUMENT when the results are not of the types of the barrier, `count` is negative or no scalar, or shapes of components were not said; OUT_OF_RANGE when the barrier is closed and will not have enough.";
  let constraints = [{C1. `barrier` is the handle of a barrier. C2. `count` holds integers. C3. `indices` holds i64. C4. `keys` holds strings.}];
  let example = [{%i, %k, %v, %t = state.barrier_take %b, %n {allow_fewer = false} : (!state.object<"barrier">, tensor<i32>) -> (tensor<?xi64>, tensor<?x!nd.string>, tensor<?xf32>, !flow.token)}];
  let arguments = (ins State_Barrier:$barrier, ND_Index:$count, BoolAttr:$allow_fewer, Variadic<Flow_Token>:$after);
  let results = (outs ND_I64:$indices, ND_Text:$keys, Variadic<ND_Any>:$components, Flow_Token:$done);
}

def State_BarrierCloseOp : State_Op<"barrier_close"> {
  let summary = "let no new keys into a barrier";
  let semantics = [{From now on keys that are not in the barrier are refused. With `cancels` those that are incomplete go, too.}];
  let failures = "CANCELLED when the barrier is closed already, unless `cancels` is set for the first time.";
  let constraints = [{C1. `barrier` is the handle of a barrier.}];
  let example = [{%t = state.barrier_close %b {cancels = false} : (!state.object<"barrier">) -> !flow.token}];
  let arguments = (ins State_Barrier:$barrier, BoolAttr:$cancels, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_BarrierSizeOp : State_Op<"barrier_size", [OnlyReads]> {
  let summary = "how many tuples a barrier has";
  let semantics = [{The number of tuples that are complete, or of those that are not if `incomplete` is set.}];
  let failures = "none.";
  let constraints = [{C1. `barrier` is the handle of a barrier. C2. `size` holds integers.}];
  let example = [{%n, %t = state.barrier_size %b {incomplete = false} : (!state.object<"barrier">) -> (tensor<i32>, !flow.token)}];
  let arguments = (ins State_Barrier:$barrier, BoolAttr:$incomplete, Variadic<Flow_Token>:$after);
  let results = (outs ND_Int:$size, Flow_Token:$done);
}

// ---- Accumulators

def State_AccumulatorHandleOp : State_ObjectHandleOp<"accumulator_handle", State_Accumulator, (ins Sluice_ElementTypeAttr:$dtype, Sluice_ElementShapeAttr:$shape, BoolAttr:$sparse, BoolAttr:$averages)> {
  let summary = "handle of an accumulator of gradients";
  let semantics = [{The accumulator `object` itself. It adds up tensors of the type `dtype` and the shape `shape`, or with `sparse` rows of such tensors, until somebody takes the sum, or with `averages` their mean.}];
  let failures = "INVALID_ARGUMENT when the accumulator has been made with other attributes.";
  let constraints = [{C1. `object` names a `state.object` of the kind "accumulator". C2. `shape` is a tensor type.}];
  let example = [{%a, %t = state.accumulator_handle {object = @a, dtype = f32, shape = tensor<2xf32>, sparse = false, averages = true, name = "a"} : () -> (!state.object<"accumulator">, !flow.token)}];
  let hasVerifier = 1;
}

def State_AccumulatorApplyOp : State_Op<"accumulator_apply"> {
  let summary = "add a gradient to an accumulator";
  let semantics = [{Adds `gradient`, unless `step` is before the step of the accumulator: then it is stale, and forgotten.}];
  let failures = "INVALID_ARGUMENT when type or shape do not fit, or the accumulator is of rows.";
  let constraints = [{C1. `accumulator` is the handle of an accumulator. C2. `step` holds i64. C3. `gradient` holds numbers.}];
  let example = [{%t = state.accumulator_apply %a, %s, %g : (!state.object<"accumulator">, tensor<i64>, tensor<2xf32>) -> !flow.token}];
  let arguments = (ins State_Accumulator:$accumulator, ND_I64:$step, ND_Number:$gradient, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_AccumulatorApplyRowsOp : State_Op<"accumulator_apply_rows"> {
  let summary = "add rows of a gradient to an accumulator";
  let semantics = [{Adds the rows `values` at `indices`, which are in order, unless `step` is before the step of the accumulator. With `has_known_shape`, `shape` is that of the tensor that has these rows.}];
  let failures = "INVALID_ARGUMENT when types or shapes do not fit, or the accumulator is not of rows.";
  let constraints = [{C1. `accumulator` is the handle of an accumulator. C2. `step` holds i64. C3. `indices` holds i64. C4. `values` holds numbers. C5. `shape` holds i64.}];
  let example = [{%t = state.accumulator_apply_rows %a, %s, %i, %v, %d {has_known_shape = true} : (!state.object<"accumulator">, tensor<i64>, tensor<1xi64>, tensor<1x2xf32>, tensor<2xi64>) -> !flow.token}];
  let arguments = (ins State_Accumulator:$accumulator, ND_I64:$step, ND_I64:$indices, ND_Number:$values, ND_I64:$shape, BoolAttr:$has_known_shape, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_AccumulatorTakeOp : State_WaitingOp<"accumulator_take"> {
  let summary = "take the sum or mean of an accumulator";
  let semantics = [{What has been added, once `count` gradients have been. The accumulator is empty then, and one step further.}];
  let failures = "INVALID_ARGUMENT when `count` is not positive or no scalar, the result is not of the type of the accumulator, or that is of rows.";
  let constraints = [{C1. `accumulator` is the handle of an accumulator. C2. `count` holds integers. C3. `result` holds numbers.}];
  let example = [{%g, %t = state.accumulator_take %a, %n : (!state.object<"accumulator">, tensor<i32>) -> (tensor<2xf32>, !flow.token)}];
  let arguments = (ins State_Accumulator:$accumulator, ND_Index:$count, Variadic<Flow_Token>:$after);
  let results = (outs ND_Number:$result, Flow_Token:$done);
}

def State_AccumulatorTakeRowsOp : State_WaitingOp<"accumulator_take_rows"> {
  let summary = "take the rows of an accumulator";
  let semantics = [{The rows that have been added, once `count` gradients have been: their indices, in order, the rows, and the dims of the whole, of which the first is -1 where it is not known. The mean is that of each row. The accumulator is empty then, and one step further.}];
  let failures = "INVALID_ARGUMENT when `count` is not positive or no scalar, the values are not of the type of the accumulator, or that is not of rows.";
  let constraints = [{C1. `accumulator` is the handle of an accumulator. C2. `count` holds integers. C3. `indices` holds i64. C4. `values` holds numbers. C5. `shape` holds i64.}];
  let example = [{%i, %v, %d, %t = state.accumulator_take_rows %a, %n : (!state.object<"accumulator">, tensor<i32>) -> (tensor<?xi64>, tensor<?x2xf32>, tensor<2xi64>, !flow.token)}];
  let arguments = (ins State_Accumulator:$accumulator, ND_Index:$count, Variadic<Flow_Token>:$after);
  let results = (outs ND_I64:$indices, ND_Number:$values, ND_I64:$shape, Flow_Token:$done);
}

def State_AccumulatorCountOp : State_Op<"accumulator_count", [OnlyReads]> {
  let summary = "how many gradients an accumulator has";
  let semantics = [{The number of gradients that were added since the last ones were taken.}];
  let failures = "none.";
  let constraints = [{C1. `accumulator` is the handle of an accumulator. C2. `count` holds integers.}];
  let example = [{%n, %t = state.accumulator_count %a : (!state.object<"accumulator">) -> (tensor<i32>, !flow.token)}];
  let arguments = (ins State_Accumulator:$accumulator, Variadic<Flow_Token>:$after);
  let results = (outs ND_Int:$count, Flow_Token:$done);
}

def State_AccumulatorSetStepOp : State_Op<"accumulator_set_step"> {
  let summary = "set the step of an accumulator";
  let semantics = [{Gradients of steps before `step` are stale from now on.}];
  let failures = "INVALID_ARGUMENT when `step` is no scalar.";
  let constraints = [{C1. `accumulator` is the handle of an accumulator. C2. `step` holds i64.}];
  let example = [{%t = state.accumulator_set_step %a, %s : (!state.object<"accumulator">, tensor<i64>) -> !flow.token}];
  let arguments = (ins State_Accumulator:$accumulator, ND_I64:$step, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

// ---- Mutexes

def State_MutexHandleOp : State_ObjectHandleOp<"mutex_handle", State_Mutex, (ins)> {
  let summary = "handle of a mutex";
  let semantics = [{The mutex `object` itself, which one holds at a time.}];
  let failures = "none.";
  let constraints = [{C1. `object` names a `state.object` of the kind "mutex".}];
  let example = [{%m, %t = state.mutex_handle {object = @m, name = "m"} : () -> (!state.object<"mutex">, !flow.token)}];
}

def State_MutexLockOp : State_WaitingOp<"mutex_lock"> {
  let summary = "hold a mutex";
  let semantics = [{Holds the mutex once those who came before have let it go. It is held until the lock is released, or nobody has it any more, as when the call fails.}];
  let failures = "none.";
  let constraints = [{C1. `mutex` is the handle of a mutex. C2. `lock` is the handle of a lock.}];
  let example = [{%l, %t = state.mutex_lock %m : (!state.object<"mutex">) -> (!state.object<"lock">, !flow.token)}];
  let arguments = (ins State_Mutex:$mutex, Variadic<Flow_Token>:$after);
  let results = (outs State_Lock:$lock, Flow_Token:$done);
}

def State_MutexReleaseOp : State_Op<"mutex_release"> {
  let summary = "let a mutex go";
  let semantics = [{Releases the lock, and so the mutex.}];
  let failures = "INVALID_ARGUMENT when the lock has been released already.";
  let constraints = [{C1. `lock` is the handle of a lock.}];
  let example = [{%t = state.mutex_release %l : (!state.object<"lock">) -> !flow.token}];
  let arguments = (ins State_Lock:$lock, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

#endif
