// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 16-bit floats in code: moved as their bits, computed as f32 and rounded at the end of each op, as
// kernels do it.
//
// As integers, since LLVM would make f16 arithmetic of a sum between two conversions, for which it
// has another mode of denormals in mind, and calls a library for conversions that a CPU lacks.
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

inline bool isSmallFloat(mlir::Type element) { return element.isF16() || element.isBF16(); }

// The element type in which ops on elements of a type compute: f32 for 16-bit floats, else itself.
mlir::Type computeType(mlir::Type element);

// From elements of a type in registers, scalars or vectors, to its compute type, which is exact;
// and back.
mlir::Value toComputeType(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Type element);
mlir::Value fromComputeType(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Type element);

} // namespace sluice::codegen
