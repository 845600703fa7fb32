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
  let summary = "variables, shared objects, random streams and other effects";
  let description = [{
    What lives on between calls, and what acts on the world. A reference (`!state.ref`) aliases its
    variable: forwarding it copies nothing, and `state.read` sees every assignment made before it
    fires. Effects are ordered by control tokens alone. Where a graph leaves reads and writes of
    one variable or table unordered within a frame, import orders them by their place in the graph.
    What is done to queues and other objects that firings wait for has no order but that of its
    operands and tokens: what one op waits for, another one has to be able to bring.
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
def State_ObjectType : TypeDef<State_Dialect, "Object"> {
  let mnemonic = "object";
  let summary = "handle of an object that calls share; the parameter is its kind, such as \"queue\"";
  let parameters = (ins StringRefParameter<"what the object is">:$kind);
  let assemblyFormat = "`<` $kind `>`";
}
def State_HandlesType : TypeDef<State_Dialect, "Handles"> {
  let mnemonic = "handles";
  let summary = "handles of several objects in an order; the parameter is the kind of all of them";
  let parameters = (ins StringRefParameter<"what the objects are">:$kind);
  let assemblyFormat = "`<` $kind `>`";
}
def State_AnyObject : Type<CPred<"::llvm::isa<::sluice::state::ObjectType>($_self)">, "object handle", "::sluice::state::ObjectType">;
def State_AnyHandles : Type<CPred<"::llvm::isa<::sluice::state::HandlesType>($_self)">, "several object handles", "::sluice::state::HandlesType">;
class State_ObjectOf<string kind> : Type<CPred<"::sluice::state::isObject($_self, \"" # kind # "\")">, kind # " handle", "::sluice::state::ObjectType">;
def State_Table : State_ObjectOf<"table">;
def State_Queue : State_ObjectOf<"queue">;
def State_Barrier : State_ObjectOf<"barrier">;
def State_Accumulator : State_ObjectOf<"accumulator">;
def State_Stage : State_ObjectOf<"stage">;
def State_Mutex : State_ObjectOf<"mutex">;
def State_Reader : State_ObjectOf<"reader">;
def State_Lock : State_ObjectOf<"lock">;
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

// Ops that may have to wait for what another op brings.
class State_WaitingOp<string mnemonic, list<Trait> traits = []>
    : State_Op<mnemonic, !listconcat([MayWait], traits)> {
  let fires = "when every operand and every control token has arrived; results come when what it waits for is there.";
}

// The handle of an object that lives on, which is made when it is first asked for.
class State_ObjectHandleOp<string mnemonic, Type handle, dag options>
    : State_Op<mnemonic, [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = !con((ins FlatSymbolRefAttr:$object), options, (ins StrAttr:$name, Variadic<Flow_Token>:$after));
  let results = (outs handle:$result, Flow_Token:$done);
}

// Declarations stand in the module beside the graphs; graphs refer to them by symbol.
class State_Declaration<string mnemonic> : Sluice_Op<State_Dialect, mnemonic, [Symbol, DeclaresState]> {
  let fires = "never: it is a declaration.";
  let dead = "does not apply.";
  let failures = "none.";
  let assemblyFormat = "$sym_name attr-dict";
}

#endif
