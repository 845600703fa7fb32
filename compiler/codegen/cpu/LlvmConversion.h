// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From emitted code to the llvm dialect.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace sluice::codegen {

// Passes that turn emitted modules into modules of the llvm dialect. Building them takes longer
// than one codelet does: build them once. Loops are made for vector registers of so many bits.
void addLlvmConversion(mlir::OpPassManager &passes, unsigned vectorBits);

} // namespace sluice::codegen
