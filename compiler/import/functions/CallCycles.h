// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that call themselves.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace sluice::import {

// Numbers the calls that close a cycle. Fails, after an error with the chain of calls, where every
// call of a function leads to another one of it, so that none ever ends.
mlir::LogicalResult settleCallCycles(mlir::ModuleOp module);

} // namespace sluice::import
