// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that are no calls: runtime/kernels/math_f32.h as ops of the IR.
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

// The code of nd.exp, log, tanh or sigmoid of an f32 or a vector of them: the operations of the
// plain kernel one for one, so the bits are the same. Null for other ops and other element types.
mlir::Value emitMath(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op, mlir::Value x);

} // namespace sluice::codegen
