// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the flow dialect: graphs, their interface, control edges, and the primitives.
#ifndef SLUICE_FLOW_OPS
#define SLUICE_FLOW_OPS

include "dialects/flow/FlowBase.td"
include "dialects/flow/BoxOps.td"
include "dialects/flow/FunctionOps.td"
include "dialects/flow/GradientOps.td"
include "dialects/flow/StructuredOps.td"

//===-- Graphs and their interface ------------------------------------------------------------===//

def Flow_GraphOp : Flow_Op<"graph", [IsolatedFromAbove, Symbol, SingleBlock, NoTerminator,
    RegionKindInterface, HasOnlyGraphRegion, Flow_TokenGraph]> {
  let summary = "one signature: what is fed, what is computed, what is fetched";
  let semantics = [{The ops of one signature, pruned and optimized on their own. Signatures of one module share
state. A call instantiates the graph in a root frame with one iteration, feeds it, and ends when no
token is left to move. One that `initializes` is called once, before the first call of any other; users do not call it.}];
  let fires = "as a whole, once for each call.";
  let dead = "does not apply.";
  let constraints = [{C1. No two feeds have the same name. C2. A cycle of ops passes through `flow.next_iteration`. C3. All operands of an op, constants aside, are tokens of one frame. C4. No op in it, nor in a region within, has a result type that the shape rule of its kernel denies, given the types of the operands and those operands that are small constants. C5. One that `initializes` has no feeds and no fetches.}];
  let example = [{flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
} }];
  let arguments = (ins SymbolNameAttr:$sym_name, UnitAttr:$initializes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Flow_FeedOp : Flow_Op<"feed"> {
  let summary = "a tensor that the caller gives";
  let semantics = [{The tensor fed under `name`, the graph's own name for it with its output index.}];
  let fires = "at the start of a call.";
  let dead = "always live; so is a control edge out of a fed node.";
  let constraints = [{C1. `name` is not empty.}];
  let example = [{%x = flow.feed {name = "x:0"} : () -> tensor<2x?xf32>}];
  let arguments = (ins StrAttr:$name);
  let results = (outs Flow_Value:$result);
  let hasVerifier = 1;
}

def Flow_FetchOp : Flow_Op<"fetch"> {
  let summary = "a tensor that the caller receives";
  let semantics = [{Gives `value` to the caller under `name`.}];
  let dead = "the call fails.";
  let failures = "INVALID_ARGUMENT for a dead value: there is no tensor to give.";
  let constraints = [{C1. `name` is not empty. C2. The op belongs to the root frame.}];
  let example = [{flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()}];
  let arguments = (ins Flow_Value:$value, StrAttr:$name);
  let hasVerifier = 1;
}

def Flow_TargetOp : Flow_Op<"target"> {
  let summary = "a node that is run for its effect";
  let semantics = [{Keeps everything that leads to `token` in the graph. The call is complete only when it has fired.}];
  let dead = "nothing happens: a target on a branch that is not taken is no error.";
  let constraints = [{C1. `name` is not empty.}];
  let example = [{flow.target %t {name = "train"} : (!flow.token) -> ()}];
  let arguments = (ins Flow_Token:$token, StrAttr:$name);
  let hasVerifier = 1;
}

//===-- Control edges -------------------------------------------------------------------------===//

def Flow_StartOp : Flow_Op<"start"> {
  let summary = "a token at the start of a call";
  let semantics = [{A control edge out of something that is always there, such as a constant.}];
  let fires = "at the start of a call, in the root frame.";
  let dead = "always live.";
  let constraints = [{none.}];
  let example = [{%t = flow.start : () -> !flow.token}];
  let results = (outs Flow_Token:$token);
}

def Flow_JoinOp : Flow_Op<"join"> {
  let summary = "all of several tokens";
  let semantics = [{One token for several.}];
  let constraints = [{C1. At least one operand.}];
  let example = [{%t = flow.join %a, %b : (!flow.token, !flow.token) -> !flow.token}];
  let arguments = (ins Variadic<Flow_Token>:$tokens);
  let results = (outs Flow_Token:$token);
  let hasVerifier = 1;
}

def Flow_TriggerOp : Flow_Op<"trigger"> {
  let summary = "a live token after all of several, dead or not";
  let semantics = [{Turns tokens into one that is live whatever they were (TensorFlow's ControlTrigger). Order edges
which the compiler adds pass through it, so that they order without killing.}];
  let dead = "ignored: the result is live.";
  let constraints = [{C1. At least one operand.}];
  let example = [{%t = flow.trigger %a, %b : (!flow.token, !flow.token) -> !flow.token}];
  let arguments = (ins Variadic<Flow_Token>:$tokens);
  let results = (outs Flow_Token:$token);
  let hasVerifier = 1;
}

def Flow_GateOp : Flow_Op<"gate", [AllTypesMatch<["value", "result"]>]> {
  let summary = "a value that waits for tokens";
  let semantics = [{Forwards `value` once all `tokens` have arrived: a control edge into an op that takes no tokens.}];
  let constraints = [{C1. `value` and `result` have the same type. C2. At least one token.}];
  let example = [{%y = flow.gate %x, %t : (tensor<f32>, !flow.token) -> tensor<f32>}];
  let arguments = (ins Flow_Value:$value, Variadic<Flow_Token>:$tokens);
  let results = (outs Flow_Value:$result);
  let hasVerifier = 1;
}

def Flow_AfterOp : Flow_Op<"after"> {
  let summary = "a token when a value is there";
  let semantics = [{A control edge out of an op that gives no token.}];
  let constraints = [{C1. `value` is no token.}];
  let example = [{%t = flow.after %x : (tensor<f32>) -> !flow.token}];
  let arguments = (ins Flow_Value:$value);
  let results = (outs Flow_Token:$token);
}

//===-- The primitives ------------------------------------------------------------------------===//

def Flow_SwitchOp : Flow_Op<"switch", [AllTypesMatch<["data", "on_false", "on_true"]>]> {
  let summary = "send a value one of two ways";
  let failures = "INVALID_ARGUMENT when `predicate` is no scalar.";
  let semantics = [{Forwards `data` to `on_true` when `predicate` holds, else to `on_false`; the other result is dead.
`token` says that the switch itself has fired: it is live although one result is dead.}];
  let dead = "all three results are dead.";
  let constraints = [{C1. `data`, `on_false` and `on_true` have the same type. C2. `predicate` is a tensor of `i1`.}];
  let example = [{%f, %t, %token = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)}];
  let arguments = (ins Flow_Value:$data, Flow_Value:$predicate);
  let results = (outs Flow_Value:$on_false, Flow_Value:$on_true, Flow_Token:$token);
  let hasVerifier = 1;
}

def Flow_MergeOp : Flow_Op<"merge"> {
  let summary = "take whichever value is live";
  let semantics = [{Forwards the live one of several values, with its position. The first operands are values, the
rest are control tokens. A constant among them is always there and says nothing about the path that
was taken, so it counts only when all other values are dead.}];
  let fires = "as soon as one live value and all tokens have arrived, or when all values are dead. The other values are not waited for.";
  let dead = [{dead when all values are dead that can come in its iteration: in the first one all but back edges, in
later ones all but what an enter brings once. Whether a token is dead does not matter.}];
  let failures = "INVALID_ARGUMENT when two values are live.";
  let constraints = [{C1. At least one value; tokens come last. C2. All values and `value` have compatible types: equal, or tensors of one element type whose shapes do not contradict each other. C3. `index` is a scalar of `i32`.}];
  let example = [{%v, %i, %token = flow.merge %a, %b : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)}];
  let arguments = (ins Variadic<AnyType>:$operands_);
  let results = (outs Flow_Value:$value, Flow_Value:$index, Flow_Token:$token);
  let extraClassDeclaration = [{
    // Operands that are values; the rest are control tokens.
    ::mlir::OperandRange getValues();
    ::mlir::OperandRange getTokens();
  }];
  let hasVerifier = 1;
}

def Flow_EnterOp : Flow_Op<"enter", [AllTypesMatch<["data", "result"]>]> {
  let summary = "bring a value into a loop";
  let semantics = [{Forwards `data` into the child frame `frame` of the current frame and iteration: into iteration 0,
or with `constant` into every iteration, those to come as well. The first enter that fires creates
the frame. At most `parallel_iterations` iterations of the frame are live at once.}];
  let dead = "forwarded as dead; the frame exists all the same.";
  let constraints = [{C1. `data` and `result` have the same type. C2. `frame` is not empty. C3. `parallel_iterations` is at least 1.}];
  let example = [{%y = flow.enter %x {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>}];
  let arguments = (ins Flow_Value:$data, StrAttr:$frame, BoolAttr:$constant, I64Attr:$parallel_iterations);
  let results = (outs Flow_Value:$result);
  let hasVerifier = 1;
}

def Flow_ExitOp : Flow_Op<"exit", [AllTypesMatch<["data", "result"]>]> {
  let summary = "bring a value out of a loop";
  let semantics = [{Forwards `data` to the parent of the frame, into the iteration that the frame belongs to.}];
  let dead = [{not forwarded at once, since an exit is dead in every iteration but the last. A dead exit of the
newest iteration is remembered, and forwarded as dead when the frame is done.}];
  let constraints = [{C1. `data` and `result` have the same type. C2. The op does not belong to the root frame.}];
  let example = [{%y = flow.exit %x : (tensor<f32>) -> tensor<f32>}];
  let arguments = (ins Flow_Value:$data);
  let results = (outs Flow_Value:$result);
}

def Flow_NextIterationOp : Flow_Op<"next_iteration", [AllTypesMatch<["data", "result"]>]> {
  let summary = "bring a value to the next iteration";
  let semantics = [{Forwards `data` to the next iteration of its frame, which is created on demand, or waits until
the window of live iterations has room.}];
  let dead = "starts no iteration, but is dead in the next one if another value starts that.";
  let constraints = [{C1. `data` and `result` have the same type. C2. The result goes to `flow.merge` ops only.}];
  let example = [{%y = flow.next_iteration %x : (tensor<f32>) -> tensor<f32>}];
  let arguments = (ins Flow_Value:$data);
  let results = (outs Flow_Value:$result);
  let hasVerifier = 1;
}

def Flow_LoopCondOp : Flow_Op<"loop_cond", [AllTypesMatch<["predicate", "result"]>]> {
  let summary = "the predicate that decides whether a loop goes on";
  let semantics = [{Forwards `predicate` and marks it as the pivot of its frame.}];
  let constraints = [{C1. `predicate` and `result` have the same type. C2. A frame has at most one such op.}];
  let example = [{%y = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>}];
  let arguments = (ins Flow_Value:$predicate);
  let results = (outs Flow_Value:$result);
}

#endif
