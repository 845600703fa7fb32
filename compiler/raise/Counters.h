// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an index of an array comes from: a constant, a range, or the counter of a loop.
#pragma once

#include "dialects/array/Array.h"
#include "dialects/flow/LoopCounters.h"

namespace sluice::raise {

// Whether `indices` are 0, 1, … up to and without the size with which the array was made.
bool isFullRange(mlir::Value indices, array::CreateOp create);
// Whether the loop's body runs exactly for 0 ≤ i < size, with all of its counters.
bool runsOncePerElement(flow::WhileOp loop, mlir::Value size);

} // namespace sluice::raise
