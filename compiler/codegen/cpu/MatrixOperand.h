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

// The matrix packed for products in a loop that does not change it, as `!llvm.ptr`: it is packed in
// front of the loop, unless that is kept since an earlier call. Null unless packing pays and is
// possible: one matrix of known size that a loop uses again. `transposed` says whether the product
// sees it so, whatever it is in memory.
mlir::Value packedBeforeLoop(Emitter &emitter, const MatrixOperand &right, bool transposed);

mlir::Value toI64(mlir::ImplicitLocOpBuilder &b, mlir::Value index);

} // namespace sluice::codegen
