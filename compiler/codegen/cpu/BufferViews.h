// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of buffers and other looks at them, without copies.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

#include "llvm/ADT/STLFunctionalExtras.h"

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

// Calls `use` for each part of `whole`, which lies in `buffer`, with the view of what is that
// part's.
using UsePart = llvm::function_ref<void(mlir::Value part, mlir::Value view)>;
// Parts lie one after the other along the axis.
void forSections(Emitter &emitter, mlir::Value whole, mlir::Value buffer, mlir::ValueRange parts,
                 int64_t axis, UsePart use);
// Each part has one index of the axis, and lacks that dim.
void forSlots(Emitter &emitter, mlir::Value whole, mlir::Value buffer, mlir::ValueRange parts,
              int64_t axis, UsePart use);

// The value's elements in row-major order without gaps: its buffer, or a copy of it.
mlir::Value contiguousBuffer(Emitter &emitter, mlir::Value value);

} // namespace sluice::codegen
