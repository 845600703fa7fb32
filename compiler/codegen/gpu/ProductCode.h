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

// Within the kernel: `operands` are what it has been given.
void emitProduct(mlir::ImplicitLocOpBuilder &b, KernelBuilder &kernel, const KernelThread &thread,
                 const ProductForm &form, const TileShape &tile,
                 llvm::ArrayRef<mlir::Value> operands);

} // namespace sluice::codegen
