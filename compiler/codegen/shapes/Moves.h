// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where ops that only move elements take each element from.
#pragma once

#include "mlir/IR/Operation.h"

namespace sluice::codegen {

// Of a MoveOp: for each result, for each of its elements in row-major order: the number of the
// element that comes there, counted through all data operands one after the other. Fails unless
// shapes are static and all other operands are constants.
using Moves = llvm::SmallVector<llvm::SmallVector<int64_t>>;
mlir::FailureOr<Moves> findMoves(mlir::Operation *op);

} // namespace sluice::codegen
