// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-fold-constants: one walk, operands before users.
//
// Deadness is why this is more than running kernels. A constant is always there, in every frame;
// the op that it replaces fired once for each arrival of its operands, and was dead when one of
// them was. So a constant inside a branch or a loop keeps the tokens that gated the op's operands.
#include "compiler/optimize/ConstantFolder.h"
#include "compiler/optimize/Passes.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/flow/GraphPass.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEFOLDCONSTANTS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

struct FoldConstants : flow::GraphPass<optimize::impl::OptimizeFoldConstantsBase<FoldConstants>> {
  void runOnGraph(flow::TokenGraph graph) override {
    optimize::TokenSimplifier tokens(graph);
    optimize::FoldingBudget budget(graph);
    optimize::ConstantFolder folder(tokens, budget);
    for (Operation *op : flow::operandsFirst(graph))
      if (!tokens.simplify(op))
        folder.visit(op);
    budget.note(graph);
    numFolded += folder.numFolded();
    numShapes += folder.numShapes();
    numTokens += tokens.numRemoved();
  }
};

} // namespace
