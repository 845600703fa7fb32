// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass differentiate-build-gradients: all requests of a module, each after those that it depends on.
#include "compiler/differentiate/Passes.h"
#include "compiler/differentiate/Reverse.h"

#include "dialects/flow/GraphOrder.h"
#include "dialects/interfaces/Gradient.h"

using namespace mlir;

namespace sluice::differentiate {
#define GEN_PASS_DEF_DIFFERENTIATEBUILDGRADIENTS
#include "compiler/differentiate/Passes.h.inc"
} // namespace sluice::differentiate

namespace {

using namespace sluice;
using namespace sluice::differentiate;

SmallVector<flow::GradientOp> requestsOf(flow::TokenGraph graph) {
  SmallVector<flow::GradientOp> requests;
  for (Operation *op : flow::operandsFirst(graph))
    op->walk([&](flow::GradientOp request) { requests.push_back(request); });
  return requests;
}

// A derivative of ones.
Value ones(OpBuilder &b, Location loc, Value y) {
  auto type = cast<TensorType>(y.getType());
  Type element = type.getElementType();
  auto number = [&](RankedTensorType of) -> Value {
    return nd::ConstantOp::create(b, loc, of, splatOf(of, 1));
  };
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (ranked && ranked.hasStaticShape())
    return number(ranked);
  auto sizes = RankedTensorType::get({ranked ? ranked.getRank() : ShapedType::kDynamic},
                                     b.getI64Type());
  Value shape = nd::ShapeOp::create(b, loc, sizes, y);
  return nd::FillOp::create(b, loc, type, shape, number(RankedTensorType::get({}, element)));
}

// The ops that stand before the request, in an order in which they could run.
SmallVector<Operation *> opsBefore(flow::GradientOp request) {
  if (auto graph = dyn_cast<flow::TokenGraph>(request->getParentOp())) {
    auto ops = flow::operandsFirst(graph);
    return SmallVector<Operation *>(ops.begin(), ops.end());
  }
  SmallVector<Operation *> ops;
  for (Operation &op : *request->getBlock()) {
    if (&op == request)
      break;
    ops.push_back(&op);
  }
  return ops;
}

// Of a variable: the sum over all of its handles.
Value derivativeOf(Value x, flow::GradientOp request, Adjoints &adjoints, OpBuilder &b) {
  StringRef variable = isa<TensorType>(x.getType()) ? StringRef() : variableOf(x);
  if (variable.empty())
    return adjoints.of(x);
  Value sum;
  for (Operation &op : *request->getBlock())
    if (isHandleOf(&op, variable))
      if (Value part = adjoints.of(op.getResult(0)))
        sum = sum ? sumOf(b, request.getLoc(), sum, part) : part;
  return sum;
}

FailureOr<unsigned> answer(flow::GradientOp request) {
  Activity activity(request);
  Reverser reverser(activity);
  OpBuilder b(request);
  Location loc = request.getLoc();
  Adjoints adjoints;
  for (auto [i, y] : llvm::enumerate(request.getYs()))
    if (activity.isActive(y))
      adjoints.add(b, loc, y, request.getSeeds().empty() ? ones(b, loc, y) : request.getSeeds()[i]);
  if (failed(reverser.reverse(opsBefore(request), b, adjoints)))
    return failure();
  for (auto [x, result] : llvm::zip_equal(request.getXs(), request.getResults())) {
    Value found = derivativeOf(x, request, adjoints, b);
    result.replaceAllUsesWith(found ? found : zeroDerivative(b, loc, x));
  }
  request.erase();
  return reverser.numSaved();
}

// What only requests have asked for.
void forgetNames(ModuleOp module) {
  SmallVector<Operation *> names;
  module.walk([&](Operation *op) {
    if (isa<flow::IndependentOp, flow::KnownAsOp>(op))
      names.push_back(op);
  });
  for (Operation *op : names) {
    op->replaceAllUsesWith(op->getOperands().take_front(op->getNumResults()));
    op->erase();
  }
}

struct BuildGradients
    : differentiate::impl::DifferentiateBuildGradientsBase<BuildGradients> {
  void runOnOperation() override {
    SmallVector<flow::TokenGraph> graphs;
    getOperation().walk([&](flow::TokenGraph graph) { graphs.push_back(graph); });
    for (flow::TokenGraph graph : graphs)
      for (flow::GradientOp request : requestsOf(graph)) {
        auto saved = answer(request);
        if (failed(saved))
          return signalPassFailure();
        ++numRequests;
        numSaved += *saved;
      }
    forgetNames(getOperation());
  }
};

} // namespace
