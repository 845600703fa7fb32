// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often loops run at most, by what is known before they begin.
#pragma once

#include "dialects/flow/Flow.h"

#include <optional>

namespace sluice::codegen {

// max(0, end - start + more) iterations at most, or exactly. Both are values from outside the loop
// as far as they are no constants.
struct TripBound {
  mlir::Value start, end;
  int64_t more = 0;
  bool isExact = false;
  std::optional<int64_t> known() const;
};
std::optional<TripBound> tripBoundOf(flow::WhileOp loop);

// Code for the number of iterations, an i64, of values that are there.
mlir::Value tripsIn(mlir::OpBuilder &b, mlir::Location loc, const TripBound &bound);

// Single integers.
mlir::Value integer(mlir::OpBuilder &b, mlir::Location loc, int64_t value, unsigned width = 32);
mlir::Value withElementOf(mlir::OpBuilder &b, mlir::Value number, mlir::Type like);
mlir::Value atLeast(mlir::OpBuilder &b, mlir::Value number, int64_t least); // an i64

} // namespace sluice::codegen
