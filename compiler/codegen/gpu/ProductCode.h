// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of a kernel that computes a product.
#pragma once

#include "compiler/codegen/gpu/KernelBuilder.h"
#include "compiler/codegen/gpu/ProductTiles.h"
#include "compiler/codegen/shapes/ProductBatches.h"

#include <functional>
#include <optional>

namespace sluice::codegen {

// Where an element of an operand is, counted from its beginning, and whether it is there at all: if
// not it is 0.
struct ElementPlace {
  mlir::Value offset, inside;
};
// Within the kernel, of a row and a column of the product that are there; `inside` has what the
// form says is used.
using FindPlace =
    std::function<ElementPlace(mlir::Value row, mlir::Value column, mlir::IRMapping &inside)>;

// What is known of a product when its code is made.
struct ProductForm {
  mlir::Type element, sum; // in memory; in which it is summed up
  // Null where an operand lies in memory as a matrix. Then `lhsTransposed` and `rhsTransposed` say
  // what neighbours are; of other operands as well.
  FindPlace lhsPlace, rhsPlace, resultPlace;
  llvm::SmallVector<mlir::Value> used; // by those, of the launching code
  bool lhsTransposed = false, rhsTransposed = false;
  // Whether all lines begin and end where groups of kGroup elements do, and these are aligned.
  bool lhsInGroups = false, rhsInGroups = false, resultInGroups = false;
  bool isOnto = false; // sums begin with a matrix that is given
  // At most so many rows, where that is known though their number is not.
  std::optional<int64_t> mostRows;
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
                 llvm::ArrayRef<mlir::Value> operands, mlir::IRMapping &inside);

// The same by tensor cores for small floats, of which what is in groups is so by tensorGroup, and
// for f32, whose factors are rounded; where there is something to sum up.
void emitTensorProduct(mlir::ImplicitLocOpBuilder &b, KernelBuilder &kernel,
                       const KernelThread &thread, const ProductForm &form, const WarpTiles &tile,
                       llvm::ArrayRef<mlir::Value> operands);

} // namespace sluice::codegen
