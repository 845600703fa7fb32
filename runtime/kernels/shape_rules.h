// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules that many ops share. All accept partly known shapes and are monotone: knowing more
// about an input never makes the result less precise or different.
#pragma once

#include "runtime/kernels/kernel.h"

#include <bitset>

namespace sluice::rt {

// Output 0 has the shape of input 0.
Status sameShapeRule(ShapeCall &call);
// Output 0 is the numpy broadcast of all inputs.
Status broadcastShapeRule(ShapeCall &call);
// Of all reductions: inputs (x, axes), attribute keep_dims.
Status reductionShapeRule(ShapeCall &call);
// Output 0 is a scalar.
Status scalarShapeRule(ShapeCall &call);

// The numpy broadcast of two shapes; "Incompatible shapes: [2] vs. [3]" if there is none. A dim that
// has a name is not 1, unless it meets no other.
Result<Shape> broadcastShapes(const Shape &a, const Shape &b, const Sizes &sizes = {});
// What both shapes say together, or nothing if they contradict each other.
bool mergeShapes(const Shape &a, const Shape &b, Shape &merged, const Sizes &sizes = {});

using AxisSet = std::bitset<Shape::kMaxRank + 2>;
// The set of axes in an i32 or i64 tensor of rank 0 or 1; negative ones count from the end.
Result<AxisSet> reductionAxes(const Tensor &axes, int rank);

// Estimates of work for kernels whose elements cost more than an addition.
uint64_t transcendentalWork(const KernelCall &call);
// Number of elements of the largest input.
uint64_t largestInput(const KernelCall &call);

} // namespace sluice::rt
