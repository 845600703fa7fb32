// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops whose results are one of their operands, and hence have its type.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace sluice::optimize {

// The operand that the op forwards; null if it is none of these ops. A merge is none: its values
// may have types less or more precise than its result.
mlir::Value forwardedOperand(mlir::Operation *op);
// The results that are the forwarded operand.
llvm::SmallVector<mlir::Value, 2> forwardedResults(mlir::Operation *op);

// Ops each of whose results is the operand at its position, and which nobody may look through: what they
// stand for until derivatives are found.
bool hidesOperands(mlir::Operation *op);

// Gives a value a more precise type, and so all results that it is forwarded to.
void refineType(mlir::Value value, mlir::Type type);

} // namespace sluice::optimize
