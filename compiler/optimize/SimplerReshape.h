// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshapes whose dims are computed, but follow from what they are given.
#pragma once

#include "compiler/optimize/RegionTypes.h"
#include "dialects/nd/Nd.h"

namespace sluice::optimize {

// The same value without the vector of dims, by ops in front: a reshape to constant dims, of which
// one may be the rest, or the same dims without some of 1 and with others. Null if that is not
// known to be so.
mlir::Value simplerReshape(nd::ReshapeOp op, const RegionTypes &types);

} // namespace sluice::optimize
