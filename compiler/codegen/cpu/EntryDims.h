// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that follow from the dims of a codelet's inputs, computed at the function's entry and
// only once.
#pragma once

#include "compiler/codegen/shapes/ShapeSymbols.h"

namespace sluice::codegen {

class EntryDims {
public:
  // Loads the symbols at the builder; what is computed later goes behind them. `inputs` is the
  // array of SluiceTensorRef.
  EntryDims(mlir::ImplicitLocOpBuilder &b, const ShapeSymbols &shapes, mlir::Value inputs);

  const ShapeSymbols &shapes() const { return shapes_; }
  // An index value that may be used anywhere in the function; a constant where the dim is known.
  mlir::Value get(mlir::AffineExpr dim);
  llvm::SmallVector<mlir::Value> get(llvm::ArrayRef<mlir::AffineExpr> dims);
  // Whether all guards hold; null when there are none.
  mlir::Value guardsHold();
  // Stands behind what was computed so far, for more that all of the function can use.
  mlir::ImplicitLocOpBuilder &entry() { return entry_; }

private:
  const ShapeSymbols &shapes_;
  mlir::ImplicitLocOpBuilder entry_;
  llvm::SmallVector<mlir::Value> symbols_;
  llvm::DenseMap<mlir::AffineExpr, mlir::Value> known_;
};

} // namespace sluice::codegen
