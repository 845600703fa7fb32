// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of a kernel that computes a product.
#pragma once

#include "compiler/codegen/gpu/KernelBuilder.h"
#include "compiler/codegen/gpu/ProductTiles.h"
#include "compiler/codegen/shapes/ProductBatches.h"

namespace sluice::codegen {

// What is known of a product when its code is made.
struct ProductForm {
  mlir::Type element, sum; // in memory; in which it is summed up
  bool lhsTransposed = false, rhsTransposed = false;
  // Whether all lines begin and end where groups of kGroup elements do, and these are aligned.
  bool lhsInGroups = false, rhsInGroups = false, resultInGroups = false;
  bool isOnto = false; // sums begin with a matrix that is given
  llvm::SmallVector<BatchRun> runs;
};

// What a kernel is given, in this order; behind it the sizes of batches and what the sums begin
// with.
enum ProductOperand : unsigned {
  kProductLhs,
  kProductRhs,
  kProductResult,
  kProductM,
  kProductN,
  kProductK,
  kProductLeadingLhs,
  kProductLeadingRhs,
  kProductBatches
};

// How many tiles of a size there are.
mlir::Value tilesOf(mlir::ImplicitLocOpBuilder &b, mlir::Value size, int64_t tile);

// A tile that a block computes.
struct ProductTile {
  mlir::Value lhs, rhs, result; // where its matrices begin
  mlir::Value row, column;      // where it begins in them
};
// Within the kernel: the tiles of all batches that are this block's.
void forEachTile(mlir::ImplicitLocOpBuilder &b, const KernelThread &thread, const ProductForm &form,
                 int64_t rows, int64_t columns, llvm::ArrayRef<mlir::Value> operands,
                 llvm::function_ref<void(const ProductTile &)> body);
mlir::Value elementAt(mlir::ImplicitLocOpBuilder &b, mlir::Value memory, mlir::Value offset,
                      mlir::Type type);

// Within the kernel: `operands` are what it has been given.
void emitProduct(mlir::ImplicitLocOpBuilder &b, KernelBuilder &kernel, const KernelThread &thread,
                 const ProductForm &form, const TileShape &tile,
                 llvm::ArrayRef<mlir::Value> operands);

// The same for small floats by tensor cores, where there is something to sum up. What is in groups
// is so by tensorGroup.
void emitTensorProduct(mlir::ImplicitLocOpBuilder &b, KernelBuilder &kernel,
                       const KernelThread &thread, const ProductForm &form, const WarpTiles &tile,
                       llvm::ArrayRef<mlir::Value> operands);

} // namespace sluice::codegen
