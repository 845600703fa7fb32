// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where branches, loops and gates carry a value on, and what they no longer need to carry.
#pragma once

#include "dialects/flow/Flow.h"

namespace sluice::raise {

// The values that a use hands its value on as: into, round and out of regions, and through gates.
llvm::SmallVector<mlir::Value> carriedTo(mlir::OpOperand &use);

// Whether the use brings its value into regions that cannot give back another one.
bool isCapture(mlir::OpOperand &use);
// Takes a captured value, which nothing inside uses, from the captures of a branch or loop.
void dropCapture(mlir::Operation *structured, unsigned operand);

// The same branch or loop with more values: they come in as these, are carried round in a loop, and
// go out behind the other results. The regions' ends still have to give them.
flow::WhileOp carryMore(flow::WhileOp loop, mlir::ValueRange values);
flow::CondOp carryMore(flow::CondOp branch, mlir::ValueRange values);

} // namespace sluice::raise
