// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flow.func ops of a module: one for each body and choice of argument types.
//
// Bodies say of a handle or list only that it is one. What it holds is known where the function is
// called, so there is a flow.func for each such choice. Types of tensors make no difference.
#pragma once

#include "compiler/import/functions/FunctionBodies.h"

#include "dialects/flow/Flow.h"

#include <map>

namespace sluice::import {

struct Function {
  const FunctionBody *body;
  llvm::SmallVector<mlir::Type> arguments;
  mlir::FlatSymbolRefAttr symbol;
  llvm::SmallVector<mlir::Type> results; // without the token
  // Whether somebody may have to wait for what it does. True until that is known.
  bool hasEffects = true;
  bool isBuilt = false;
};

class FunctionTable {
public:
  // The function; if `isNew`, nobody has asked for it before, and it has to be built.
  Function &get(const FunctionBody &body, llvm::ArrayRef<mlir::Type> arguments, bool &isNew);

private:
  using Key = std::pair<const FunctionBody *, std::vector<const void *>>;
  std::map<Key, std::unique_ptr<Function>> functions_;
};

// What a function sees of an argument of this type.
mlir::Type typeAsArgument(mlir::Type type);

} // namespace sluice::import
