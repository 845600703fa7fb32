// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas, the assembler of the CUDA Toolkit.
#pragma once

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"

#include <string>

namespace sluice::codegen {

// Its path: of PTXAS, of $CUDA_HOME/bin, in PATH, or in /usr/local/cuda/bin; empty if it is
// nowhere.
std::string findAssembler();

// The cubin of a text. Fails with what the assembler says.
mlir::FailureOr<std::string> assemble(llvm::StringRef assembler, llvm::StringRef text,
                                      llvm::StringRef architecture, mlir::Location location);

} // namespace sluice::codegen
