// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives regions to the branches and loops of a graph.
#pragma once

#include "compiler/raise/GraphFacts.h"

namespace sluice::raise {

struct RaiseCounts {
  unsigned branches = 0, loops = 0; // that became flow.cond and flow.while
};

// What stays primitive, and why.
struct Obstacle {
  mlir::Operation *where; // the loop_cond or enter of a loop, a merge of a branch
  std::string what, why;
};

// Fails, with a diagnostic, only for a graph without consistent frames.
mlir::FailureOr<RaiseCounts> raiseGraph(flow::TokenGraph graph);

// Of a graph that raiseGraph has been through.
std::vector<Obstacle> findObstacles(flow::TokenGraph graph);

} // namespace sluice::raise
