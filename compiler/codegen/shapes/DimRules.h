// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's shape rules over expressions of dims.
#pragma once

#include "runtime/kernels/sizes.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace sluice::codegen {

// Gives names to expressions and computes with them. Keeps what must hold.
class DimAlgebra final : public rt::SizeAlgebra {
public:
  explicit DimAlgebra(mlir::MLIRContext *context) : context_(context) {}

  // A number if the expression is one that is not negative, else a name.
  int64_t sizeOf(mlir::AffineExpr dim);
  // Of a number or a name.
  mlir::AffineExpr dimOf(int64_t size) const;
  // A complete shape: numbers and names.
  rt::Shape shapeOf(llvm::ArrayRef<mlir::AffineExpr> dims);

  int64_t add(int64_t a, int64_t b) override { return sizeOf(dimOf(a) + dimOf(b)); }
  int64_t subtract(int64_t a, int64_t b) override { return sizeOf(dimOf(a) - dimOf(b)); }
  int64_t multiply(int64_t a, int64_t b) override { return sizeOf(dimOf(a) * dimOf(b)); }
  int64_t divide(int64_t a, int64_t by) override { return sizeOf(dimOf(a).floorDiv(dimOf(by))); }
  void requireEqual(int64_t a, int64_t b) override { zeros_.push_back(dimOf(a) - dimOf(b)); }
  void requireMultiple(int64_t a, int64_t of) override { zeros_.push_back(dimOf(a) % dimOf(of)); }
  void requireNotAbove(int64_t a, int64_t b) override {
    notNegative_.push_back(dimOf(b) - dimOf(a));
  }

  // Expressions that must be 0, or must not be below 0.
  llvm::ArrayRef<mlir::AffineExpr> zeros() const { return zeros_; }
  llvm::ArrayRef<mlir::AffineExpr> notNegative() const { return notNegative_; }

private:
  mlir::MLIRContext *context_;
  llvm::SmallVector<mlir::AffineExpr> named_, zeros_, notNegative_;
  llvm::DenseMap<mlir::AffineExpr, int64_t> names_;
};

} // namespace sluice::codegen
