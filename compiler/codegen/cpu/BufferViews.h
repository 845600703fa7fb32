// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of buffers and other looks at them, without copies.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

namespace sluice::codegen {

// An attribute where the dim is known, else an index value.
mlir::OpFoldResult foldedDim(Emitter &emitter, mlir::AffineExpr dim);

// Part of a buffer: for each of its dims the first index, how many are taken, in which steps, and
// whether the dim stays.
struct Box {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes;
  llvm::SmallVector<int64_t> steps;
  llvm::SmallVector<bool> keeps;

  void addWhole(mlir::OpBuilder &b, mlir::OpFoldResult size) {
    offsets.push_back(b.getIndexAttr(0));
    sizes.push_back(size);
    steps.push_back(1);
    keeps.push_back(true);
  }
};
mlir::Value viewOf(mlir::ImplicitLocOpBuilder &b, mlir::Value source, const Box &box);

// `size` entries from `offset` on along an axis of a buffer with the dims `dims`.
struct Section {
  int64_t axis;
  mlir::AffineExpr offset, size;
  bool dropsAxis = false; // the size is 1
};
mlir::Value sectionOf(Emitter &emitter, mlir::Value buffer, llvm::ArrayRef<mlir::AffineExpr> dims,
                      const Section &section);

// Whether results may be looks at the memory of the first operand.
bool isView(mlir::Operation *op);

// The value's elements in row-major order without gaps: its buffer, or a copy of it.
mlir::Value contiguousBuffer(Emitter &emitter, mlir::Value value);

} // namespace sluice::codegen
