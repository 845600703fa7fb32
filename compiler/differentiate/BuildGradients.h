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
mlir::LogicalResult buildGradients(mlir::ModuleOp module, const Choices &choices,
                                   std::vector<SavedValue> &report);
// Estimated, of all that is saved.
int64_t bytesOf(llvm::ArrayRef<SavedValue> values);
// A text for users.
std::string explainGradients(llvm::ArrayRef<SavedValue> values);

} // namespace sluice::differentiate
