// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows from reads of variables in a loop.
#pragma once

#include "dialects/flow/Flow.h"

namespace sluice::codegen {

// Whether it depends on what the ops `reads` give how often the loop or one in it runs, or what is
// written to a variable. Such a loop may wait for a write.
bool decideHowLong(flow::WhileOp loop, llvm::ArrayRef<mlir::Operation *> reads);

} // namespace sluice::codegen
