// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies ops of a graph into the block of a region.
//
// Constants come along, since regions are isolated. A token that is there as soon as the region
// begins is flow.start there; gates and joins that wait for nothing else disappear.
#pragma once

#include "dialects/flow/Flow.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

#include <functional>

namespace sluice::raise {

class RegionBuilder {
public:
  // `resolve` gives a graph's value its meaning in the region where it is none of the copied ops',
  // of those mapped, and no constant. It may return null.
  using Resolve = std::function<mlir::Value(mlir::Value)>;

  // The block may be in no region yet.
  RegionBuilder(mlir::Block &block, mlir::Location location);
  void resolveWith(Resolve resolve) { resolve_ = std::move(resolve); }

  void map(mlir::Value from, mlir::Value to) { mapping_.map(from, to); }
  // Expects that what the value depends on has been copied.
  mlir::Value get(mlir::Value value);
  llvm::SmallVector<mlir::Value> get(mlir::ValueRange values);
  void copy(mlir::Operation *op);
  // Says that a value of the region is there when it begins: who waits for it waits for that.
  void beginsWith(mlir::Value inside) { beginning_.insert(inside); }

  // A token at the beginning of the region.
  mlir::Value start();
  mlir::Value after(mlir::Value inside);
  mlir::Value constant(mlir::Type type, mlir::ElementsAttr value);
  mlir::OpBuilder &builder() { return builder_; }

private:
  bool isThereAtStart(mlir::Value inside) const;
  llvm::SmallVector<mlir::Value> withoutStarts(mlir::ValueRange tokens);
  mlir::OpBuilder front();
  mlir::Value copyPlumbing(mlir::Operation *op);

  mlir::Block &block_;
  mlir::Location location_;
  mlir::OpBuilder builder_;
  mlir::IRMapping mapping_;
  Resolve resolve_;
  mlir::Value start_;
  llvm::DenseSet<mlir::Value> beginning_;
};

} // namespace sluice::raise
