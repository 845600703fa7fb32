// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass raise-control-flow.
#include "compiler/raise/Passes.h"
#include "compiler/raise/RaiseGraph.h"

using namespace mlir;

namespace sluice::raise {
#define GEN_PASS_DEF_RAISECONTROLFLOW
#include "compiler/raise/Passes.h.inc"
} // namespace sluice::raise

namespace {

using namespace sluice;

struct RaiseControlFlow : raise::impl::RaiseControlFlowBase<RaiseControlFlow> {
  using RaiseControlFlowBase::RaiseControlFlowBase;

  void runOnOperation() override {
    FailureOr<raise::RaiseCounts> counts = raise::raiseGraph(getOperation());
    if (failed(counts))
      return signalPassFailure();
    numBranches += counts->branches;
    numLoops += counts->loops;
    if (explain)
      for (const raise::Obstacle &obstacle : raise::findObstacles(getOperation()))
        obstacle.where->emitRemark(obstacle.what + " stays primitive: ") << obstacle.why;
  }
};

} // namespace
