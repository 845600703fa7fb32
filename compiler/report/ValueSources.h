// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops an operand comes from, seen through the borders of codelets, branches and loops.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace sluice::report {

struct Source {
  mlir::Operation *op;
  bool isBack = false; // from the iteration before, of a loop around the user
};

// Ops without regions, constants among them. Several for the result of a branch and for what a loop
// carries; each once, in an order that depends on the IR alone.
llvm::SmallVector<Source> sourcesOf(mlir::OpOperand &operand);

} // namespace sluice::report
