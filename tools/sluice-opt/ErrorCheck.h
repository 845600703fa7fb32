// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether passes end as they say: one that reports an error fails, and one that fails has reported
// an error. Tests of messages see neither.
#pragma once

#include "mlir/Pass/PassInstrumentation.h"

#include <memory>

namespace sluice {

// Reports an error at the op of any pass that does not.
std::unique_ptr<mlir::PassInstrumentation> makeErrorCheck(mlir::MLIRContext &context);

} // namespace sluice
