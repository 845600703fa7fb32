// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices that are transposed before.
#pragma once

#include "compiler/optimize/RegionTypes.h"
#include "dialects/nd/Nd.h"

namespace sluice::optimize {

// The same product of operands that are not transposed in their last two dims, by an op in front.
// What is left of the order of an operand's dims is an nd.transpose that keeps rows together. Null
// if nothing changes, or if the product could fail, whose message names the operands.
mlir::Value productOfRows(nd::MatmulOp product, const RegionTypes &types);

} // namespace sluice::optimize
