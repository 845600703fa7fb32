// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hardening as attributes of functions and flags of the module.
#include "compiler/codegen/cpu/Hardening.h"

#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace sluice::codegen {

void harden(llvm::Module &module) {
  for (llvm::Function &function : module) {
    function.addFnAttr(llvm::Attribute::StackProtectStrong);
    function.addFnAttr("probe-stack", "inline-asm");
  }
  // Without the flags the object lacks the note that says so, and then so does all it is linked to.
  if (module.getTargetTriple().isX86())
    for (const char *flag : {"cf-protection-branch", "cf-protection-return"})
      module.addModuleFlag(llvm::Module::Min, flag, 1);
}

} // namespace sluice::codegen
