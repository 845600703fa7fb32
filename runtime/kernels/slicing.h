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
  Sizes sizes = {};
};

struct ResolvedSlice {
  // For each dim of the sliced tensor; exact when everything is known. Begins and sizes are
  // `kUnknown`, or have names, while they are not.
  int64_t begins[Shape::kMaxRank], steps[Shape::kMaxRank], sizes[Shape::kMaxRank];
  // Shape of the result, with dims dropped and added.
  Shape result;
  // For each of its dims the dim of the sliced tensor, or -1 for one that is added.
  int16_t from[Shape::kMaxRank + 1];
};

Status resolveSlice(const Shape &input, const SliceRequest &request, ResolvedSlice &slice);

} // namespace sluice::rt
