// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When variables are written, as seen from a loop that reads them.
#pragma once

#include "compiler/codegen/VariableWrites.h"

#include "llvm/ADT/DenseSet.h"

namespace sluice::codegen {

// When a write outside of a loop happens.
enum class WriteOrder {
  kBefore, // the loop waits for it
  kAfter,  // it waits for a result of the loop
  kRacing, // neither, and it may well wait for what comes before the loop
  kLoose,  // in another frame or region, or it may be awaited by the loop in a roundabout way
};

// How many operands the walks around all loops of a graph may look at; about a second. Each loop
// has at most four walks over the graph, so of many loops in a large graph the last ones get none:
// every write counts as loose there, and a loop that reads several variables may stay in the
// executor.
struct WalkBudget {
  uint64_t left = uint64_t{1} << 24;
};

// The writes around one loop, as long as nothing changes in the graph.
class WritesAround {
public:
  WritesAround(const VariableWrites &writes, flow::WhileOp loop, WalkBudget &budget)
      : writes_(writes), loop_(loop), budget_(budget) {}
  WriteOrder orderOf(mlir::Operation *write);

private:
  using Ops = llvm::DenseSet<mlir::Operation *>;

  bool spend(uint64_t operands);
  Ops opsBefore(llvm::ArrayRef<mlir::Operation *> ops, bool onlyNeeds);
  Ops opsAfterLoop();
  llvm::SmallVector<mlir::Value> needsOf(mlir::Operation *op);
  bool isNeed(mlir::OpOperand &use);

  const VariableWrites &writes_;
  flow::WhileOp loop_;
  WalkBudget &budget_;
  // What the loop needs, what needs it, and what leads to it or to another device.
  std::optional<Ops> needed_, needing_, leading_;
  // What the first condition of loops on the way needs of their operands.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> needsOfLoops_;
};

} // namespace sluice::codegen
