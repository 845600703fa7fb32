// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-fold-regions: in branches and loops, what depends on constants only.
#include "compiler/optimize/ConstantFolder.h"
#include "compiler/optimize/Forwarding.h"
#include "compiler/optimize/Passes.h"
#include "compiler/optimize/ShapeFact.h"
#include "dialects/interfaces/ResultShapes.h"

#include <deque>

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEFOLDREGIONS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

struct FoldRegions : optimize::impl::OptimizeFoldRegionsBase<FoldRegions> {
  void runOnOperation() override {
    flow::GraphOp graph = getOperation();
    SmallVector<Block *> blocks;
    graph.walk([&](Operation *op) {
      if (isa<flow::WhileOp, flow::CondOp>(op))
        for (Region &region : op->getRegions())
          blocks.push_back(&region.front());
    });
    for (Block *block : blocks) {
      // Of a region, whose ops all run or none does, no token has to be made up.
      optimize::TokenSimplifier tokens(graph);
      optimize::ConstantFolder folder(tokens);
      for (Operation &op : llvm::make_early_inc_range(block->without_terminator()))
        folder.visit(&op);
      numFolded += folder.numFolded() + folder.numShapes();
      for (Operation &op : block->without_terminator())
        refineTypes(&op);
    }
  }

  // Shapes follow from constants that were not known before, and from other shapes.
  static void refineTypes(Operation *op) {
    if (!op->hasTrait<Computes>() || isa<nd::ConstantOp>(op))
      return;
    std::deque<rt::Tensor> constants;
    std::vector<rt::Shape> shapes;
    TensorPointers values;
    for (Value operand : op->getOperands()) {
      shapes.push_back(shapeOf(operand.getType()));
      values.push_back(smallConstant(operand, constants));
    }
    std::vector<const rt::Shape *> inputs;
    for (const rt::Shape &shape : shapes)
      inputs.push_back(&shape);
    auto results = evaluateShapes(op, inputs, values);
    if (!results.ok()) // fails if it runs
      return;
    for (auto [result, shape] : llvm::zip(op->getResults(), *results))
      if (auto old = dyn_cast<TensorType>(result.getType()))
        optimize::refineType(result, tensorTypeOf(old.getElementType(),
                                                  optimize::refineShape(shapeOf(old), shape)));
  }

  static const rt::Tensor *smallConstant(Value value, std::deque<rt::Tensor> &constants) {
    while (auto gate = value.getDefiningOp<flow::GateOp>())
      value = gate.getValue();
    auto constant = value.getDefiningOp<nd::ConstantOp>();
    if (!constant || constant.getValue().getNumElements() > kMostElements)
      return nullptr;
    auto tensor = tensorOf(constant.getValue());
    return tensor.ok() ? &constants.emplace_back(std::move(*tensor)) : nullptr;
  }
  static constexpr int64_t kMostElements = 1024; // shapes, axes and sizes have fewer
};

} // namespace
