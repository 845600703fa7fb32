// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the exe dialect to the runtime's description of a program.
#pragma once

#include "dialects/exe/Exe.h"
#include "runtime/program/program_desc.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace sluice::emit {

struct DescribedProgram {
  rt::ProgramDesc program;
  // Symbols of the kernels that the program uses; NodeDesc::kernel is an index into this list.
  std::vector<std::string> kernels;
};

// Fails, with a diagnostic, only when a constant cannot be read.
mlir::FailureOr<DescribedProgram> describeProgram(mlir::ModuleOp module);

} // namespace sluice::emit
