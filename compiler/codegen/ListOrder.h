// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order the ops of a codelet use a list. A cell holds a list as it is then: so whoever
// only looks at one has to do so before it is changed.
#pragma once

#include "dialects/flow/Flow.h"

namespace sluice::codegen {

// Whether the list is looked at for the last time by this use: the others only look. A branch or
// loop that captures it only looks if all within it do.
bool changesList(mlir::OpOperand &use);
// Puts looks at a list ahead of the op that changes it, where nothing is against that.
void orderLooks(flow::CodeletOp codelet);

} // namespace sluice::codegen
