// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass differentiate-build-gradients: all requests of a module, each after those that it depends
// on.
#include "compiler/differentiate/BuildGradients.h"

#include "compiler/differentiate/Budget.h"
#include "compiler/differentiate/HandOnDevices.h"
#include "compiler/differentiate/MirroredFunctions.h"
#include "compiler/differentiate/Passes.h"
#include "compiler/differentiate/Reverse.h"
#include "compiler/differentiate/Segments.h"
#include "compiler/differentiate/Trips.h"

#include "dialects/flow/CallGraph.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/interfaces/Gradient.h"
#include "dialects/wire/Restructure.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

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
  auto sizes =
      RankedTensorType::get({ranked ? ranked.getRank() : ShapedType::kDynamic}, b.getI64Type());
  Value shape = nd::ShapeOp::create(b, loc, sizes, y);
  return nd::FillOp::create(b, loc, type, shape, number(RankedTensorType::get({}, element)));
}

// A seed may be a result of a loop that gives way to one with tapes while it is reversed. So an op
// holds it until then.
Value held(OpBuilder &b, Location loc, Value seed, SmallVector<flow::IndependentOp> &holders) {
  holders.push_back(flow::IndependentOp::create(b, loc, seed.getType(), seed, "seed"));
  return holders.back().getResult();
}

void release(ArrayRef<flow::IndependentOp> holders) {
  for (flow::IndependentOp holder : holders) {
    holder.getResult().replaceAllUsesWith(holder->getOperand(0));
    holder.erase();
  }
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

// The same variable, of which a handle stands outside, may have others in branches and loops: these
// are captured, so that all that is read of it is seen.
void captureHandles(flow::GradientOp request, Value outside) {
  StringRef variable = variableOf(outside);
  SmallVector<Operation *> inner;
  for (Operation &op : *request->getBlock())
    op.walk([&](Operation *nested) {
      if (nested != &op && isHandleOf(nested, variable))
        inner.push_back(nested);
    });
  for (Operation *handle : inner) {
    SmallVector<Region *> around; // from within
    for (Region *region = handle->getParentRegion(); region != request->getParentRegion();
         region = region->getParentRegion())
      around.push_back(region);
    Value value = outside;
    for (Region *region : llvm::reverse(around)) {
      if (!isa<flow::WhileOp, flow::CondOp>(region->getParentOp()))
        return;
      value = wire::captureIn(region->getParentOp(), *region, value);
    }
    handle->getResult(0).replaceAllUsesWith(value);
  }
}

// Functions are given the variables that they read. One that makes a handle of its own would be
// overlooked.
LogicalResult checkHandles(flow::GradientOp request, CallDependence &calls) {
  llvm::StringSet<> variables;
  for (Value x : request.getXs())
    if (!isa<TensorType>(x.getType()))
      variables.insert(variableOf(x));
  variables.erase("");
  llvm::SetVector<Operation *> graphs;
  graphs.insert(request->getParentOfType<flow::TokenGraph>());
  for (size_t i = 0; i < graphs.size() && !variables.empty(); ++i) {
    WalkResult found = graphs[i]->walk([&](Operation *op) {
      if (auto call = dyn_cast<flow::CallOp>(op))
        graphs.insert(calls.calleeOf(call));
      auto symbol = op->getAttrOfType<FlatSymbolRefAttr>("variable");
      if (i == 0 || !symbol || !variables.contains(symbol.getValue()))
        return WalkResult::advance();
      request.emitError("a derivative is asked for with respect to variable '")
          << symbol.getValue() << "', of which function '"
          << cast<flow::FuncOp>(graphs[i]).getSymName()
          << "', which is called at run time, has a handle of its own; expected that it is given "
             "one";
      return WalkResult::interrupt();
    });
    if (found.wasInterrupted())
      return failure();
  }
  return success();
}

LogicalResult answer(flow::GradientOp request, const Choices &choices, MirroredFunctions &functions,
                     std::vector<SavedValue> &report) {
  for (Value x : request.getXs())
    if (!derivativeType(x.getType()))
      return request.emitError("expected variables or tensors of floats or complex numbers to "
                               "differentiate by but got ")
             << x.getType();
  for (Value x : request.getXs())
    if (!isa<TensorType>(x.getType()) && !variableOf(x).empty())
      captureHandles(request, x);
  if (failed(checkHandles(request, functions.calls())))
    return failure();
  Activity activity(request, functions.calls());
  Reverser reverser(activity, functions, request->getParentOfType<flow::TokenGraph>(), request,
                    choices);
  OpBuilder b(request);
  Location loc = request.getLoc();
  Adjoints adjoints;
  SmallVector<flow::IndependentOp> seeds;
  for (auto [i, y] : llvm::enumerate(request.getYs()))
    if (activity.isActive(y))
      adjoints.add(b, loc, y,
                   request.getSeeds().empty() ? ones(b, loc, y)
                                              : held(b, loc, request.getSeeds()[i], seeds));
  if (failed(reverser.reverse(opsBefore(request), b, adjoints)))
    return failure();
  for (auto [x, result] : llvm::zip_equal(request.getXs(), request.getResults())) {
    Value found = derivativeOf(x, request, adjoints, b);
    found = found ? found : zeroDerivative(b, loc, x);
    // Whoever changes a variable by one of the derivatives waits until it has been read for all.
    if (ArrayRef<Value> read = reverser.mirror().whenRead(); !read.empty())
      found = flow::GateOp::create(b, loc, found.getType(), found, read);
    result.replaceAllUsesWith(found);
  }
  request.erase();
  release(seeds);
  llvm::append_range(report, reverser.mirror().report());
  llvm::append_range(report, functions.takeReport());
  return success();
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

// Those that nobody calls any more, as others take their place.
void forgetFunctions(ModuleOp module) {
  flow::CallGraph calls(module);
  llvm::SetVector<Operation *> reached;
  for (auto graph : module.getOps<flow::GraphOp>())
    reached.insert(graph);
  for (size_t i = 0; i < reached.size(); ++i)
    for (flow::FuncOp callee : calls.calleesOf(cast<flow::TokenGraph>(reached[i])))
      reached.insert(callee);
  for (auto function : llvm::make_early_inc_range(module.getOps<flow::FuncOp>()))
    if (!reached.contains(function))
      function.erase();
}

} // namespace

LogicalResult differentiate::buildGradients(ModuleOp module, const Choices &choices,
                                            std::vector<SavedValue> &report) {
  SmallVector<flow::TokenGraph> graphs;
  module.walk([&](flow::TokenGraph graph) { graphs.push_back(graph); });
  CallDependence calls;
  MirroredFunctions functions(calls, choices);
  for (flow::TokenGraph graph : graphs)
    for (flow::GradientOp request : requestsOf(graph)) {
      HandOnDevices devices(module);
      if (failed(answer(request, choices, functions, report)))
        return failure();
      devices.finish();
    }
  forgetNames(module);
  forgetFunctions(module);
  forgetSegments(module);
  forgetTrips(module);
  return success();
}

namespace {

struct BuildGradients : differentiate::impl::DifferentiateBuildGradientsBase<BuildGradients> {
  using DifferentiateBuildGradientsBase::DifferentiateBuildGradientsBase;
  void runOnOperation() override {
    std::vector<SavedValue> report;
    Choices choices;
    auto products = productsFromName(this->products);
    if (!readMemory(this->memory, choices) || !products) {
      getOperation().emitError(
          "expected 'memory' to be fast, balanced, min, segments or a number of bytes, and "
          "'products' to be each or joined but got '")
          << std::string(this->memory) << "' and '" << std::string(this->products) << "'";
      return signalPassFailure();
    }
    choices.products = *products;
    choices = chooseWithin(getOperation(), choices);
    if (failed(buildGradients(getOperation(), choices, report)))
      return signalPassFailure();
    numSaved += static_cast<unsigned>(
        llvm::count_if(report, [](const SavedValue &value) { return value.fate == Fate::kSaved; }));
  }
};

} // namespace
