// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of `emitElement` (Lowerings.h). Operands are scalars or vectors of one length.
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

// `value` in the type of `x`, in all lanes.
mlir::Value constantLike(mlir::ImplicitLocOpBuilder &b, mlir::Value x, double value);

// The larger or smaller of two; a NaN in either is the result.
mlir::Value emitExtremum(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y, bool larger,
                         bool isSigned);

// ---- Conversions (ElementCast.cpp) -------------------------------------------------------------

// nd.cast between element types, which carry the signs.
mlir::Value emitCast(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Type from, mlir::Type to);

// ---- Quotients, remainders, powers of integers (ElementDivision.cpp) ---------------------------

// div, floor_div; floor_mod, trunc_mod and pow of integers.
bool isDivision(mlir::Operation *op);
mlir::Value emitDivision(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op, mlir::Value x,
                         mlir::Value y, bool isSigned);

// ---- Functions of the math library (ElementMath.cpp) -------------------------------------------

// exp, log, sin, …; pow, floor_mod and trunc_mod of floats.
bool isMathFunction(mlir::Operation *op);
bool canEmitMathFunction(mlir::Operation *op);
mlir::Value emitMathFunction(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op,
                             mlir::ValueRange operands);

} // namespace sluice::codegen
