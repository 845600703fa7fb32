// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the runtime's functions (runtime/codelet/support.h) from emitted code.
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

// Calls a function, which is declared in the module when needed. No result when `result` is null.
// Arguments are scalars and `!llvm.ptr`.
mlir::Value callRuntime(mlir::ImplicitLocOpBuilder &b, llvm::StringRef function,
                        mlir::ValueRange arguments, mlir::Type result);

// An element function of f32 or f64, by the name of its op: sluice_nd_sin_f32, …. Operands are
// scalars or vectors of one length. Without effects, so LLVM may move the calls.
mlir::Value callElementFunction(mlir::ImplicitLocOpBuilder &b, llvm::StringRef op,
                                mlir::ValueRange operands);

} // namespace sluice::codegen
