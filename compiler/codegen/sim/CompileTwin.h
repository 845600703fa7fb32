// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Twins: from a module for NVPTX, as it goes to its code generator, to an object file for the host.
//
// So all that made the module is tested by running it. What the simulated driver offers to twins,
// and the table that it finds them by, is in runtime/sim/twin.h.
#pragma once

#include "compiler/codegen/cpu/TargetOptions.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class Module;
}

namespace sluice::codegen {

// `image` is what was made of the module for the GPU, a cubin or PTX: the twin belongs to its
// bytes. Fails, and names it, at what a twin cannot have: assembly, an intrinsic or a function that
// the simulator does not have, a shared variable without an explicit alignment.
llvm::Expected<std::string> compileTwin(const llvm::Module &nvptx, const std::string &image,
                                        const TargetOptions &options = {});

// The symbol of the twin's table, for what registers it.
std::string twinSymbol(const std::string &image);
// The name of the file that the simulated driver looks for, "0123456789abcdef.so".
std::string twinFileName(const std::string &image);

} // namespace sluice::codegen
