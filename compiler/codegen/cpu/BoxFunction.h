// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linalg.generic as a function that runs it within a box of its loops.
#pragma once

#include "compiler/codegen/plan/IterationSpace.h"

namespace sluice::codegen {

// Whether all that the generic uses from outside can be handed to a function.
bool canBecomeBoxFunction(mlir::linalg::GenericOp op);

// At the builder, a call of sluice_run_boxes (runtime/codelet/support.h) instead of the generic,
// which stays. `space` has its loops, joined or not; `cut` those of which boxes have ranges, the
// outermost first. `operations` is how much one iteration of the innermost of these is. `symbols`
// are those of the module.
void callBoxes(mlir::ImplicitLocOpBuilder &b, mlir::linalg::GenericOp op,
               const IterationSpace &space, llvm::ArrayRef<int64_t> cut, int64_t operations,
               mlir::SymbolTable &symbols);

} // namespace sluice::codegen
