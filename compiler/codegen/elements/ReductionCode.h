// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reductions do with elements (runtime/elements/reductions.def), as code.
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

// Of an op with the face OfReduction, or nd.l2_loss. Elements and accumulators are scalars or vectors of one
// length.
class ReductionCode {
public:
  explicit ReductionCode(mlir::Operation *op);

  // In registers: in which the elements compute, or 64 bits where the sum of integers needs them.
  mlir::Type accumulator() const { return accumulator_; }
  mlir::TypedAttr identity() const;
  // The accumulator of one element.
  mlir::Value load(mlir::ImplicitLocOpBuilder &b, mlir::Value element) const;
  mlir::Value combine(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y) const;
  // The result's element, of an accumulator of `count` elements.
  mlir::Value finish(mlir::ImplicitLocOpBuilder &b, mlir::Value accumulator, int64_t count) const;
  // The same where an i64 says how many.
  mlir::Value finish(mlir::ImplicitLocOpBuilder &b, mlir::Value accumulator,
                     mlir::Value count) const;

  struct Entry;

private:
  const Entry &entry_;
  mlir::Type element_, accumulator_;
};

} // namespace sluice::codegen
