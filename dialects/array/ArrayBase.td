// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The array dialect: its definition, types, and base of its ops.
#ifndef SLUICE_ARRAY_BASE
#define SLUICE_ARRAY_BASE

include "dialects/flow/FlowBase.td"
include "dialects/nd/NdBase.td"

def Array_Dialect : Dialect {
  let name = "array";
  let cppNamespace = "::sluice::array";
  let summary = "arrays of tensors and stacks, as exact handles";
  let description = [{
    TensorArrays and stacks as TensorFlow graphs have them: objects of one call that ops change
    through handles. The order of accesses is carried by the `flow` scalar that goes from write to
    read, and by control tokens. Elements are written once; a read clears its element unless the
    array was made otherwise.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect", "::sluice::nd::NDDialect"];
  let useDefaultTypePrinterParser = 1;
}

def Array_HandleType : TypeDef<Array_Dialect, "Handle"> {
  let mnemonic = "handle";
  let summary = "a TensorArray of this call; the parameter is the type of its elements";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}
def Array_Handle : Type<CPred<"::llvm::isa<::sluice::array::HandleType>($_self)">, "array handle">;

def Array_StackType : TypeDef<Array_Dialect, "Stack"> {
  let mnemonic = "stack";
  let summary = "a stack of this call; the parameter is the type of its elements";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}
def Array_Stack : Type<CPred<"::llvm::isa<::sluice::array::StackType>($_self)">, "stack handle">;
// The scalar that carries the order of accesses; its value means nothing.
def Array_Flow : ND_Tensor<[F32], "f32">;

// Base of the ops, which have effects: they take control tokens after their operands, and `done`
// tells that the effect has happened.
class Array_Op<string mnemonic, list<Trait> traits = []>
    : Sluice_Op<Array_Dialect, mnemonic,
                !listconcat([HasKernel, HasEffect, UsesContainers], traits)> {
  let fires = "when every operand and every control token has arrived.";
  let dead = "when an operand or a control token is dead, nothing happens and the results are dead.";
}

#endif
