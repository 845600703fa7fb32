// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows what enters bring once up to the merges, which take what comes in later iterations
// instead.
#include "compiler/partition/FirstIteration.h"

using namespace mlir;

namespace sluice::partition {

// The result is a token of another iteration, or of another frame.
static bool leaves(Operation *op) { return isa<flow::ExitOp, flow::NextIterationOp>(op); }

FirstIteration::FirstIteration(flow::GraphOp graph) {
  SmallVector<Operation *> open;
  for (auto enter : graph.getBody().getOps<flow::EnterOp>())
    if (!enter.getConstant()) {
      only_.insert(enter);
      open.push_back(enter);
    }
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    for (Operation *user : op->getUsers())
      if (!isa<flow::MergeOp>(user) && !leaves(user) && only_.insert(user).second)
        open.push_back(user);
  }
}

} // namespace sluice::partition
