// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes errors in memory harder to use, for modules that become part of executables.
#pragma once

namespace llvm {
class Module;
}

namespace sluice::codegen {

// The counterpart of the flags that everything else is compiled with (CMakeLists.txt): guarded and
// probed stacks, and, on x86, targets of indirect branches that are marked as such. The triple must
// be set.
void harden(llvm::Module &module);

} // namespace sluice::codegen
