// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays primitive in a raised module, for people.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace sluice::raise {

// For each signature: how many branches and loops have regions, and a line for each that has not,
// which names its node and says why. Of a module that raise-control-flow has been through.
std::string explainRaise(mlir::ModuleOp module);

} // namespace sluice::raise
