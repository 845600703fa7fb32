// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The differentiate phase as a function, with a report for users.
#pragma once

#include "compiler/differentiate/Mirror.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::differentiate {

// Answers all requests of a module. Fails, with a diagnostic, where a derivative is not known.
mlir::LogicalResult buildGradients(mlir::ModuleOp module, Memory memory,
                                   std::vector<SavedValue> &report);
// A text for users.
std::string explainGradients(llvm::ArrayRef<SavedValue> values);
// "fast", "balanced", "min".
std::optional<Memory> memoryFromName(llvm::StringRef name);

} // namespace sluice::differentiate
