// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with a thread for each position of some dims.
#pragma once

#include "compiler/codegen/gpu/KernelBuilder.h"

#include "mlir/IR/IRMapping.h"

namespace sluice::codegen {

// The position that has this number in row-major order, in dims of these sizes; the first of them
// is not looked at.
llvm::SmallVector<mlir::Value> positionAt(mlir::ImplicitLocOpBuilder &b, mlir::Value number,
                                          llvm::ArrayRef<mlir::Value> sizes);

// Launches one over all positions in dims of these sizes, which are index values of the launching
// code, as are the values that it uses. `body` writes what a thread does at a position; `inside`
// has what sizes and values are there.
void forEachPositionOnCard(
    mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<mlir::Value> sizes,
    llvm::ArrayRef<mlir::Value> used,
    llvm::function_ref<void(llvm::ArrayRef<mlir::Value> position, mlir::IRMapping &inside)> body);

} // namespace sluice::codegen
