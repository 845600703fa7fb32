// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the flow dialect: boxes of codelets, which hold what machine code does not.
#ifndef SLUICE_FLOW_BOX_OPS
#define SLUICE_FLOW_BOX_OPS

include "dialects/flow/FlowBase.td"

class Flow_BoxOp<string mnemonic> : Flow_Op<mnemonic, [UsesBox]> {
  let fires = "in textual order, as the branches and loops around it say.";
  let dead = "never: nothing in a codelet is dead.";
}

def Flow_BoxPutOp : Flow_BoxOp<"box_put"> {
  let summary = "a value into a box";
  let semantics = [{The box holds `value` from now on. An input of the codelet that is `last` is moved there: nobody needs it again.}];
  let failures = "RESOURCE_EXHAUSTED when there is no memory.";
  let constraints = [{C1. `value` is no control token.}];
  let example = [{flow.box_put %x {box = 0 : i64, last = true} : (tensor<*xf32>) -> ()}];
  let arguments = (ins Flow_Value:$value, I64Attr:$box, BoolAttr:$last);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Flow_BoxGetOp : Flow_BoxOp<"box_get"> {
  let summary = "the value in a box";
  let semantics = [{What the box holds. A tensor of static shape is from now on held by the code.}];
  let failures = "INVALID_ARGUMENT when a predicate is no scalar; INTERNAL when the value has not the dims of a static type.";
  let constraints = [{C1. `value` is no control token.}];
  let example = [{%p = flow.box_get {box = 0 : i64} : () -> tensor<i1>}];
  let arguments = (ins I64Attr:$box);
  let results = (outs Flow_Value:$value);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Flow_BoxMoveOp : Flow_BoxOp<"box_move"> {
  let summary = "from one box to another";
  let semantics = [{Box `to` holds what box `from` held. With `last` nobody needs the latter again.}];
  let constraints = [{C1. `from` and `to` are numbers.}];
  let example = [{flow.box_move {from = 0 : i64, to = 1 : i64, last = true} : () -> ()}];
  let arguments = (ins I64Attr:$from, I64Attr:$to, BoolAttr:$last);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Flow_BoxDropOp : Flow_BoxOp<"box_drop"> {
  let summary = "boxes that nobody needs again";
  let semantics = [{Frees what the boxes hold.}];
  let constraints = [{C1. `boxes` are numbers.}];
  let example = [{flow.box_drop {boxes = array<i64: 0, 2>} : () -> ()}];
  let arguments = (ins DenseI64ArrayAttr:$boxes);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Flow_BoxRunOp : Flow_BoxOp<"box_run"> {
  let summary = "an op on boxes, by its kernel";
  let semantics = [{Runs the op in the region with what the boxes `inputs` hold, and puts its results into the boxes `results`. `last` are those
positions among the op's operands whose boxes nobody needs again.}];
  let failures = "those of the op.";
  let constraints = [{C1. The region has one block of constants, one op, and a `flow.yield` of the op's results, with an argument for each of `inputs`. C2. `results` are as many as the op has.}];
  let example = [{flow.box_run {inputs = array<i64: 0, 1>, last = array<i64: 0>, results = array<i64: 2>} : () -> () {
^bb0(%a: tensor<*xf32>, %b: tensor<*xf32>):
  %m = nd.mul %a, %b : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  flow.yield %m : (tensor<*xf32>) -> ()
} }];
  let arguments = (ins DenseI64ArrayAttr:$inputs, DenseI64ArrayAttr:$last, DenseI64ArrayAttr:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results) $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    // The op that runs.
    ::mlir::Operation *getOp() { return getBody().front().getTerminator()->getPrevNode(); }
  }];
}

#endif
