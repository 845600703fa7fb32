// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on their way to LLVM.
#pragma once

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

namespace sluice::codegen {

// What kernels and their conversion are written in.
void registerKernelDialects(mlir::DialectRegistry &registry);

// The gpu.module ops of a module become modules of the llvm and nvvm dialects.
void addKernelConversion(mlir::OpPassManager &passes);

} // namespace sluice::codegen
