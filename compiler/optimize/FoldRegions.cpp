// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-fold-regions: in branches and loops, what depends on constants only.
#include "compiler/optimize/ConstantFolder.h"
#include "compiler/optimize/Passes.h"
#include "compiler/optimize/WholeRoot.h"

#include "dialects/flow/GraphPass.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEFOLDREGIONS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

struct FoldRegions : flow::GraphPass<optimize::impl::OptimizeFoldRegionsBase<FoldRegions>> {
  void runOnGraph(flow::TokenGraph graph) override {
    SmallVector<Block *> blocks;
    graph.walk([&](Operation *op) {
      if (isa<flow::WhileOp, flow::CondOp>(op))
        for (Region &region : op->getRegions())
          blocks.push_back(&region.front());
    });
    optimize::FoldingBudget budget(graph);
    for (Block *block : blocks) {
      optimize::TokenSimplifier tokens(graph);
      optimize::ConstantFolder folder(tokens, budget);
      for (Operation &op : llvm::make_early_inc_range(block->without_terminator()))
        folder.visit(&op);
      for (auto assertion : llvm::to_vector(block->getOps<state::AssertOp>()))
        tokens.simplifyInRegion(assertion);
      for (Operation &op : llvm::make_early_inc_range(block->without_terminator()))
        tokens.dropStartsInRegion(&op);
      numFolded += folder.numFolded() + folder.numShapes();
    }
    if (optimize::runsAsWhole(graph)) {
      optimize::TokenSimplifier tokens(graph);
      for (auto assertion : llvm::to_vector(graph.getBody().getOps<state::AssertOp>()))
        (void)tokens.simplify(assertion); // what it would have shown may fail
    }
    budget.note(graph);
  }
};

} // namespace
