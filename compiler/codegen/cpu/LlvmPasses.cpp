// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's passes over a module, for a machine.
#include "compiler/codegen/cpu/LlvmPasses.h"

namespace sluice::codegen {

void runLlvmPasses(llvm::Module &module, llvm::TargetMachine &machine,
                   llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> choose) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  choose(builder).run(module, modules);
}

} // namespace sluice::codegen
