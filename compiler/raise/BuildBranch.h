// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a flow.cond of a branch.
#pragma once

#include "compiler/raise/Branch.h"

namespace sluice::raise {

struct BuiltBranches {
  // Results of merges and what stands for them. Other branches that are built may still use them.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> replacements;
  llvm::DenseSet<mlir::Operation *> copied; // into regions, or replaced

  // Call when all are built: replaces, and erases what is left without users.
  void finish();
};

// Of a branch without obstacle.
void buildBranch(const GraphFacts &facts, const Branch &branch, BuiltBranches &built);

} // namespace sluice::raise
