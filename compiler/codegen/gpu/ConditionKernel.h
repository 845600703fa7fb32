// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that tells a graph of the driver whether its loop goes on, or its branch is taken.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace sluice::codegen {

inline constexpr llvm::StringLiteral kConditionsModule = "conditions";

// Adds it, in a gpu.module of its own: drivers that know no conditions cannot load it.
void addConditionKernel(mlir::ModuleOp code);

} // namespace sluice::codegen
