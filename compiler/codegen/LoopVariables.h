// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that a loop reads and writes, and could carry as values.
#pragma once

#include "compiler/codegen/Obstacle.h"
#include "compiler/codegen/WriteOrder.h"
#include "dialects/state/State.h"

#include "llvm/ADT/SetVector.h"

namespace sluice::codegen {

// One variable that is written in a loop, by whatever captures.
struct LoopVariable {
  mlir::StringAttr symbol;
  mlir::RankedTensorType type;
  llvm::SmallVector<unsigned> operands;         // of the loop
  std::optional<mlir::Location> firstRead = {}; // of the op that misses a value
  bool onlyIfBodyRuns = false;                  // it may have no value where the body does not run
};

struct LoopVariables {
  std::vector<LoopVariable> written;        // none if the loop writes nothing
  bool onlyIfBodyRuns = false;              // they may have no values where it does not run
  llvm::SetVector<mlir::Operation *> later; // writes elsewhere that are to wait for the loop's
  std::optional<mlir::Location> firstRead;  // of the op that misses a value
  std::optional<Obstacle> obstacle;
};
LoopVariables findLoopVariables(flow::WhileOp loop, VariableWrites &writes, WalkBudget &budget);

// The names that a value has in the regions of an op that captures it: arguments, and gates of
// them. Calls `visit` for all other uses.
llvm::SmallVector<mlir::Value> namesInside(mlir::OpOperand &capture,
                                           llvm::function_ref<void(mlir::OpOperand &)> visit);

} // namespace sluice::codegen
