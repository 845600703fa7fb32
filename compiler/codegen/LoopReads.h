// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which reads of variables in a loop can take place before it.
#pragma once

#include "compiler/codegen/CollapseCheck.h"
#include "compiler/codegen/WriteOrder.h"
#include "dialects/state/State.h"

#include "llvm/ADT/SetVector.h"

namespace sluice::codegen {

// What a loop captures, on its way through the regions of the loop.
struct CaptureUses {
  llvm::SmallVector<mlir::Value> names; // block arguments and gates of them
  llvm::SmallVector<state::ReadOp> reads;
  std::optional<Obstacle> other; // a use that is no read
};
CaptureUses usesOfCapture(flow::WhileOp loop, mlir::OpOperand &capture);

// One read before the loop, for one or several captures.
struct Snapshot {
  llvm::SmallVector<unsigned> operands; // of the loop, that are one variable
  llvm::SmallVector<state::ReadOp> reads;
  bool onlyIfBodyRuns = false; // else it fails where nothing in the loop does
};

struct LoopReads {
  std::vector<Snapshot> snapshots;          // none if the loop reads nothing
  llvm::SetVector<mlir::Operation *> later; // writes that are to wait for all of them
  std::optional<Obstacle> obstacle;
};
LoopReads findLoopReads(flow::WhileOp loop, VariableWrites &writes, WalkBudget &budget);

} // namespace sluice::codegen
