// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the graphs of all signatures, and the functions that they call.
#pragma once

#include "compiler/import/GraphBuilder.h"

namespace sluice::import {

class ModuleBuilder {
public:
  ModuleBuilder(mlir::ModuleOp module, ModuleParts &parts, bool keepPlacement)
      : module_(module), parts_(parts), keepPlacement_(keepPlacement) {}

  void addGraph(const Graph &graph, const Selection &selection, const CalleesOfNodes &callees,
                const Placement *placement);

private:
  std::unique_ptr<GraphBuilder> begin(Function &function);

  mlir::ModuleOp module_;
  ModuleParts &parts_;
  bool keepPlacement_;
  llvm::DenseMap<const FunctionBody *, std::unique_ptr<Placement>> placements_;
};

} // namespace sluice::import
