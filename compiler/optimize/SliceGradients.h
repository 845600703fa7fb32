// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of slices of which it is known where they begin and end.
#pragma once

#include "compiler/optimize/RegionTypes.h"
#include "dialects/nd/Nd.h"

namespace sluice::optimize {

// The same value as an nd.pad in front of the op, which has code. Null unless the slice leaves out
// no dim, goes by ones, and fits the gradient for sure.
mlir::Value padInstead(nd::StridedSliceGradOp op, const RegionTypes &types);

} // namespace sluice::optimize
