// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a graph while regions are looked for in it: frames, conditions, and an order.
#pragma once

#include "dialects/flow/DeadnessAnalysis.h"

#include <memory>
#include <vector>

namespace sluice::raise {

struct GraphFacts {
  // Null for a graph that has no consistent frames; that has been reported then.
  static std::unique_ptr<GraphFacts> of(flow::TokenGraph graph);
  GraphFacts(flow::TokenGraph graph, flow::FrameAnalysis analysed);

  const flow::FrameAnalysis frames;
  mutable flow::DeadnessAnalysis deadness; // asked for conditions that no value has yet
  std::vector<mlir::Operation *> order;    // operands first
  llvm::DenseMap<mlir::Operation *, unsigned> position;

  bool isLiveOnlyIf(mlir::Value value, unsigned literal) const {
    return deadness.includes(deadness.conditionOf(value), literal);
  }
};

// Switches, merges and the like, and what connects a graph with the outside: no region holds them.
bool isPrimitive(mlir::Operation *op);
// Whether the op, or one in its regions, does more than compute its results.
bool hasEffect(mlir::Operation *op);
// A flow op that passes on control tokens, or waits for them, and does nothing else.
bool isTokenPlumbing(mlir::Operation *op);

// The predicate without what only marks or negates it.
mlir::Value plainPredicate(mlir::Value predicate);

// "'name'" of the op's node, or of the op if its node is not known.
std::string describe(mlir::Operation *op);

} // namespace sluice::raise
