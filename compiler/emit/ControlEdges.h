// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How tokens of the flow dialect become edges of nodes. A gate needs no node of its own when those
// who use its value can wait for its tokens themselves; likewise joins, triggers and afters.
#pragma once

#include "dialects/flow/Flow.h"

#include "llvm/ADT/SetVector.h"

namespace sluice::emit {

// What one operand contributes to a node: flow values that the node's edges come from.
struct Edges {
  llvm::SmallSetVector<mlir::Value, 4> controls;
  llvm::SmallSetVector<mlir::Value, 4> orders;
};

// The op is represented by edges only.
bool dissolves(mlir::Operation *op);

// Follows dissolved ops from a token operand to the values that really are waited for. With `order`
// their deadness does not matter.
void collectTokenEdges(mlir::Value token, bool order, Edges &edges);

// Follows dissolved gates from a value operand to the value itself; their tokens become edges.
mlir::Value collectValueEdges(mlir::Value value, Edges &edges);

} // namespace sluice::emit
