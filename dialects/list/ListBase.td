// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list dialect: its definition, its type, and bases of its ops.
#ifndef SLUICE_LIST_BASE
#define SLUICE_LIST_BASE

include "dialects/nd/NdBase.td"

def List_Dialect : Dialect {
  let name = "list";
  let cppNamespace = "::sluice::list";
  let summary = "arrays that are values";
  let description = [{
    What TensorArrays, stacks and TensorLists are where nobody can tell the difference: a value. An op
    that changes a list gives a new one and leaves the old one as it was; where nobody else has the
    old one, which a loop's carried list is, the new one is made of it in place.

    A list has a length and an *element* for each index below it. An element is a tensor, is not there
    yet (*empty*), or has been taken away (*cleared*). Elements may differ in shape.

    A list becomes a *cell* of compiled code: a place that holds the list as it is then. The ops that
    begin with `cell_` change it there, in the order in which they stand.
  }];
  let dependentDialects = ["::sluice::nd::NDDialect"];
  let useDefaultTypePrinterParser = 1;
}

def List_OfType : TypeDef<List_Dialect, "Of"> {
  let mnemonic = "of";
  let summary = "a list; the parameter is what is known of the type of its elements";
  let description = [{`!list.of<tensor<4x?xf32>>` is a list of matrices with four rows. The parameter is a tensor type, a list, or `!list.any`.}];
  let parameters = (ins "::mlir::Type":$element);
  let genVerifyDecl = 1;
  let assemblyFormat = "`<` $element `>`";
}
def List_AnyType : TypeDef<List_Dialect, "Any"> {
  let mnemonic = "any";
  let summary = "an element whose type only the run tells; no value has this type";
  let description = [{In `!list.of<!list.any>`: what is read of such a list has to be of the type that the op reads, or the op fails. Branches that save different things in one place make such lists, as gradients of functional branches do.}];
}
def List_UnknownType : TypeDef<List_Dialect, "Unknown"> {
  let mnemonic = "unknown";
  let summary = "a list of which nothing is known; only while a graph is imported";
  let description = [{What a graph file calls a variant. The pass `import-resolve-lists` finds out what elements it has.}];
}
def List_Any
    : Type<CPred<"::llvm::isa<::sluice::list::OfType, ::sluice::list::UnknownType>($_self)">,
           "list">;
// What an element is: a tensor or another list.
def List_Element : Type<Or<[ND_Any.predicate, List_Any.predicate]>, "tensor or list">;

// Base of the ops on lists. Code has cells instead, so there is none for these.
class List_Op<string mnemonic, Sluice_Gradient gradient, list<Trait> traits = []>
    : Sluice_Op<List_Dialect, mnemonic,
                !listconcat([Pure, HasKernel, Computes],
                            ND_NoCode<"it works on a list, which code keeps in a cell">.traits,
                            gradient.traits, traits)> {
  let fires = "when every operand has arrived.";
  let dead = "the results are dead when any operand is dead, and the kernel does not run.";
  let failures = "none.";
}

// Base of the ops on cells, which stand in codelets only.
class List_CellOp<string mnemonic, list<Trait> traits = []>
    : Sluice_Op<List_Dialect, mnemonic, !listconcat([UsesCell], traits)> {
  let fires = "with its codelet, in the order of the ops on its cell.";
  let dead = "as for its codelet.";
  let failures = "none.";
}

#endif
