// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of images as code for a card sees them: as the runtime's WindowAxis, with code for what
// is not known.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"
#include "compiler/codegen/gpu/PositionKernel.h"

#include <array>

namespace sluice::codegen {

// Index values. Window i begins at i * stride - before, and has `window` elements that are
// `dilation` apart.
struct CardAxis {
  mlir::Value size, window, count, before;
  int64_t stride = 1, dilation = 1;
};

// A place along an axis, and whether there is such a place.
struct CardPlace {
  mlir::Value at, isThere;
};

class CardWindows {
public:
  static constexpr size_t kDims = 3; // those that images lack are of size 1

  // For the op that has the windows' attributes. `images` and `results` begin with the batch and
  // end with the channels; `windows` are spatial dims alone.
  CardWindows(Emitter &emitter, mlir::Operation *op, llvm::ArrayRef<mlir::AffineExpr> images,
              llvm::ArrayRef<mlir::AffineExpr> windows, llvm::ArrayRef<mlir::AffineExpr> results);

  const CardAxis &axis(size_t dim) const { return axes_[dim]; }
  std::array<mlir::Value, kDims> sizes() const;
  std::array<mlir::Value, kDims> windows() const;
  std::array<mlir::Value, kDims> counts() const;
  // What code in a kernel uses of this, and how it is there.
  llvm::SmallVector<mlir::Value> used() const;
  CardWindows in(const mlir::IRMapping &kernel) const;

  // Where a tap of a window is in the image, and which window has a place of the image as a tap.
  CardPlace placeOf(size_t dim, mlir::Value window, mlir::Value tap) const;
  CardPlace windowOf(size_t dim, mlir::Value place, mlir::Value tap) const;

private:
  mlir::ImplicitLocOpBuilder *b_;
  std::array<CardAxis, kDims> axes_;
};

// Images of three spatial dims: those of a tensor with one to three, with dims of size 1 in front
// of them.
llvm::SmallVector<mlir::AffineExpr> withThreeDims(llvm::ArrayRef<mlir::AffineExpr> images);

// Row-major: where an element is in dims of which the first one does not matter.
mlir::Value offsetOf(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<mlir::Value> position,
                     llvm::ArrayRef<mlir::Value> sizes);
// Whether all of three places are there.
mlir::Value areThere(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<CardPlace> places);

} // namespace sluice::codegen
