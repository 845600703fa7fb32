// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where values in the regions of a loop come from, and what counts its iterations.
#pragma once

#include "dialects/flow/Flow.h"

#include <cstdint>
#include <optional>

namespace sluice::flow {

// Sees through gates and captures of regions.
mlir::Value originOf(mlir::Value value);
// The integer, if it is a constant with one element.
std::optional<int64_t> constantInt(mlir::Value value);
// Whether both have one origin, or are equal constants of one element.
bool isSame(mlir::Value a, mlir::Value b);

// The position among the loop's carried values of a value in one of its regions that is one of
// them, as it was at the start of the iteration.
std::optional<unsigned> carriedPosition(mlir::Value value, WhileOp loop);

// What the loop begins with, of a value in one of its regions that it carries unchanged; null of
// others.
mlir::Value unchangedInit(mlir::Value value, WhileOp loop);

// A loop's counter: what it starts with, and by how much it grows in each iteration.
struct Counter {
  mlir::Value start;
  int64_t step;
  bool isIterationNumber() const { return step == 1 && constantInt(start) == 0; }
};
// Of a value in the body of a loop, or in its `before`.
std::optional<Counter> counterOf(mlir::Value value, WhileOp loop);

// What the loop's counters are compared with, values in `before`: its body runs as long as the
// number of the iteration is less than each of them. Empty if anything else may end the loop.
llvm::SmallVector<mlir::Value> iterationLimits(WhileOp loop);

} // namespace sluice::flow
