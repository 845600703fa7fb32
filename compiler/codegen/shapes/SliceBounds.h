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
  // For each dim of the result the input's dim, or -1 for one that is added.
  llvm::SmallVector<int64_t> from;
};

// Of an op that can be compiled.
SliceBounds sliceBounds(mlir::Operation *op, llvm::ArrayRef<mlir::AffineExpr> dims,
                        llvm::ArrayRef<mlir::AffineExpr> resultDims);

} // namespace sluice::codegen
