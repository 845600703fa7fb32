// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivatives of values that have been found so far.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace sluice::differentiate {

// What a gate lets pass is the value that it is given: both have one derivative, whose parts are
// summed in the same order however many gates there are.
class Adjoints {
public:
  // Null as long as nothing is known to depend on the value.
  mlir::Value of(mlir::Value value) const { return known_.lookup(ungated(value)); }
  // Another part of d(ys)/d(value). Parts are summed in the order in which they come.
  void add(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value part);

private:
  static mlir::Value ungated(mlir::Value value);
  llvm::DenseMap<mlir::Value, mlir::Value> known_;
};

// The sum of two derivatives of one value: of tensors, or of lists.
mlir::Value sumOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a, mlir::Value b);

} // namespace sluice::differentiate
