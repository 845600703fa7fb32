// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where branches, loops and gates carry a value on.
#pragma once

#include "dialects/flow/Flow.h"

namespace sluice::raise {

// The values that a use hands its value on as: into, round and out of regions, and through gates.
llvm::SmallVector<mlir::Value> carriedTo(mlir::OpOperand &use);

// Whether the use brings its value into regions that cannot give back another one.
bool isCapture(mlir::OpOperand &use);
// Takes a captured value, which nothing inside uses, from the captures of a branch or loop.
void dropCapture(mlir::Operation *structured, unsigned operand);

} // namespace sluice::raise
