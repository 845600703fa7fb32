// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large reductions in pieces that several threads share, with the bits of those that are not cut.
#pragma once

#include "runtime/kernels/reduction.h"
#include "runtime/kernels/reduction_layout.h"

namespace sluice::rt {

// Elements of a piece, and of what is worth several.
inline constexpr int64_t kReductionPiece = int64_t{1} << 18;
inline constexpr int64_t kReductionWorthPieces = 2 * kReductionPiece;

struct ReductionData {
  const unsigned char *in;
  unsigned char *out;
};
struct UnitRange {
  int64_t begin, end;
};

// Units of outputs (ReductionLayout), one after the other on this thread. Moves the walks of the
// layout.
void reduceUnits(ReductionLayout &layout, UnitRange units, ReductionData data,
                 const Reducer &reducer);
// All of them: pieces are ranges of units or, if there are few, parts of each. What is cancelled
// leaves outputs undefined.
void reduceInPieces(const ReductionLayout &layout, ReductionData data, const Reducer &reducer);

} // namespace sluice::rt
