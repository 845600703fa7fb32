// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes of rows that need no copy of the array.
#pragma once

#include "compiler/codegen/cpu/FusionPlan.h"
#include "dialects/nd/Nd.h"

namespace sluice::codegen {

// Whether the result of a write in a loop's body can be the memory of the carried array: it is what
// the loop carries on, and the array as it was is not looked at afterwards.
bool writesInPlace(nd::SetRowOp op, const FusionPlan &fusion);

// The result of a loop which is the array that it carries at a position, when all that happens to
// the array is that its body writes rows of it, in place: so its memory is that of the result. Null
// otherwise.
mlir::Value updatedResult(flow::WhileOp loop, unsigned position, const FusionPlan &fusion);

} // namespace sluice::codegen
