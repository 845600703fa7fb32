// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a tensor nd.slice and nd.strided_slice take, as expressions of its dims.
#pragma once

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Operation.h"

namespace sluice::codegen {

struct SliceBounds {
  // For each dim of the input. A step may be negative; then `begins` is the last index taken first.
  llvm::SmallVector<mlir::AffineExpr> begins, sizes;
  llvm::SmallVector<int64_t> steps;
  // The result's dims: those of the box without the ones that are dropped, and new ones of 1.
  llvm::SmallVector<mlir::AffineExpr> resultDims;
  // For each of them the input's dim, or -1 for a new one.
  llvm::SmallVector<int64_t> from;
  // What must not be negative for all of this to hold.
  llvm::SmallVector<mlir::AffineExpr> notNegative;
};

// Fails unless begin, end, size and strides are constants.
mlir::FailureOr<SliceBounds> sliceBounds(mlir::Operation *op,
                                         llvm::ArrayRef<mlir::AffineExpr> dims);

} // namespace sluice::codegen
