// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state dialect: its definition, types, and base of its ops.
#ifndef SLUICE_STATE_BASE
#define SLUICE_STATE_BASE

include "mlir/IR/SymbolInterfaces.td"
include "dialects/flow/FlowBase.td"
include "dialects/list/ListBase.td"
include "dialects/nd/NdBase.td"

def State_Dialect : Dialect {
  let name = "state";
  let cppNamespace = "::sluice::state";
  let summary = "variables, tables, random streams and other effects";
  let description = [{
    What lives on between calls, and what acts on the world. A reference (`!state.ref`) aliases its
    variable: forwarding it copies nothing, and `state.read` sees every assignment made before it
    fires. Effects are ordered by control tokens alone. Where a graph leaves reads and writes of
    one variable or table unordered within a frame, import orders them by their place in the graph.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect", "::sluice::list::ListDialect",
                           "::sluice::nd::NDDialect"];
  let useDefaultTypePrinterParser = 1;
}

def State_RefType : TypeDef<State_Dialect, "Ref"> {
  let mnemonic = "ref";
  let summary = "a reference variable; the parameter is the type of its value";
  let parameters = (ins "::mlir::Type":$value);
  let assemblyFormat = "`<` $value `>`";
}
def State_ResourceType : TypeDef<State_Dialect, "Resource"> {
  let mnemonic = "resource";
  let summary = "handle of a resource variable; the parameter is the type of its value";
  let parameters = (ins "::mlir::Type":$value);
  let assemblyFormat = "`<` $value `>`";
}
def State_Ref : Type<CPred<"::llvm::isa<::sluice::state::RefType>($_self)">, "variable reference", "::sluice::state::RefType">;
def State_Resource : Type<CPred<"::llvm::isa<::sluice::state::ResourceType>($_self)">, "variable handle", "::sluice::state::ResourceType">;
def State_TableType : TypeDef<State_Dialect, "Table"> {
  let mnemonic = "table";
  let summary = "handle of a table";
}
def State_Table : Type<CPred<"::llvm::isa<::sluice::state::TableType>($_self)">, "table handle", "::sluice::state::TableType">;
def State_Variable : AnyTypeOf<[State_Ref, State_Resource]>;
// What a variable may hold.
def State_Held : Type<Or<[ND_Any.predicate, List_Any.predicate]>, "tensor or list">;

// Base of the ops, which have effects: they take control tokens after their operands, and `done`
// tells that the effect has happened.
class State_Op<string mnemonic, list<Trait> traits = []>
    : Sluice_Op<State_Dialect, mnemonic, !listconcat([HasKernel, HasEffect], traits)> {
  let fires = "when every operand and every control token has arrived.";
  let dead = "when an operand or a control token is dead, nothing happens and the results are dead.";
}

// Declarations stand in the module beside the graphs; graphs refer to them by symbol.
class State_Declaration<string mnemonic> : Sluice_Op<State_Dialect, mnemonic, [Symbol, DeclaresState]> {
  let fires = "never: it is a declaration.";
  let dead = "does not apply.";
  let failures = "none.";
  let assemblyFormat = "$sym_name attr-dict";
}

#endif
