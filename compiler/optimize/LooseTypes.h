// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables whose values may have other shapes than they say.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace sluice::optimize {

// Types of the values of variables that are assigned without a look at their shapes. References may
// pass through loops and branches on their way to the assignment, but keep their types.
llvm::DenseSet<mlir::Type> findLooseTypes(mlir::ModuleOp module);

} // namespace sluice::optimize
