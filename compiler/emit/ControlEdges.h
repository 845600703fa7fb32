// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How tokens of the flow dialect become edges of nodes. A gate needs no node of its own when those
// who use its value can wait for its tokens themselves; likewise joins, triggers and afters.
//
// What vanishes is replaced by edges, each time it is used. So that programs stay linear in the
// size of the graph, an op with several uses vanishes only if that makes a few edges in all, and
// the few are then remembered: nothing is walked through twice.
#pragma once

#include "dialects/flow/Flow.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <vector>

namespace sluice::emit {

// What the operands of one node contribute to it: flow values that its edges come from.
struct Edges {
  llvm::SmallSetVector<mlir::Value, 4> controls;
  llvm::SmallSetVector<mlir::Value, 4> orders;
};

class ControlEdges {
public:
  explicit ControlEdges(flow::TokenGraph graph);

  // The op is represented by edges only.
  bool dissolves(mlir::Operation *op) const { return dissolved_.contains(op); }

  // From a token operand to the values that really are waited for. With `order` their deadness does
  // not matter.
  void collectToken(mlir::Value token, bool order, Edges &edges) const;

  // From a value operand through dissolved gates to the value itself; their tokens become edges.
  mlir::Value collectValue(mlir::Value value, Edges &edges) const;

private:
  static constexpr unsigned kUnshared = ~0u;
  struct Shared {
    Edges edges;
    mlir::Value origin; // of a gate: the value itself
  };

  void visit(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, unsigned> dissolved_; // what is used once is not shared
  std::vector<Shared> shared_;
};

} // namespace sluice::emit
