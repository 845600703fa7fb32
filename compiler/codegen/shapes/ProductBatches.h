// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which matrices of two operands a product of batches multiplies, where dims before the last two
// broadcast.
#pragma once

#include "mlir/IR/AffineExpr.h"

namespace sluice::codegen {

// Neighbouring batch dims of the result, as one loop: an operand either goes through all of its
// matrices in order, or stays at one of them.
struct BatchRun {
  mlir::AffineExpr count;
  bool movesLhs, movesRhs;
};

// From the outermost to the innermost. All dims of the operands and the result are given, the last
// two of each being those of the matrices.
llvm::SmallVector<BatchRun> batchRuns(llvm::ArrayRef<mlir::AffineExpr> lhs,
                                      llvm::ArrayRef<mlir::AffineExpr> rhs,
                                      llvm::ArrayRef<mlir::AffineExpr> result);

} // namespace sluice::codegen
