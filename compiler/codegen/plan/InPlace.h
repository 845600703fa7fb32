// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which outputs of a codelet may take the memory of an input.
#pragma once

#include "compiler/codegen/plan/FusionPlan.h"

namespace sluice::codegen {

// For each output a word whose bit i allows input i, as SluiceCodelet says (runtime/codelet/abi.h).
// An input is offered to one output only.
llvm::SmallVector<uint32_t> findInPlace(flow::CodeletOp codelet, const ShapeSymbols &shapes,
                                        const FusionPlan &fusion);

} // namespace sluice::codegen
