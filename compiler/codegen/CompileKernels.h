// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a batch of codelets as images that a driver loads.
#pragma once

#include "compiler/codegen/cpu/TargetOptions.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace sluice::codegen {

// Moves loops of card codelets into kernels, and these, with the code's kernels of their own, out
// of the module into images, which become data of it under `symbol`: a SluiceKernelImages
// (runtime/codelet/abi.h). The kernel that loops of a card need for their conditions is in others,
// under `conditions`. Without kernels nothing changes. Where the card is simulated, the objects of
// the kernels' twins are added to `objects`.
mlir::LogicalResult compileKernels(mlir::ModuleOp code, llvm::StringRef symbol,
                                   llvm::StringRef conditions, const TargetOptions &options,
                                   std::vector<std::string> &objects);

} // namespace sluice::codegen
