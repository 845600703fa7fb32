// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elementwise ops on buffers become one loop, and in which order a block is emitted so that
// they can. Rows of outputs are written last (RowUpdates.h).
//
// A group is made of ops with results of one shape, each but the first of which uses a result of
// another; it has no path out of the group and back. So it can stand at one place, and what only
// the group uses never gets memory.
#pragma once

#include "compiler/codegen/shapes/ShapeSymbols.h"

namespace sluice::codegen {

using FusionGroup = llvm::SmallVector<mlir::Operation *>;

class FusionPlan {
public:
  FusionPlan() = default;
  FusionPlan(flow::CodeletOp codelet, const ShapeSymbols &shapes);

  // The ops of a block of the codelet without the terminator, with the members of each group next
  // to each other.
  llvm::ArrayRef<mlir::Operation *> order(mlir::Block &block) const;
  // The members in order; the op alone if it is in no group.
  llvm::ArrayRef<mlir::Operation *> groupOf(mlir::Operation *op) const;

private:
  void plan(mlir::Block &block, const ShapeSymbols &shapes);

  llvm::DenseMap<mlir::Block *, llvm::SmallVector<mlir::Operation *>> orders_;
  // Where in the order of its block the group of an op begins, and how long it is.
  llvm::DenseMap<mlir::Operation *, std::pair<size_t, size_t>> groups_;
};

// Elementwise ops that there is code for, or ops that repeat elements, with a result in memory.
bool isBufferElementwise(mlir::Operation *op);
// The operands of such ops that elements come from; others say dims.
llvm::SmallVector<unsigned> elementOperands(mlir::Operation *op);

} // namespace sluice::codegen
