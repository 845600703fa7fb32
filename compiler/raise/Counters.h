// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an index of an array comes from: a constant, a range, or the counter of a loop.
#pragma once

#include "dialects/array/Array.h"
#include "dialects/flow/Flow.h"

#include <cstdint>
#include <optional>

namespace sluice::raise {

// Sees through gates and captures of regions.
mlir::Value originOf(mlir::Value value);
// The integer, if it is a constant with one element.
std::optional<int64_t> constantInt(mlir::Value value);
// Whether `indices` are 0, 1, … up to and without the size with which the array was made.
bool isFullRange(mlir::Value indices, array::CreateOp create);
// A loop's counter: what it starts with, and by how much it grows in each iteration.
struct Counter {
  mlir::Value start;
  int64_t step;
};
// Of a value in the body of a loop, or in its `before`.
std::optional<Counter> counterOf(mlir::Value value, flow::WhileOp loop);
// Whether the loop's body runs exactly for 0 ≤ i < size, with all of its counters.
bool runsOncePerElement(flow::WhileOp loop, mlir::Value size);

} // namespace sluice::raise
