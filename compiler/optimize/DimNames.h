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
  void requireEqual(int64_t a, int64_t b) override { requireZero(dimOf(a) - dimOf(b), a, b); }
  void requireMultiple(int64_t a, int64_t of) override { requireZero(dimOf(a) % dimOf(of), a, of); }
  void requireNotAbove(int64_t a, int64_t b) override {
    auto room = mlir::dyn_cast<mlir::AffineConstantExpr>(dimOf(b) - dimOf(a));
    if (!room || room.getValue() < 0)
      doubted_.append({a, b});
  }
  void requireIndex(int64_t, int64_t) override {} // who has a result has seen to it

  // Sizes of which something would have to hold that is not known, if the answers since the last
  // question are to hold.
  llvm::SmallVector<int64_t> takeDoubted() { return std::exchange(doubted_, {}); }

private:
  void requireZero(mlir::AffineExpr value, int64_t a, int64_t b) {
    auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(value);
    if (!constant || constant.getValue() != 0)
      doubted_.append({a, b});
  }

  mlir::MLIRContext *context_;
  bool hasFrames_;
  llvm::SmallVector<int64_t> doubted_;
  llvm::SmallVector<mlir::AffineExpr> named_;
  llvm::DenseMap<mlir::AffineExpr, int64_t> names_;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, int64_t> own_;
  llvm::SmallVector<bool> symbolsOfCall_;
};

// The shape without names.
rt::Shape withoutNames(const rt::Shape &shape);

} // namespace sluice::optimize
