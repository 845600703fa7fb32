// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting on a card.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

#include "mlir/IR/IRMapping.h"

namespace sluice::codegen {

// In a kernel: whether number `a` of a row comes before number `b`.
using ComesBefore = llvm::function_ref<mlir::Value(mlir::Value row, mlir::Value a, mlir::Value b,
                                                   mlir::IRMapping &inside)>;

// For each of `rows` rows the numbers 0 to `length` in the order of `before`; of equals the lower
// one first: i64[rows, length]. `used` are values that `before` looks up. By merging runs that are
// twice as long with each pass, so it takes about log2(length) launches.
mlir::Value sortedOnCard(Emitter &emitter, mlir::AffineExpr rows, mlir::AffineExpr length,
                         llvm::ArrayRef<mlir::Value> used, ComesBefore before);

} // namespace sluice::codegen
