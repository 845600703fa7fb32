// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-settle-regions: what is constant tells of shapes, and shapes tell what is constant.
#include "compiler/optimize/Passes.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZESETTLEREGIONS
#include "compiler/optimize/Passes.h.inc"

namespace {

struct SettleRegions : impl::OptimizeSettleRegionsBase<SettleRegions> {
  using OptimizeSettleRegionsBase::OptimizeSettleRegionsBase;

  // So that one computed size that leads to the next is found out, but a file cannot ask for as
  // many rounds as it has ops.
  static constexpr unsigned kMostRounds = 12;

  void runOnOperation() override {
    OpPassManager round(getOperation()->getName().getStringRef());
    if (fold) {
      round.addPass(createOptimizeFoldRegions());
      round.addPass(createOptimizeSimplifyLists());
    }
    if (infer)
      round.addPass(createOptimizeInferRegions());
    for (unsigned rounds = 0; rounds < kMostRounds; ++rounds) {
      OperationFingerPrint before(getOperation());
      if (failed(runPipeline(round, getOperation())))
        return signalPassFailure();
      ++numRounds;
      if (before == OperationFingerPrint(getOperation()))
        return;
    }
  }
};

} // namespace
} // namespace sluice::optimize
