// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assignments, and names by which variables are spoken of.
#include "compiler/optimize/LooseTypes.h"

#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::optimize {

// Types with which a reference or handle speaks of a variable that was declared otherwise.
static void addForeignTypes(ModuleOp module, llvm::DenseSet<Type> &loose) {
  SymbolTable declarations(module);
  auto add = [&](StringAttr name, Type value) {
    auto variable = declarations.lookup<state::VariableOp>(name);
    if (!variable || variable.getType() != value)
      loose.insert(value);
  };
  module.walk([&](Operation *op) {
    if (auto reference = dyn_cast<state::ReferenceOp>(op))
      add(reference.getVariableAttr().getAttr(), reference.getResult().getType().getValue());
    else if (auto handle = dyn_cast<state::HandleOp>(op))
      add(handle.getVariableAttr().getAttr(), handle.getResult().getType().getValue());
  });
}

llvm::DenseSet<Type> findLooseTypes(ModuleOp module) {
  llvm::DenseSet<Type> loose;
  module.walk([&](state::AssignOp assign) {
    Type type = assign.getVariable().getType();
    if (assign.getValidateShape())
      return;
    auto ref = dyn_cast<state::RefType>(type);
    loose.insert(ref ? ref.getValue() : cast<state::ResourceType>(type).getValue());
  });
  addForeignTypes(module, loose);
  return loose;
}

} // namespace sluice::optimize
