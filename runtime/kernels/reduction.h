// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of all reductions, once for every element type: a reducer brings four functions.
//
// Order of accumulation: elements are folded into partial results of a fixed size, and these are
// combined pairwise. All sizes follow from the shape alone, so equal inputs give equal bits, and
// the rounding error grows with the logarithm of the number of partial results.
#pragma once

#include "runtime/kernels/shape_rules.h"

namespace sluice::rt {

// `acc` points to accumulators, which may be wider than elements.
struct Reducer {
  size_t elementBytes;
  size_t accBytes; // at most 16
  const void *identity;
  // acc[0] takes n neighbouring elements.
  void (*foldRun)(void *acc, const void *in, int64_t n);
  // acc[i] takes element i, for n accumulators. Null for reducers that only reduce everything.
  void (*foldRow)(void *acc, const void *in, int64_t n);
  // acc[i] takes other[i].
  void (*merge)(void *acc, const void *other, int64_t n);
  // Each accumulator holds `count` elements.
  void (*finish)(void *out, const void *acc, int64_t n, int64_t count);
};

// A row-major tensor of known dims; the outputs have its other axes.
void reduceAxes(std::span<const int64_t> dims, const AxisSet &axes, const void *in, void *out,
                const Reducer &reducer);
// Inputs (x, axes).
Status runReduction(KernelCall &call, const Reducer &reducer);

} // namespace sluice::rt
