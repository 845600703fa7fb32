// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trying something out in a child process, whose crash harms nobody.
#pragma once

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sluice::import {

enum class TrialOutcome {
  kGood,     // the body returned true
  kRefused,  // it returned false
  kCrashed,  // the child ended in any other way
  kNoProcess // the system gave no process; errno says why
};

// Runs `body` in a copy of this process, so nothing that it changes is seen here. Unless it is
// good, what it tells the context's handlers is told to those of this process, with the place and
// the node of each message.
// A child without memory ends this process as a lack of memory here would.
TrialOutcome tryInChild(mlir::MLIRContext &context, llvm::function_ref<bool()> body);

} // namespace sluice::import
