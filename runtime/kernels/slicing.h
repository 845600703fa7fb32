// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The meaning of a strided slice: from begin, end, strides and masks to one range for each dim.
#pragma once

#include "runtime/kernels/arguments.h"

namespace sluice::rt {

// Bit i speaks of entry i of begin, end and strides.
struct SliceMasks {
  uint64_t begin = 0, end = 0; // ignore that bound: take the whole range on that side
  uint64_t ellipsis = 0;       // stands for all dims that the other entries do not name
  uint64_t newAxis = 0;        // adds a dim of 1
  uint64_t shrink = 0;         // takes one index and drops the dim
};

// The operands; values are null while unknown.
struct SliceRequest {
  const Shape &beginShape, &endShape, &stridesShape;
  const Tensor *begin, *end, *strides;
  SliceMasks masks;
};

struct ResolvedSlice {
  // For each dim of the sliced tensor; exact when everything is known.
  int64_t begins[Shape::kMaxRank], steps[Shape::kMaxRank];
  int64_t sizes[Shape::kMaxRank]; // -1 while unknown
  // Shape of the result, with dims dropped and added.
  Shape result;
};

Status resolveSlice(const Shape &input, const SliceRequest &request, ResolvedSlice &slice);

} // namespace sluice::rt
