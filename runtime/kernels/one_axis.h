// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops along a single axis see their input as [outer, length, inner].
#pragma once

#include "runtime/memory/tensor.h"

namespace sluice::rt {

struct OneAxis {
  int64_t outer = 1, length = 1, inner = 1;

  // The shape is complete and the axis in range.
  OneAxis(const Shape &shape, int axis) : length(shape.dim(axis)) {
    for (int i = 0; i < axis; ++i)
      outer *= shape.dim(i);
    for (int i = axis + 1; i < shape.rank(); ++i)
      inner *= shape.dim(i);
  }
};

} // namespace sluice::rt
