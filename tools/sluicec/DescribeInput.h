// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--describe`: what there is in an input file, without compiling it.
#pragma once

#include "compiler/pipeline/DiagnosticPrinter.h"
#include "tools/sluicec/Options.h"

namespace sluice {

// Prints it to standard output. Returns an exit code.
int describeInput(mlir::MLIRContext &context, const DriverOptions &options,
                  DiagnosticPrinter &printer);

} // namespace sluice
