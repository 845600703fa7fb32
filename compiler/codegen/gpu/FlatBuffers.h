// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors under other dims, as ops along one axis see them, and their elements in kernels.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

namespace sluice::codegen {

// A tensor around an axis: what is before, the axis, and what is behind it.
struct AxisDims {
  mlir::AffineExpr outer, length, inner;
};
AxisDims dimsAround(llvm::ArrayRef<mlir::AffineExpr> dims, size_t axis, mlir::MLIRContext *context);
mlir::AffineExpr productOf(llvm::ArrayRef<mlir::AffineExpr> dims, mlir::MLIRContext *context);

// An operand, and memory for a result, with these dims.
mlir::Value flatOperand(Emitter &emitter, mlir::Value operand,
                        llvm::ArrayRef<mlir::AffineExpr> dims);
mlir::Value flatResult(Emitter &emitter, mlir::Value result, llvm::ArrayRef<mlir::AffineExpr> dims);
// Memory for numbers that only this op knows.
mlir::Value flatScratch(Emitter &emitter, llvm::ArrayRef<mlir::AffineExpr> dims,
                        mlir::Type element);

// In a kernel: an element in the type in which it computes, by the type that the tensor says.
mlir::Value loadNumber(mlir::ImplicitLocOpBuilder &b, mlir::Value buffer, mlir::ValueRange position,
                       mlir::Type element);
void storeNumber(mlir::ImplicitLocOpBuilder &b, mlir::Value number, mlir::Value buffer,
                 mlir::ValueRange position, mlir::Type element);

// An element as it is stored, or zero where there is no such position.
mlir::Value loadUnless(mlir::ImplicitLocOpBuilder &b, mlir::Value isOutside, mlir::Value buffer,
                       mlir::ValueRange position);

mlir::Type elementTypeOf(mlir::Value tensor);

} // namespace sluice::codegen
