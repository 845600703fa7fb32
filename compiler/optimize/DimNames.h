// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of dims that are not known, so that it can be told which of them are equal.
//
// A dim of which nothing is known has a name of its own, which stands for its size as long as the
// value is the same: in one iteration of the innermost loop around it. What shape rules compute of
// names are expressions, which have names as well.
#pragma once

#include "runtime/kernels/sizes.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace sluice::optimize {

class DimNames final : public rt::SizeAlgebra {
public:
  // With `hasFrames`, ops of the graph itself may fire several times in a call.
  DimNames(mlir::MLIRContext *context, bool hasFrames) : context_(context), hasFrames_(hasFrames) {}

  // The name of a dim of which nothing else is known.
  int64_t nameOf(mlir::Value value, unsigned dim);
  // A number if the expression is one that is not negative, else a name.
  int64_t sizeOf(mlir::AffineExpr dim);
  // Of a number or a name.
  mlir::AffineExpr dimOf(int64_t size) const;
  // Whether the expression is the same all through a call.
  bool isOfCall(mlir::AffineExpr dim) const;
  // The shape with names only for dims that are the same all through a call.
  rt::Shape ofCall(const rt::Shape &shape) const;

  int64_t add(int64_t a, int64_t b) override { return sizeOf(dimOf(a) + dimOf(b)); }
  int64_t subtract(int64_t a, int64_t b) override { return sizeOf(dimOf(a) - dimOf(b)); }
  int64_t multiply(int64_t a, int64_t b) override { return sizeOf(dimOf(a) * dimOf(b)); }
  int64_t divide(int64_t a, int64_t by) override { return sizeOf(dimOf(a).floorDiv(dimOf(by))); }
  void requireEqual(int64_t a, int64_t b) override { requireZero(dimOf(a) - dimOf(b)); }
  void requireMultiple(int64_t a, int64_t of) override { requireZero(dimOf(a) % dimOf(of)); }
  void requireNotAbove(int64_t a, int64_t b) override {
    auto room = mlir::dyn_cast<mlir::AffineConstantExpr>(dimOf(b) - dimOf(a));
    isDoubtful_ |= !room || room.getValue() < 0;
  }

  // Whether an answer since the last question holds only where something holds that is not known.
  bool takeDoubt() { return std::exchange(isDoubtful_, false); }

private:
  void requireZero(mlir::AffineExpr value) {
    auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(value);
    isDoubtful_ |= !constant || constant.getValue() != 0;
  }

  mlir::MLIRContext *context_;
  bool hasFrames_, isDoubtful_ = false;
  llvm::SmallVector<mlir::AffineExpr> named_;
  llvm::DenseMap<mlir::AffineExpr, int64_t> names_;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, int64_t> own_;
  llvm::SmallVector<bool> symbolsOfCall_;
};

// The shape without names.
rt::Shape withoutNames(const rt::Shape &shape);

} // namespace sluice::optimize
