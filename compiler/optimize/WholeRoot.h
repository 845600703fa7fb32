// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs all of whose own ops run once in each call: control flow is in regions, and nothing comes
// from elsewhere that may be dead.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/interfaces/Faces.h"

namespace sluice::optimize {

inline bool runsAsWhole(flow::TokenGraph graph) {
  return mlir::isa<flow::GraphOp>(graph) &&
         llvm::none_of(graph.getBody().getOps(), [](mlir::Operation &op) {
           return mlir::isa<flow::SwitchOp, flow::MergeOp, flow::EnterOp>(op) ||
                  op.hasTrait<CrossesDevices>();
         });
}

} // namespace sluice::optimize
