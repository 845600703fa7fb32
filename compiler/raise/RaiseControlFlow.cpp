// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass raise-control-flow.
#include "compiler/raise/Passes.h"
#include "compiler/raise/RaiseGraph.h"

#include "dialects/flow/GraphPass.h"

using namespace mlir;

namespace sluice::raise {
#define GEN_PASS_DEF_RAISECONTROLFLOW
#include "compiler/raise/Passes.h.inc"
} // namespace sluice::raise

namespace {

using namespace sluice;

struct RaiseControlFlow : flow::GraphPass<raise::impl::RaiseControlFlowBase<RaiseControlFlow>> {
  using GraphPass::GraphPass;

  void runOnGraph(flow::TokenGraph graph) override {
    FailureOr<raise::RaiseCounts> counts = raise::raiseGraph(graph);
    if (failed(counts))
      return signalPassFailure();
    numBranches += counts->branches;
    numLoops += counts->loops;
    if (explain)
      for (const raise::Obstacle &obstacle : raise::findObstacles(graph))
        obstacle.where->emitRemark(obstacle.what + " stays primitive: ") << obstacle.why;
  }
};

} // namespace
