// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What updates of variables compute, as reads, arithmetic and assignments.
#pragma once

#include "mlir/IR/Builders.h"

namespace sluice::state {

// How many variables, the first operands, the op reads and writes by a rule of arithmetic: those of
// optimizers, `assign_add` and `assign_sub`. 0 for other ops.
unsigned numUpdated(mlir::Operation *op);

// Whether the op replaces one row of a variable: one of its first dim, or a slice of more dims that
// one vector of indices points to. Sizes are known.
bool isRowUpdate(mlir::Operation *op);

// Replaces an op of either kind by the same on values, which gives the same bits. The variables
// and all operands but scalars have to be of one known shape, and hold what `nd` computes with.
void expandUpdate(mlir::Operation *op);

} // namespace sluice::state
