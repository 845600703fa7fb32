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
void expand(flow::CompositeOp composite, bool keepName) {
  Block &body = composite.getBody().front();
  Operation *end = body.getTerminator();
  for (Operation &op : body.without_terminator())
    if (!op.hasTrait<IsConstant>())
      for (NamedAttribute attribute : composite->getDiscardableAttrs())
        op.setDiscardableAttr(attribute.getName(), attribute.getValue());
  for (auto [argument, input] : llvm::zip_equal(body.getArguments(), composite.getInputs()))
    argument.replaceAllUsesWith(input);
  SmallVector<Value> results(end->getOperands());
  if (keepName) {
    OpBuilder b(composite);
    auto known = flow::KnownAsOp::create(b, composite.getLoc(), ValueRange(results).getTypes(),
                                         composite.getNameAttr(), composite.getParametersAttr(),
                                         results, composite.getInputs());
    known->setDiscardableAttrs(composite->getDiscardableAttrDictionary());
    results.assign(known.result_begin(), known.result_end());
  }
  composite->replaceAllUsesWith(results);
  Operation *first = keepName ? composite->getPrevNode() : composite;
  composite->getBlock()->getOperations().splice(first->getIterator(), body.getOperations(),
                                                body.begin(), end->getIterator());
  composite.erase();
}

struct ExpandComposites
    : flow::GraphPass<optimize::impl::OptimizeExpandCompositesBase<ExpandComposites>> {
  using GraphPass::GraphPass;
  void runOnGraph(flow::TokenGraph graph) override {
    SmallVector<flow::CompositeOp> composites;
    graph.walk([&](flow::CompositeOp composite) { composites.push_back(composite); });
    if (composites.empty())
      return markAllAnalysesPreserved();
    for (flow::CompositeOp composite : composites)
      expand(composite, keepNames);
    numExpanded += composites.size();
  }
};

} // namespace
