// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled flow.codelet as a row of the program.
#pragma once

#include "dialects/exe/Exe.h"
#include "dialects/flow/Flow.h"

#include "mlir/IR/Builders.h"

namespace sluice::emit {

// A kernel as rows name it.
struct KernelReference {
  mlir::StringAttr symbol;
  mlir::ArrayAttr arguments;
};
// Fails, with a diagnostic, when there is none for the op's element types.
mlir::FailureOr<KernelReference> kernelReference(mlir::Operation *op);

// Makes the row, under the given symbol. A straight line that has not been compiled runs as
// kernels; fails, with a diagnostic, when something else has not been.
mlir::FailureOr<exe::CodeletOp> buildCodelet(flow::CodeletOp codelet, llvm::StringRef symbol,
                                             mlir::OpBuilder &builder);

} // namespace sluice::emit
