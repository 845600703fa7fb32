// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the body of a loop runs at all: what its condition says in the first iteration.
#pragma once

#include "dialects/flow/Flow.h"

#include "mlir/IR/Builders.h"

namespace sluice::optimize {

// What the block argument of a loop's region stands for, iteration by iteration: an init or a
// capture.
mlir::OpOperand &operandOf(flow::WhileOp loop, mlir::BlockArgument argument);

// Known from constants alone to be true. Not found out of a condition of more than 1000 ops.
bool surelyRuns(flow::WhileOp loop);

// The first condition, computed outside by copies of the ops in `before` that it needs. Null if
// they do more than compute, or are more than 1000.
mlir::Value buildFirstCondition(mlir::OpBuilder &builder, flow::WhileOp loop);

} // namespace sluice::optimize
