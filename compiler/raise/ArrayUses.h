// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is done with one array: the values that name it, the values that carry the order of its
// accesses, the accesses, and whether all that could as well be done with a tensor.
#pragma once

#include "dialects/array/Array.h"
#include "dialects/flow/Flow.h"

#include "llvm/ADT/SetVector.h"

#include <string>

namespace sluice::raise {

class ArrayUses {
public:
  // Of a graph after raise-control-flow.
  explicit ArrayUses(array::CreateOp create);

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
  void checkChain();
  void checkIndices();
  void checkCoverage();
  void findType();
  void refuse(mlir::Operation *op, llvm::StringRef why);

  array::CreateOp create_;
  llvm::SetVector<mlir::Value> handles_, flows_;
  llvm::SetVector<mlir::Operation *> accesses_;
  llvm::SmallVector<mlir::Operation *> reads_, writes_;
  std::string obstacle_;
  mlir::RankedTensorType type_;
};

// ---- Where a value comes from -------------------------------------------------------------------

// Sees through gates and captures of regions.
mlir::Value originOf(mlir::Value value);
// The integer, if it is a constant with one element.
std::optional<int64_t> constantInt(mlir::Value value);
// Whether `indices` are 0, 1, … up to and without the size with which the array was made.
bool isFullRange(mlir::Value indices, array::CreateOp create);
// Whether what is scattered is known to have a row for each element.
bool hasRowsFor(array::ScatterOp op, mlir::RankedTensorType array);
// A loop's counter: what it starts with, and by how much it grows in each iteration.
struct Counter {
  mlir::Value start;
  int64_t step;
};
// Of a value in the body of a loop, or in its `before`.
std::optional<Counter> counterOf(mlir::Value value, flow::WhileOp loop);
// Whether the loop's body runs exactly for 0 ≤ i < size, with all of its counters.
bool runsOncePerElement(flow::WhileOp loop, mlir::Value size);

} // namespace sluice::raise
