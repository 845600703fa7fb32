// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-prune-graph: mark backwards from fetches and targets, then remove the rest.
//
// An op is not dead because nobody uses it, but because no path leads from it to a fetch or
// a target: the ops of a loop that nobody needs all use each other.
#include "compiler/optimize/Passes.h"

#include "dialects/flow/GraphPass.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEPRUNEGRAPH
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

DenseSet<Operation *> findNeeded(flow::TokenGraph graph) {
  DenseSet<Operation *> needed;
  SmallVector<Operation *> open;
  for (Operation &op : graph.getBody().front())
    if (isa<flow::FetchOp, flow::TargetOp, flow::FeedOp, flow::ReturnOp, flow::ArgumentOp>(op)) {
      needed.insert(&op);
      open.push_back(&op);
    }
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp(); needed.insert(producer).second)
        open.push_back(producer);
  }
  return needed;
}

struct PruneGraph : flow::GraphPass<optimize::impl::OptimizePruneGraphBase<PruneGraph>> {
  void runOnGraph(flow::TokenGraph graph) override {
    DenseSet<Operation *> needed = findNeeded(graph);
    SmallVector<Operation *> dead;
    for (Operation &op : graph.getBody().front())
      if (!needed.contains(&op))
        dead.push_back(&op);
    if (dead.empty())
      return markAllAnalysesPreserved();
    for (Operation *op : dead) // they use each other in any order
      op->dropAllReferences();
    for (Operation *op : dead)
      op->erase();
    numRemoved += dead.size();
  }
};

} // namespace
