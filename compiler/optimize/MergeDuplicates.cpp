// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-merge-duplicates: hash each op after its operands have been replaced.
//
// One walk reaches the fixpoint: what an op is compared by is final when it is hashed, since the
// only operands that come later are those of merges, which are never compared.
#include "compiler/optimize/EqualOps.h"
#include "compiler/optimize/Passes.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/flow/GraphPass.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEMERGEDUPLICATES
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

struct MergeDuplicates
    : flow::GraphPass<optimize::impl::OptimizeMergeDuplicatesBase<MergeDuplicates>> {
  void runOnGraph(flow::TokenGraph graph) override {
    optimize::FirstOps firsts;
    size_t before = numMerged;
    for (Operation *op : flow::operandsFirst(graph)) {
      if (!optimize::isMergeable(op))
        continue;
      auto [it, isNew] = firsts.insert(op);
      if (isNew)
        continue;
      // The walk may come to the one that stands later in the text first.
      if (op->isBeforeInBlock(*it))
        (*it)->setLoc(op->getLoc());
      op->replaceAllUsesWith(*it);
      op->erase();
      ++numMerged;
    }
    if (before == numMerged)
      markAllAnalysesPreserved();
  }
};

} // namespace
