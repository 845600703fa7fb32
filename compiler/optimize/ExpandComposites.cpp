// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-expand-composites: the ops of composites, without the names around them.
#include "compiler/optimize/Passes.h"

#include "dialects/flow/GraphPass.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEEXPANDCOMPOSITES
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

// What is noted of the composite, such as devices, is true of each op that has a place.
void expand(flow::CompositeOp composite) {
  Block &body = composite.getBody().front();
  Operation *end = body.getTerminator();
  for (Operation &op : body.without_terminator())
    if (!op.hasTrait<IsConstant>())
      for (NamedAttribute attribute : composite->getDiscardableAttrs())
        op.setDiscardableAttr(attribute.getName(), attribute.getValue());
  for (auto [argument, input] : llvm::zip_equal(body.getArguments(), composite.getInputs()))
    argument.replaceAllUsesWith(input);
  composite->replaceAllUsesWith(end->getOperands());
  composite->getBlock()->getOperations().splice(composite->getIterator(), body.getOperations(),
                                                body.begin(), end->getIterator());
  composite.erase();
}

struct ExpandComposites
    : flow::GraphPass<optimize::impl::OptimizeExpandCompositesBase<ExpandComposites>> {
  void runOnGraph(flow::TokenGraph graph) override {
    SmallVector<flow::CompositeOp> composites;
    graph.walk([&](flow::CompositeOp composite) { composites.push_back(composite); });
    if (composites.empty())
      return markAllAnalysesPreserved();
    llvm::for_each(composites, expand);
    numExpanded += composites.size();
  }
};

} // namespace
