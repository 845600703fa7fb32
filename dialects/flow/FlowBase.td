// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flow dialect: graphs of tokens. Its definition and types.
#ifndef SLUICE_FLOW_BASE
#define SLUICE_FLOW_BASE

include "dialects/flow/TokenGraph.td"
include "dialects/interfaces/Faces.td"
include "dialects/interfaces/OpRecord.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Flow_Dialect : Dialect {
  let name = "flow";
  let cppNamespace = "::sluice::flow";
  let summary = "dynamic control flow as a graph of tagged tokens";
  let description = [{
    A `flow.graph` is one signature of a program: a graph region in which values flow as tokens.
    A token is (value, dead or live, tag); a tag is a path of frame and iteration. An op fires
    once for each tag for which all of its operands have arrived. `flow.switch` makes tokens dead,
    `flow.merge` takes the live one, and `flow.enter`, `flow.exit` and `flow.next_iteration` change
    the tag. `FRAMES.md` beside this file explains this with pictures.

    Order between ops that compute nothing for each other is a value of type `!flow.token`, never
    textual order. Cycles are legal only through `flow.next_iteration` into `flow.merge`.
  }];
  let useDefaultTypePrinterParser = 1;
}

def Flow_TokenType : TypeDef<Flow_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "says that something has happened; carries deadness but no value";
}
def Flow_Token : Type<CPred<"::llvm::isa<::sluice::flow::TokenType>($_self)">, "control token">,
    BuildableType<"$_builder.getType<::sluice::flow::TokenType>()">;
// Whatever a token can carry: tensors, references, handles. Not a control token.
def Flow_Value : Type<CPred<"!::llvm::isa<::sluice::flow::TokenType>($_self)">, "value">;

class Flow_Op<string mnemonic, list<Trait> traits = []>
    : Sluice_Op<Flow_Dialect, mnemonic, !listconcat([Steers], traits)> {
  let fires = "when every operand has arrived.";
  let dead = "the results are dead when any operand is dead.";
  let failures = "none.";
}

#endif
