// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's passes over a module, for a machine.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace sluice::codegen {

// Runs what `choose` makes of the builder.
void runLlvmPasses(llvm::Module &module, llvm::TargetMachine &machine,
                   llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> choose);

} // namespace sluice::codegen
