// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it costs and risks to compute something in another place, once instead of again and again.
#pragma once

#include "mlir/IR/Operation.h"

namespace sluice::optimize {

// Whether the op gives results for all operands of its types: shapes are known and fit, what else
// the kernel looks at is constant, and no element is one that it refuses. Says no where it does not
// know, so of all ops without code.
bool cannotFail(mlir::Operation *op);

// Whether an element of the result takes more than a few instructions for each element that is
// read, as those of products and reductions do. Code makes what other ops give in registers while
// it reads their operands; to keep that in memory costs a store, and a load for each use. Those few
// ops also take their operands from memory, so what they are given is stored anyway.
bool worksInMemory(mlir::Operation *op);

} // namespace sluice::optimize
