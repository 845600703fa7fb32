// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which IR can be compiled on, once it has been read from a file.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace sluice {

// Graphs as some phase up to `place` leaves them. Fails, with a diagnostic that names the phase,
// for IR of a later one: that refers to code, ranks and tables which the file does not hold.
mlir::LogicalResult checkCanResume(mlir::ModuleOp module);

// Puts the ops of codelets that have no code yet back into their graphs. A result still waits for
// all that the codelet waited for.
void dissolveCodelets(mlir::ModuleOp module);

} // namespace sluice
