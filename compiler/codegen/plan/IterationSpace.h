// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a linalg.generic iterates over, with neighbouring dims joined where every operand allows it.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

// One operand of the generic as the loops see it: `dims[p]` is the loop whose variable indexes dim
// p of the buffer, or -1 where the index is always 0. A scalar operand has no dims.
struct Access {
  mlir::Value buffer;
  llvm::SmallVector<int64_t> dims;
  bool isBuffer() const { return llvm::isa<mlir::MemRefType>(buffer.getType()); }
  bool uses(int64_t loop) const { return llvm::is_contained(dims, loop); }
  // Whether neighbours along the loop are neighbours in memory.
  bool isContiguousAlong(int64_t loop) const;
};

// The loops of a generic whose iterators are all parallel and whose maps only choose among them.
class IterationSpace {
public:
  static mlir::FailureOr<IterationSpace> of(mlir::linalg::GenericOp op);

  // Joins loops i and i+1 wherever both are one run through memory for each operand.
  void collapse(mlir::ImplicitLocOpBuilder &b);

  int64_t rank() const { return static_cast<int64_t>(sizes_.size()); }
  // kDynamic where not known.
  int64_t staticSize(int64_t loop) const { return sizes_[loop]; }
  mlir::Value size(mlir::ImplicitLocOpBuilder &b, int64_t loop) const;

  llvm::ArrayRef<Access> inputs() const { return llvm::ArrayRef(accesses_).take_front(numInputs_); }
  llvm::ArrayRef<Access> outputs() const {
    return llvm::ArrayRef(accesses_).drop_front(numInputs_);
  }
  // False once loops were joined: then a body that asks for its position cannot be served.
  bool isCollapsed() const { return collapsed_; }

private:
  bool canJoin(int64_t loop) const;
  void join(mlir::ImplicitLocOpBuilder &b, int64_t loop);

  llvm::SmallVector<Access> accesses_;
  llvm::SmallVector<int64_t> sizes_;
  size_t numInputs_ = 0;
  bool collapsed_ = false;
};

} // namespace sluice::codegen
