// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops give the same as others, so that one can stand for all.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace sluice::optimize {

// Computes or forwards, and does nothing else.
bool isMergeable(mlir::Operation *op);

// Ops are equal if name, attributes, operands and result types are, wherever they stand and
// whatever node they come from; constants are by value, also those in resource blobs.
struct ByMeaning : llvm::DenseMapInfo<mlir::Operation *> {
  static unsigned getHashValue(mlir::Operation *op);
  static bool isEqual(mlir::Operation *a, mlir::Operation *b);
};

// The first of each kind. What it is compared by must not change while it is in the set.
using FirstOps = llvm::DenseSet<mlir::Operation *, ByMeaning>;

} // namespace sluice::optimize
