// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of products, as the runtime takes them.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

#include <optional>

namespace sluice::codegen {

// A matrix as it lies in memory: rows that are `leading` elements apart, transposed or not.
struct MatrixOperand {
  mlir::Value buffer, leading;
  bool transposed = false;
};
// `rows` and `columns` are those that the product sees.
MatrixOperand matrixOf(Emitter &emitter, mlir::Value value, bool transposed, mlir::AffineExpr rows,
                       mlir::AffineExpr columns);

// The matrix packed for products in a loop that does not change it, as `!llvm.ptr`: it is packed in
// front of the loop, unless that is kept since an earlier call. Null unless packing pays and is
// possible: one matrix of known size that a loop uses again. `transposed` says whether the product
// sees it so, whatever it is in memory; `element` is the element type, of which memory has the
// bits.
mlir::Value packedBeforeLoop(Emitter &emitter, const MatrixOperand &right, bool transposed,
                             mlir::Type element);

// A call takes some tens of nanoseconds, in which a processor adds up so many products.
constexpr int64_t kFewProducts = 2048;
struct ProductSizes {
  int64_t m, n, k;
};
// The sizes of a product of f32 or f64 that is so small that code for it is better than a call;
// nothing of others.
std::optional<ProductSizes> smallProduct(mlir::AffineExpr m, mlir::AffineExpr n, mlir::AffineExpr k,
                                         mlir::Type element, const MatrixOperand &rhs);
// `result` is an `!llvm.ptr`, to which the product is added if it is to `accumulate`.
void emitSmallProduct(Emitter &emitter, const MatrixOperand &lhs, const MatrixOperand &rhs,
                      mlir::Value result, ProductSizes sizes, bool accumulate);

mlir::Value toI64(mlir::ImplicitLocOpBuilder &b, mlir::Value index);

} // namespace sluice::codegen
