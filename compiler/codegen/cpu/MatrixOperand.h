// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of products, as the runtime takes them.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

namespace sluice::codegen {

// A matrix as it lies in memory: rows that are `leading` elements apart, transposed or not.
struct MatrixOperand {
  mlir::Value buffer, leading;
  bool transposed = false;
};
// `rows` and `columns` are those that the product sees.
MatrixOperand matrixOf(Emitter &emitter, mlir::Value value, bool transposed, mlir::AffineExpr rows,
                       mlir::AffineExpr columns);

mlir::Value toI64(mlir::ImplicitLocOpBuilder &b, mlir::Value index);

} // namespace sluice::codegen
