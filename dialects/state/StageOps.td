// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the state dialect on staging areas.
#ifndef SLUICE_STATE_STAGE_OPS
#define SLUICE_STATE_STAGE_OPS

include "dialects/state/StateBase.td"

def State_StageHandleOp : State_ObjectHandleOp<"stage_handle", State_Stage, (ins BoolAttr:$keyed, I64Attr:$capacity, I64Attr:$memory_limit)> {
  let summary = "handle of a staging area";
  let semantics = [{The staging area `object` itself. It has at most `capacity` tuples of tensors, with at most `memory_limit` bytes together; 0 is no bound. They come out in the order in which they were put in, or by their keys if it is `keyed`.}];
  let failures = "INVALID_ARGUMENT when the area has been made with other attributes.";
  let constraints = [{C1. `object` names a `state.object` of the kind "stage".}];
  let example = [{%s, %t = state.stage_handle {object = @s, keyed = false, capacity = 0 : i64, memory_limit = 0 : i64, name = "s"} : () -> (!state.object<"stage">, !flow.token)}];
}

class State_StagePut<string mnemonic, dag operands, dag attributes> : State_WaitingOp<mnemonic> {
  let arguments = !con((ins State_Stage:$stage), operands, (ins Variadic<AnyType>:$components), attributes);
  let results = (outs Flow_Token:$done);
  let hasVerifier = 1;
}

def State_StagePutOp : State_StagePut<"stage_put", (ins), (ins)> {
  let summary = "put a tuple into a staging area";
  let semantics = [{Puts the tuple of `components`, after which come tokens, behind the others, once there is room.}];
  let failures = "INVALID_ARGUMENT when the area is keyed; RESOURCE_EXHAUSTED when they alone are larger than its limit.";
  let constraints = [{C1. `stage` is the handle of a staging area. C2. `components` are tensors and, behind them, tokens.}];
  let example = [{%t = state.stage_put %s, %x : (!state.object<"stage">, tensor<f32>) -> !flow.token}];
}

def State_StagePutAtOp : State_StagePut<"stage_put_at", (ins ND_I64:$key, ND_Index:$indices), (ins I64Attr:$size)> {
  let summary = "put components under a key of a staging area";
  let semantics = [{The components number `indices` of the tuple under `key`, which has `size` of them, become `components`, after which come tokens. A tuple that is complete then can be taken; what makes it complete waits for room.}];
  let failures = "INVALID_ARGUMENT when indices do not grow, are out of range or not as many as components, a component is there already, or the area is not keyed; RESOURCE_EXHAUSTED when they alone are larger than its limit.";
  let constraints = [{C1. `stage` is the handle of a staging area. C2. `components` are tensors and, behind them, tokens. C3. `key` holds i64. C4. `indices` holds integers.}];
  let example = [{%t = state.stage_put_at %s, %k, %i, %x {size = 2 : i64} : (!state.object<"stage">, tensor<i64>, tensor<1xi32>, tensor<f32>) -> !flow.token}];
}

def State_StageTakeOp : State_WaitingOp<"stage_take"> {
  let summary = "take the next tuple of a staging area";
  let semantics = [{The tuple that is there longest, once there is one.}];
  let failures = "INVALID_ARGUMENT when the results are not those of the area, or it is keyed.";
  let constraints = [{C1. `stage` is the handle of a staging area.}];
  let example = [{%x, %t = state.stage_take %s : (!state.object<"stage">) -> (tensor<f32>, !flow.token)}];
  let arguments = (ins State_Stage:$stage, Variadic<Flow_Token>:$after);
  let results = (outs Variadic<ND_Any>:$components, Flow_Token:$done);
}

def State_StagePeekOp : State_WaitingOp<"stage_peek"> {
  let summary = "look at a tuple of a staging area";
  let semantics = [{The tuple at the position `index`, the next one being at 0, once there is one. It stays.}];
  let failures = "INVALID_ARGUMENT when the results are not those of the area, it is keyed, or `index` is no scalar.";
  let constraints = [{C1. `stage` is the handle of a staging area. C2. `index` holds integers.}];
  let example = [{%x, %t = state.stage_peek %s, %i : (!state.object<"stage">, tensor<i32>) -> (tensor<f32>, !flow.token)}];
  let arguments = (ins State_Stage:$stage, ND_Index:$index, Variadic<Flow_Token>:$after);
  let results = (outs Variadic<ND_Any>:$components, Flow_Token:$done);
}

def State_StageTakeAtOp : State_WaitingOp<"stage_take_at"> {
  let summary = "take components under a key of a staging area";
  let semantics = [{The components number `indices` of the tuple under `key`, once it is complete. With `keeps` they stay; else the tuple is gone with the last of them.}];
  let failures = "INVALID_ARGUMENT when the results are not those components, indices do not grow or are out of range, a component has been taken already, or the area is not keyed.";
  let constraints = [{C1. `stage` is the handle of a staging area. C2. `key` holds i64. C3. `indices` holds integers.}];
  let example = [{%x, %t = state.stage_take_at %s, %k, %i {keeps = false} : (!state.object<"stage">, tensor<i64>, tensor<1xi32>) -> (tensor<f32>, !flow.token)}];
  let arguments = (ins State_Stage:$stage, ND_I64:$key, ND_Index:$indices, BoolAttr:$keeps, Variadic<Flow_Token>:$after);
  let results = (outs Variadic<ND_Any>:$components, Flow_Token:$done);
}

def State_StageTakeLeastOp : State_WaitingOp<"stage_take_least"> {
  let summary = "take components under the least key of a staging area";
  let semantics = [{The least key of a tuple that is complete, once there is one, and the components number `indices` of it. The tuple is gone with the last of them.}];
  let failures = "INVALID_ARGUMENT when the results are not those components, indices do not grow or are out of range, a component has been taken already, or the area is not keyed.";
  let constraints = [{C1. `stage` is the handle of a staging area. C2. `indices` holds integers. C3. `key` holds i64.}];
  let example = [{%k, %x, %t = state.stage_take_least %s, %i : (!state.object<"stage">, tensor<1xi32>) -> (tensor<i64>, tensor<f32>, !flow.token)}];
  let arguments = (ins State_Stage:$stage, ND_Index:$indices, Variadic<Flow_Token>:$after);
  let results = (outs ND_I64:$key, Variadic<ND_Any>:$components, Flow_Token:$done);
}

def State_StageSizeOp : State_Op<"stage_size", [OnlyReads]> {
  let summary = "how many tuples a staging area has";
  let semantics = [{The number of tuples that can be taken, or of those that are not complete if `incomplete` is set.}];
  let failures = "none.";
  let constraints = [{C1. `stage` is the handle of a staging area. C2. `size` holds integers.}];
  let example = [{%n, %t = state.stage_size %s {incomplete = false} : (!state.object<"stage">) -> (tensor<i32>, !flow.token)}];
  let arguments = (ins State_Stage:$stage, BoolAttr:$incomplete, Variadic<Flow_Token>:$after);
  let results = (outs ND_Int:$size, Flow_Token:$done);
}

def State_StageClearOp : State_Op<"stage_clear"> {
  let summary = "empty a staging area";
  let semantics = [{Removes all tuples, also those that are not complete.}];
  let failures = "none.";
  let constraints = [{C1. `stage` is the handle of a staging area.}];
  let example = [{%t = state.stage_clear %s : (!state.object<"stage">) -> !flow.token}];
  let arguments = (ins State_Stage:$stage, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

#endif
