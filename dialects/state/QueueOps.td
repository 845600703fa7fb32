// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the state dialect on queues, and those that choose one of several objects.
#ifndef SLUICE_STATE_QUEUE_OPS
#define SLUICE_STATE_QUEUE_OPS

include "dialects/state/StateBase.td"

def State_QueueHandleOp : State_ObjectHandleOp<"queue_handle", State_Queue, (ins TypeArrayAttr:$components, StrAttr:$order, I64Attr:$capacity, I64Attr:$min_after_dequeue, I64Attr:$seed, I64Attr:$seed2)> {
  let summary = "handle of a queue";
  let semantics = [{The queue `object` itself. Its elements are tuples of tensors of the types `components`; where such a type has no rank, nothing is said of shapes. At most `capacity` elements are in it; a negative one is no bound. `order` says which comes out next: with "fifo" and "padding" the one that is there longest, with "priority" the one whose first component, a scalar i64, is smallest, with "random" one that the Philox stream of `seed` and `seed2` draws, and then `min_after_dequeue` elements are left behind as long as the queue is open. "padding" has tensors of different shapes in one component, of which many are joined with zeros behind them.}];
  let failures = "INVALID_ARGUMENT when the queue has been made with other attributes, or no queue can be made of them.";
  let constraints = [{C1. `object` names a `state.object` of the kind "queue". C2. `order` is one of "fifo", "padding", "priority", "random". C3. `components` are tensor types, at least one.}];
  let example = [{%q, %t = state.queue_handle {object = @q, components = [tensor<2xf32>, tensor<*xi64>], order = "fifo", capacity = 10 : i64, min_after_dequeue = 0 : i64, seed = 0 : i64, seed2 = 0 : i64, name = "q"} : () -> (!state.object<"queue">, !flow.token)}];
  let hasVerifier = 1;
}

def State_EnqueueOp : State_WaitingOp<"enqueue"> {
  let summary = "put an element into a queue, or many";
  let semantics = [{Puts the tuple of `components`, after which come tokens, into the queue once there is room, and those before it are in. With `many` the components are batches, whose rows are put in one after the other.}];
  let failures = "INVALID_ARGUMENT when the components are not those of the queue; CANCELLED when the queue is closed before all is in it.";
  let constraints = [{C1. `queue` is the handle of a queue. C2. `components` are tensors, at least one, and behind them tokens.}];
  let example = [{%t = state.enqueue %q, %x {many = false} : (!state.object<"queue">, tensor<f32>) -> !flow.token}];
  let arguments = (ins State_Queue:$queue, Variadic<AnyType>:$components, BoolAttr:$many);
  let results = (outs Flow_Token:$done);
  let hasVerifier = 1;
}

def State_DequeueOp : State_WaitingOp<"dequeue"> {
  let summary = "take an element out of a queue";
  let semantics = [{The next element, once there is one and those who came before have theirs.}];
  let failures = "INVALID_ARGUMENT when the results are not of the types of the queue; OUT_OF_RANGE when the queue is closed and has no element.";
  let constraints = [{C1. `queue` is the handle of a queue.}];
  let example = [{%x, %t = state.dequeue %q : (!state.object<"queue">) -> (tensor<f32>, !flow.token)}];
  let arguments = (ins State_Queue:$queue, Variadic<Flow_Token>:$after);
  let results = (outs Variadic<ND_Any>:$components, Flow_Token:$done);
}

def State_DequeueManyOp : State_WaitingOp<"dequeue_many"> {
  let summary = "take many elements out of a queue";
  let semantics = [{The next `count` elements, each component as a batch. They leave the queue as they come; if it is closed before all are there, they go back, unless `allow_fewer` is set and there are some.}];
  let failures = "INVALID_ARGUMENT when the results are not of the types of the queue, `count` is negative or no scalar, or shapes of components were not said; OUT_OF_RANGE when the queue is closed and has too few elements.";
  let constraints = [{C1. `queue` is the handle of a queue. C2. `count` holds integers.}];
  let example = [{%x, %t = state.dequeue_many %q, %n {allow_fewer = false} : (!state.object<"queue">, tensor<i32>) -> (tensor<?xf32>, !flow.token)}];
  let arguments = (ins State_Queue:$queue, ND_Index:$count, BoolAttr:$allow_fewer, Variadic<Flow_Token>:$after);
  let results = (outs Variadic<ND_Any>:$components, Flow_Token:$done);
}

def State_QueueCloseOp : State_WaitingOp<"queue_close"> {
  let summary = "let nothing more into a queue";
  let semantics = [{From now on nothing is put into the queue, and who wants more than is in it fails. What already waits to be put in is so first; with `cancels` it fails with CANCELLED instead.}];
  let failures = "CANCELLED when the queue is closed already, unless `cancels` is set.";
  let constraints = [{C1. `queue` is the handle of a queue.}];
  let example = [{%t = state.queue_close %q {cancels = false} : (!state.object<"queue">) -> !flow.token}];
  let arguments = (ins State_Queue:$queue, BoolAttr:$cancels, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_QueueSizeOp : State_Op<"queue_size", [OnlyReads]> {
  let summary = "how many elements a queue has";
  let semantics = [{The number of elements that are in the queue, without those that wait to be put in.}];
  let failures = "none.";
  let constraints = [{C1. `queue` is the handle of a queue. C2. `size` holds integers.}];
  let example = [{%n, %t = state.queue_size %q : (!state.object<"queue">) -> (tensor<i32>, !flow.token)}];
  let arguments = (ins State_Queue:$queue, Variadic<Flow_Token>:$after);
  let results = (outs ND_Int:$size, Flow_Token:$done);
}

def State_QueueIsClosedOp : State_Op<"queue_is_closed", [OnlyReads]> {
  let summary = "whether a queue is closed";
  let semantics = [{Whether nothing more is let into the queue.}];
  let failures = "none.";
  let constraints = [{C1. `queue` is the handle of a queue. C2. `closed` holds i1.}];
  let example = [{%c, %t = state.queue_is_closed %q : (!state.object<"queue">) -> (tensor<i1>, !flow.token)}];
  let arguments = (ins State_Queue:$queue, Variadic<Flow_Token>:$after);
  let results = (outs ND_Bool:$closed, Flow_Token:$done);
}

def State_PackHandlesOp : State_Op<"pack_handles", [OnlyReads]> {
  let summary = "several handles as one value";
  let semantics = [{The handles of `objects`, after which come tokens, in their order.}];
  let failures = "none.";
  let constraints = [{C1. `objects` are handles of objects of the kind of `result`, and behind them tokens.}];
  let example = [{%h, %t = state.pack_handles %q, %p : (!state.object<"queue">, !state.object<"queue">) -> (!state.handles<"queue">, !flow.token)}];
  let arguments = (ins Variadic<AnyType>:$objects);
  let results = (outs State_AnyHandles:$result, Flow_Token:$done);
  let hasVerifier = 1;
}

def State_ChooseHandleOp : State_Op<"choose_handle", [OnlyReads]> {
  let summary = "one of several handles";
  let semantics = [{The handle at the position `index`.}];
  let failures = "INVALID_ARGUMENT when `index` is no scalar or there is no such position.";
  let constraints = [{C1. `handles` are several handles. C2. `index` holds integers. C3. `result` is a handle of the same kind.}];
  let example = [{%q, %t = state.choose_handle %h, %i : (!state.handles<"queue">, tensor<i32>) -> (!state.object<"queue">, !flow.token)}];
  let arguments = (ins State_AnyHandles:$handles, ND_Index:$index, Variadic<Flow_Token>:$after);
  let results = (outs State_AnyObject:$result, Flow_Token:$done);
  let hasVerifier = 1;
}

#endif
