// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops and branches run as machine code, and what keeps the others from it.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace sluice::codegen {

// A line for each outermost flow.while and flow.cond, and below one that is not collapsed a line for
// each in it, by the same rules as `codegen-choose-loops`.
std::string explainLoops(mlir::ModuleOp module);

} // namespace sluice::codegen
