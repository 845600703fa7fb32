// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a branch or loop can become machine code as a whole.
#pragma once

#include "dialects/flow/Flow.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace sluice::codegen {

// What keeps a flow.while or flow.cond out of compiled code.
struct Obstacle {
  mlir::Operation *op; // the one inside that does, or the branch or loop itself
  std::string reason;  // "cannot be compiled"
};

// Nothing when the op can be collapsed and is worth it.
std::optional<Obstacle> findObstacle(mlir::Operation *structured);

// Calls `visit` for the outermost branches and loops, and for those directly inside one for which
// it returns true.
void visitOutermost(mlir::Operation *root,
                    llvm::function_ref<bool(mlir::Operation *, unsigned depth)> visit,
                    unsigned depth = 0);

// Removes tokens inside the op, which say nothing in code that runs in order: a gate becomes its
// value.
void removeTokens(mlir::Operation *structured);

} // namespace sluice::codegen
