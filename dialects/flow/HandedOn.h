// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that branches and loops hand on under another name.
#pragma once

#include "dialects/flow/Flow.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace sluice::flow {

// Calls `visit` with each value that a branch or loop hands on and with what it becomes: operands
// and arguments of regions, what an iteration gives and the arguments of the next one, what leaves
// a region and results. Whether the op is one.
bool visitHandedOn(mlir::Operation *op,
                   llvm::function_ref<void(mlir::Value from, mlir::Value to)> visit);

} // namespace sluice::flow
