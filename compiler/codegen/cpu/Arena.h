// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The temporary memory of a codelet: one block that the runtime gives to each call.
//
// Slots begin at multiples of 64 bytes. Those of known size come first, at constant offsets; those
// of unknown size follow in the order in which they are asked for. A slot is used again after the
// last use of its value: by whatever fits if its size is known, else by values of the same dims.
#pragma once

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

class EntryDims;

class Arena {
public:
  // `base` is a `!llvm.ptr`; it and the code of offsets stand in the function's entry block.
  Arena(EntryDims &dims, mlir::Value base);

  // Slots with a last use before `time` (SlotLifetimes.h) are free from now on.
  void startAt(size_t time) { now_ = time; }
  // The address of a slot for elements of the memref type; one expression for each of its dims.
  // A fresh slot was not used before, so code in front of the builder may write to it.
  mlir::Value allocate(mlir::ImplicitLocOpBuilder &b, mlir::MemRefType type,
                       llvm::ArrayRef<mlir::AffineExpr> dims, size_t lastUse, bool fresh);
  // Call when all slots are known, before anything else reads the code.
  void finish();

  int64_t staticBytes() const { return staticBytes_; }
  bool hasDynamicSlots() const { return !dynamic_.empty(); }
  // Bytes of all slots as an i64, for the function `sizes`; `dims` are those of that function.
  mlir::Value bytes(mlir::ImplicitLocOpBuilder &b, EntryDims &dims) const;

private:
  struct StaticSlot {
    int64_t begin, end;
    size_t lastUse;
  };
  struct Slot { // of unknown size
    llvm::SmallVector<mlir::AffineExpr> dims;
    unsigned elementBytes;
    size_t lastUse;
    mlir::Value address;
  };
  int64_t allocateStatic(int64_t bytes, size_t lastUse, bool fresh);
  static mlir::Value bytesOf(mlir::ImplicitLocOpBuilder &b, const Slot &slot, EntryDims &dims);

  EntryDims &dims_;
  mlir::Value base_;
  size_t now_ = 0;
  int64_t staticBytes_ = 0;
  llvm::SmallVector<StaticSlot> static_; // in use, by offset
  llvm::SmallVector<Slot> dynamic_;
  // Where the first dynamic slot begins, a constant that `finish` sets, and where the next does.
  mlir::Value firstOffset_, dynamicOffset_;
};

} // namespace sluice::codegen
