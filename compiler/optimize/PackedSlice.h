// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices of which it is known dim by dim where they begin, as front ends make them of x[i].
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"
#include "runtime/memory/tensor.h"

#include "llvm/ADT/SetVector.h"

namespace sluice::optimize {

// Begins at an nd.pack of one value for each dim, and has constant sizes; all maybe behind gates.
class PackedSlice {
public:
  static std::optional<PackedSlice> of(nd::SliceOp slice);

  llvm::ArrayRef<int64_t> sizes() const { return sizes_; }
  mlir::Value beginOf(unsigned axis) const { return begins_[axis]; }
  // By a constant, so that nothing else has to be known of the graph.
  bool beginsAtZero(unsigned axis) const { return zeros_[axis]; }
  // Of all gates. Whoever uses other values instead has to wait for them.
  llvm::ArrayRef<mlir::Value> tokens() const { return tokens_.getArrayRef(); }

  // What follows for the result, if it is there, from what is known of the input.
  rt::Shape shapeFrom(const rt::Shape &input) const;

private:
  llvm::SmallVector<mlir::Value> begins_;
  llvm::SmallVector<int64_t> sizes_;
  llvm::SmallVector<bool> zeros_;
  llvm::SetVector<mlir::Value> tokens_;
};

} // namespace sluice::optimize
