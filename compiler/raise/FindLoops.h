// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one flow.while is made of, as found in a graph.
#pragma once

#include "compiler/raise/GraphFacts.h"

#include <vector>

namespace sluice::raise {

//    enter ──▶ header ──▶ before ──▶ switch ── on_false ──▶ exit
//                ▲          │          │ on_true
//                │          ▼          ▼
//                │      loop_cond    body ──▶ next_iteration ──┐
//                └─────────────────────────────────────────────┘
struct Loop {
  unsigned frame = 0;
  flow::LoopCondOp pivot;
  llvm::SmallVector<flow::MergeOp> headers;
  std::vector<mlir::Operation *> before, body; // operands first
  llvm::SmallVector<flow::SwitchOp> switches;  // on the pivot
  llvm::SmallVector<flow::NextIterationOp> backs;
  llvm::SmallVector<flow::ExitOp> exits;
  std::string obstacle; // why it cannot be regions; empty if it can
};

// The frames that enclose no other one.
std::vector<Loop> findInnermostLoops(const GraphFacts &facts);

// The two values of a loop's header.
flow::EnterOp entryOf(flow::MergeOp header);
flow::NextIterationOp backOf(flow::MergeOp header);

} // namespace sluice::raise
