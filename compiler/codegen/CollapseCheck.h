// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a branch or loop can become machine code as a whole.
#pragma once

#include "compiler/codegen/Obstacle.h"
#include "dialects/flow/Flow.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace sluice::codegen {

// Whether a branch or loop can be collapsed and is worth it, and what it keeps in boxes (Boxes.h).
struct Collapse {
  struct Boxes {
    llvm::SmallVector<int64_t> operands, results; // positions
    size_t calls = 0;                             // ops that are run by their kernels
    llvm::SmallVector<Obstacle> reasons;          // for the first of them
  };
  std::optional<Obstacle> obstacle;
  std::optional<Boxes> boxes;
};
Collapse judgeCollapse(mlir::Operation *structured);
// What keeps a loop out of code that a card runs by itself, wherever its values lie: the above, and
// what only a host can hold.
std::optional<Obstacle> findObstacleOnCard(flow::WhileOp loop);

// Calls `visit` for the outermost branches and loops, and for those directly inside one for which
// it returns true.
void visitOutermost(mlir::Operation *root,
                    llvm::function_ref<bool(mlir::Operation *, unsigned depth)> visit,
                    unsigned depth = 0);

// Removes tokens inside the op, which say nothing in code that runs in order: a gate becomes its
// value.
void removeTokens(mlir::Operation *structured);

} // namespace sluice::codegen
