// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the flow dialect: branches and loops with regions, the composite and the codelet.
//
// Regions are isolated and see the outside through explicit operands only. Within a region a block
// is ordinary SSA: ops stand in an order in which they could run, and there are no primitives.
#ifndef SLUICE_FLOW_STRUCTURED_OPS
#define SLUICE_FLOW_STRUCTURED_OPS

include "dialects/flow/FlowBase.td"

def Flow_CondOp : Flow_Op<"cond", [IsolatedFromAbove]> {
  let summary = "a branch: one of two regions";
  let semantics = [{Runs `on_true` when `predicate` holds, else `on_false`; result i is what the region's
`flow.yield` names as its operand i. Both regions have one block argument for each capture. The op
groups tokens but does not wait like a call: a result is there as soon as its own part of the region
that is taken has run, and a capture that only the other region uses is not waited for.}];
  let fires = "piece by piece: each op of the region that is taken, as if it stood outside.";
  let dead = [{a dead predicate makes all results dead; a dead capture makes dead what depends on it in the
region that is taken.}];
  let failures = "INVALID_ARGUMENT when `predicate` is no scalar.";
  let constraints = [{C1. `predicate` is a tensor of `i1`. C2. Each region has one block whose arguments are of the types of `captures`. C3. Each region ends in a `flow.yield` of values that can be the results. C4. A region holds no primitives, feeds, fetches or targets. C5. If it has the unit attribute `codegen.collapse`, no tokens go in or out, and all in it computes, as in a `flow.codelet`.}];
  let example = [{%y = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
^bb0(%a: tensor<f32>):
  %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
  flow.yield %n : (tensor<f32>) -> ()
} on_false {
^bb0(%a: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} }];
  let arguments = (ins Flow_Value:$predicate, Variadic<AnyType>:$captures);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$on_true, SizedRegion<1>:$on_false);
  let assemblyFormat = [{
    $predicate `(` $captures `)` attr-dict `:` functional-type(operands, results)
    `on_true` $on_true `on_false` $on_false
  }];
  let hasRegionVerifier = 1;
}

def Flow_WhileOp : Flow_Op<"while", [IsolatedFromAbove, AttrSizedOperandSegments]> {
  let summary = "a loop: two regions that take turns";
  let semantics = [{Each iteration runs `before` on the carried values; its `flow.condition` says whether the loop
goes on, and which values it forwards. If it goes on, `body` runs on the forwarded values and its
`flow.yield` gives the carried values of the next iteration, which start as `inits`; else the forwarded
values are the results. Block arguments of `before` are the carried values and then the captures, those
of `body` the forwarded values and then the captures; captures are the same in every iteration. Like
`flow.cond` it groups tokens: iterations overlap, up to `parallel_iterations` of them, and each value
goes its own way. `frame` names the loop in messages and when it becomes primitives.}];
  let fires = "piece by piece: each op of an iteration, as if it stood outside.";
  let dead = [{inits are dead all or none. If they are, all results are dead, and no iteration runs. A dead
capture makes dead what depends on it.}];
  let failures = "INVALID_ARGUMENT when the condition is no scalar.";
  let constraints = [{C1. `frame` is not empty and `parallel_iterations` is at least 1. C2. `before` has one block whose arguments are of types that `inits` can be, and of the types of `captures`; it ends in a `flow.condition`. C3. `body` has one block whose arguments are of the types that the condition forwards and of `captures`, and ends in a `flow.yield` of values that can be carried. C4. The results are of the types that the condition forwards. C5. A region holds no primitives, feeds, fetches or targets. C6. If it has the unit attribute `codegen.collapse`, no tokens go in or out, and all in it computes, as in a `flow.codelet`.}];
  let example = [{%last = flow.while (%zero) (%n) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
^bb0(%i: tensor<i32>, %limit: tensor<i32>):
  %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
  flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
} body {
^bb0(%i: tensor<i32>, %limit: tensor<i32>):
  %next = nd.add %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
  flow.yield %next : (tensor<i32>) -> ()
} }];
  let arguments = (ins Variadic<Flow_Value>:$inits, Variadic<Flow_Value>:$captures,
    StrAttr:$frame, I64Attr:$parallel_iterations);
  let results = (outs Variadic<Flow_Value>:$results);
  let regions = (region SizedRegion<1>:$before, SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inits `)` `(` $captures `)` attr-dict `:` functional-type(operands, results)
    `before` $before `body` $body
  }];
  let hasRegionVerifier = 1;
}

def Flow_ConditionOp : Flow_Op<"condition", [Terminator, HasParent<"WhileOp">]> {
  let summary = "the end of a loop's `before`: goes on or not, and with what";
  let semantics = [{Says whether the loop goes on, and forwards values to its body or to its results.}];
  let dead = "a dead predicate ends the loop with dead results.";
  let failures = "INVALID_ARGUMENT when `predicate` is no scalar.";
  let constraints = [{C1. `predicate` is a tensor of `i1`. C2. It stands in a `flow.while`.}];
  let example = [{%r = flow.while (%x) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1> before {
^bb0(%p: tensor<i1>):
  flow.condition %p (%p) : (tensor<i1>, tensor<i1>) -> ()
} body {
^bb0(%p: tensor<i1>):
  flow.yield %p : (tensor<i1>) -> ()
} }];
  let arguments = (ins Flow_Value:$predicate, Variadic<Flow_Value>:$forwarded);
  let assemblyFormat = [{
    $predicate `(` $forwarded `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Flow_YieldOp : Flow_Op<"yield", [Pure, Terminator, ParentOneOf<["CondOp", "WhileOp", "CompositeOp", "CodeletOp", "BoxRunOp"]>]> {
  let summary = "the end of a region: what it gives";
  let semantics = [{Names the values that a region gives to the op around it.}];
  let dead = "each value is dead or alive by itself.";
  let constraints = [{C1. It stands in a `flow.cond`, `flow.while`, `flow.composite`, `flow.codelet` or `flow.box_run`.}];
  let example = [{%y = flow.codelet (%x) : (tensor<f32>) -> tensor<f32> {
^bb0(%a: tensor<f32>):
  flow.yield %a : (tensor<f32>) -> ()
} }];
  let arguments = (ins Variadic<AnyType>:$values);
}

def Flow_CompositeOp : Flow_Op<"composite", [IsolatedFromAbove]> {
  let summary = "ops that are one op of the graph file, by its name";
  let semantics = [{What one op of the graph file was translated into, where its derivative is not that of the ops
which compute it: block arguments are the inputs, and `flow.yield` names the results. `name` is that of
the op, after a prefix for where it comes from, and `parameters` are those of its attributes that count
for its results. It computes what the ops in its region compute; whoever differentiates asks for the name
instead. Import makes composites, and optimize begins with replacing each by its ops.}];
  let failures = "those of the ops in its region.";
  let constraints = [{C1. `name` is not empty. C2. The region has one block whose arguments are of the types of `inputs`. C3. It ends in a `flow.yield` of the types of the results. C4. It holds nothing but ops that compute: no effects, no control tokens, no regions. C5. Each result follows from every input, so that nobody can tell whether the op waits for all of them or its region does piece by piece.}];
  let example = [{%y = flow.composite "tf.Softsign" (%x) : (tensor<*xf32>) -> tensor<*xf32> {
^bb0(%a: tensor<*xf32>):
  %m = nd.abs %a : (tensor<*xf32>) -> tensor<*xf32>
  %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %s = nd.add %m, %one : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
  %q = nd.div %a, %s : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  flow.yield %q : (tensor<*xf32>) -> ()
} }];
  let arguments = (ins Variadic<Flow_Value>:$inputs, StrAttr:$name,
    OptionalAttr<DictionaryAttr>:$parameters);
  let results = (outs Variadic<Flow_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name (`with` $parameters^)? `(` $inputs `)` attr-dict `:` functional-type(operands, results) $body
  }];
  let hasRegionVerifier = 1;
}

def Flow_CodeletOp : Flow_Op<"codelet", [IsolatedFromAbove]> {
  let summary = "ops that fire as one";
  let semantics = [{A group of ops without effects that is compiled together: block arguments are the inputs, and
`flow.yield` names the results. In contrast to `flow.cond` and `flow.while` it is strict: it waits for
all of its inputs. Its region may hold `nd` ops, constants, and structured ops of such.}];
  let failures = "those of the ops in its region.";
  let constraints = [{C1. The region has one block whose arguments are of the types of `inputs`. C2. It ends in a `flow.yield` of the types of the results. C3. It holds nothing but ops that compute, ops on cells and boxes, `flow.cond`, `flow.while` and the ends of their regions: no control tokens, and no effects. C4. If it has `codegen.symbol`, the name of its machine code, that is `sluice_codelet_` and hexadecimal digits.}];
  let example = [{%y = flow.codelet (%x, %b) : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32> {
^bb0(%a: tensor<16xf32>, %c: tensor<f32>):
  %m = nd.mul %a, %c : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  %t = nd.tanh %m : (tensor<16xf32>) -> tensor<16xf32>
  flow.yield %t : (tensor<16xf32>) -> ()
} }];
  let arguments = (ins Variadic<Flow_Value>:$inputs);
  let results = (outs Variadic<Flow_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` attr-dict `:` functional-type(operands, results) $body
  }];
  let hasRegionVerifier = 1;
}

#endif
