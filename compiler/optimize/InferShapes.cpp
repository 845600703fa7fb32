// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-infer-shapes: what inference knows becomes types.
#include "compiler/optimize/Forwarding.h"
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

// Types with which a reference or handle speaks of a variable that was declared otherwise.
void addForeignTypes(ModuleOp module, optimize::ShapeInference::LooseTypes &loose) {
  SymbolTable declarations(module);
  auto add = [&](StringAttr name, Type value) {
    auto variable = declarations.lookup<state::VariableOp>(name);
    if (!variable || variable.getType() != value)
      loose.insert(value);
  };
  module.walk([&](Operation *op) {
    if (auto reference = dyn_cast<state::ReferenceOp>(op))
      add(reference.getVariableAttr().getAttr(), reference.getResult().getType().getValue());
    else if (auto handle = dyn_cast<state::HandleOp>(op))
      add(handle.getVariableAttr().getAttr(), handle.getResult().getType().getValue());
  });
}

// Types of the values of variables that are assigned without a look at their shapes. References may
// pass through loops and branches on their way to the assignment, but keep their types.
optimize::ShapeInference::LooseTypes findLooseTypes(ModuleOp module) {
  optimize::ShapeInference::LooseTypes loose;
  module.walk([&](state::AssignOp assign) {
    Type type = assign.getVariable().getType();
    if (assign.getValidateShape())
      return;
    auto ref = dyn_cast<state::RefType>(type);
    loose.insert(ref ? ref.getValue() : cast<state::ResourceType>(type).getValue());
  });
  addForeignTypes(module, loose);
  return loose;
}

// The location names the node.
void warn(Operation *op, StringRef message) {
  emitWarning(op->getLoc()) << "'" << op->getName() << "' fails if it runs: " << message;
}

struct InferShapes : optimize::impl::OptimizeInferShapesBase<InferShapes> {
  using Base::Base;

  void runOnOperation() override {
    auto loose = findLooseTypes(getOperation());
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
