// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices at one index, as front ends make them of x[i] and x[:, i].
#pragma once

#include "dialects/nd/Nd.h"

namespace sluice::optimize {

// The same value by an nd.row in front of the op, which has code for any index. Null of other
// slices.
mlir::Value elementInstead(nd::StridedSliceOp slice);

// Whether the innermost loop around the op has the same value all the time.
bool isInvariant(mlir::Value value, mlir::Operation *op);

} // namespace sluice::optimize
