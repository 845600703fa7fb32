// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of a function in the place of one call of it.
#pragma once

#include "dialects/flow/Flow.h"

namespace sluice::optimize {

struct SpliceOptions {
  bool isLate = false;    // ops that wait for constants only must not fire before the call
  bool mayBeDead = false; // arguments may be dead where others are not: then so is all of the call
};

// Takes the function's ops, and returns them; what is left of it is of no use. The call is gone.
llvm::SmallVector<mlir::Operation *> splice(flow::CallOp call, flow::FuncOp function,
                                            SpliceOptions options);

} // namespace sluice::optimize
