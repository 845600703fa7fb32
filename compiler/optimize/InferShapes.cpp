// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-infer-shapes: what inference knows becomes types.
#include "compiler/optimize/Forwarding.h"
#include "compiler/optimize/LooseTypes.h"
#include "compiler/optimize/Passes.h"
#include "compiler/optimize/ShapeInference.h"
#include "dialects/interfaces/KernelOps.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEINFERSHAPES
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

// The location names the node.
void warn(Operation *op, StringRef message) {
  emitWarning(op->getLoc()) << "'" << op->getName() << "' fails if it runs: " << message;
}

struct InferShapes : optimize::impl::OptimizeInferShapesBase<InferShapes> {
  using Base::Base;

  void runOnOperation() override {
    auto loose = optimize::findLooseTypes(getOperation());
    for (auto graph : getOperation().getOps<flow::TokenGraph>()) {
      optimize::ShapeInference inference(graph, loose, forgetClaims);
      inference.run();
      for (auto &[op, message] : inference.mismatches()) {
        warn(op, message);
        ++numMismatches;
      }
      refineTypes(graph, inference);
    }
  }

  void refineTypes(flow::TokenGraph graph, const optimize::ShapeInference &inference) {
    for (Operation &op : graph.getBody().front())
      for (Value result : op.getResults()) {
        auto old = dyn_cast<TensorType>(result.getType());
        if (!old || !inference.factOf(result).reached)
          continue;
        TensorType refined = tensorTypeOf(old.getElementType(), inference.factOf(result).shape);
        if (refined == old)
          continue;
        rt::Shape before = shapeOf(old), after = shapeOf(refined);
        ++(optimize::refineShape(before, after) == after ? numRefined : numDropped);
        optimize::refineType(result, refined);
      }
  }
};

} // namespace
