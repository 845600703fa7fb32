// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is done with one array: the values that name it, the values that carry the order of its
// accesses, the accesses, and whether all that could as well be done with a tensor.
#pragma once

#include "dialects/array/Array.h"
#include "dialects/flow/Flow.h"

#include "llvm/ADT/SetVector.h"

#include <string>

namespace sluice::raise {

// Which arrays are used after they have been closed. Asked of all before any becomes a value.
class ClosedArrays {
public:
  explicit ClosedArrays(llvm::ArrayRef<array::CreateOp> creates); // ArrayErrors.cpp
  // Why the array must stay one; empty if there is nothing of the kind.
  llvm::StringRef obstacle(array::CreateOp create) const {
    auto it = obstacles_.find(create);
    return it == obstacles_.end() ? llvm::StringRef() : llvm::StringRef(it->second);
  }

private:
  llvm::DenseMap<mlir::Operation *, std::string> obstacles_;
};

class ArrayUses {
public:
  // Of a graph after raise-control-flow.
  ArrayUses(array::CreateOp create, const ClosedArrays &closed);

  array::CreateOp create() const { return create_; }
  // The handle, in all regions that it is brought into.
  llvm::ArrayRef<mlir::Value> handles() const { return handles_.getArrayRef(); }
  // Every value that carries the order of accesses: each becomes the tensor as it is then.
  llvm::ArrayRef<mlir::Value> flows() const { return flows_.getArrayRef(); }
  // Reads, writes, and what else names the handle.
  llvm::ArrayRef<mlir::Operation *> accesses() const { return accesses_.getArrayRef(); }
  bool isFlow(mlir::Value value) const { return flows_.contains(value); }

  // Why it must stay an array; empty if it need not. Names the node in question.
  const std::string &obstacle() const { return obstacle_; }
  // Of the tensor; only without an obstacle.
  mlir::RankedTensorType type() const { return type_; }

private:
  void followHandle(mlir::OpOperand &use);
  void followFlow(mlir::OpOperand &use);
  void checkLoops();
  llvm::DenseMap<mlir::Value, unsigned> countCarried() const;
  llvm::DenseSet<mlir::Value> findWritten() const;
  void checkChain();
  void checkIndices();
  void checkCoverage();
  void findType();
  void checkErrors(); // ArrayErrors.cpp
  void checkGather(array::GatherOp gather);
  void refuse(mlir::Operation *op, llvm::StringRef why);

  array::CreateOp create_;
  llvm::SetVector<mlir::Value> handles_, flows_;
  llvm::SetVector<mlir::Operation *> accesses_;
  llvm::SmallVector<mlir::Operation *> reads_, writes_;
  std::string obstacle_;
  mlir::RankedTensorType type_;
};

// Whether what is scattered is known to have a row for each element.
bool hasRowsFor(array::ScatterOp op, mlir::RankedTensorType array);

} // namespace sluice::raise
