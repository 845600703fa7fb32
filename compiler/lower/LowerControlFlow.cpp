// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass lower-control-flow.
#include "compiler/lower/Passes.h"
#include "compiler/lower/RegionsToGraph.h"

#include "dialects/flow/GraphPass.h"

using namespace mlir;

namespace sluice::lower {
#define GEN_PASS_DEF_LOWERCONTROLFLOW
#include "compiler/lower/Passes.h.inc"
} // namespace sluice::lower

namespace {

using namespace sluice;

struct LowerControlFlow : flow::GraphPass<lower::impl::LowerControlFlowBase<LowerControlFlow>> {
  void runOnGraph(flow::TokenGraph graph) override {
    bool isStructured = llvm::any_of(graph.getBody().front(), [](Operation &op) {
      return isa<flow::CondOp, flow::WhileOp>(op) && !flow::isCollapsed(&op);
    });
    if (!isStructured)
      return markAllAnalysesPreserved();
    auto frames = flow::FrameAnalysis::run(graph);
    if (!frames)
      return signalPassFailure();
    lower::RegionsToGraph lowering(graph, *frames);
    lowering.run();
    numBranches += lowering.numBranches();
    numLoops += lowering.numLoops();
    numGates += lowering.numGates();
  }
};

} // namespace
