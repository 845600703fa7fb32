// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Imports samples of an op, and asks differentiate what derivatives pass through.
#include "tools/sluice-docs/PassedDerivatives.h"

#include "compiler/differentiate/Activity.h"
#include "compiler/differentiate/NamedDerivatives.h"
#include "compiler/import/Importer.h"

#include "dialects/interfaces/RegisterDialects.h"
#include "dialects/state/State.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace sluice::docs {

using namespace sluice::import;

static DialectRegistry allDialects() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

PassedDerivatives::PassedDerivatives()
    : context_(allDialects(), MLIRContext::Threading::DISABLED), makers_{{Opaque::kNone, {""}}},
      takers_(makers_) {
  context_.loadAllAvailableDialects();
  for (StringRef name : supportedOps()) {
    const OpSignature &op = *table_.find(name);
    Opaque takes = firstOpaque(op.inputs), makes = firstOpaque(op.outputs);
    if (makes != Opaque::kNone && takes == Opaque::kNone)
      makers_[makes].push_back(name.str());
    if (takes != Opaque::kNone && makes == Opaque::kNone && op.outputs.size() <= 1)
      takers_[takes].push_back(name.str());
  }
  // Who wants a tensor reads the variable, and a reference to a text is a text.
  takers_[Opaque::kReference].push_back("");
  llvm::append_range(takers_[Opaque::kReference], takers_[Opaque::kText]);
  llvm::append_range(makers_[Opaque::kText], makers_[Opaque::kReference]);
}

static bool isHandle(Type type) { return isa<state::RefType, state::ResourceType>(type); }

static bool changesVariables(flow::GraphOp graph) {
  auto changes = [](Operation *op) {
    return op->hasTrait<HasEffect>() && !isa<state::ReadOp>(op) &&
           llvm::any_of(op->getOperandTypes(), isHandle);
  };
  return graph
      ->walk([&](Operation *op) {
        return changes(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

// From what is fed and what variables hold, to what is fetched. What is written to a variable and
// read again is an input of its own.
static bool passesIn(ModuleOp module) {
  for (auto graph : module.getOps<flow::GraphOp>()) {
    SmallVector<Value> xs, ys;
    bool changes = changesVariables(graph);
    graph->walk([&](Operation *op) {
      bool isVariable =
          !changes && op->getNumOperands() == 0 && llvm::any_of(op->getResultTypes(), isHandle);
      // Others have put there what comes out of an array or stack.
      bool isInput = isa<flow::FeedOp>(op) || isVariable || op->hasTrait<UsesContainers>();
      for (Value result : op->getResults())
        if (isInput && differentiate::derivativeType(result.getType()))
          xs.push_back(result);
      if (auto fetch = dyn_cast<flow::FetchOp>(op))
        if (differentiate::derivativeType(fetch.getOperand().getType()))
          ys.push_back(fetch.getOperand());
    });
    if (xs.empty() || ys.empty())
      continue;
    OpBuilder builder = OpBuilder::atBlockEnd(&graph->getRegion(0).front());
    SmallVector<Type> types;
    for (Value x : xs)
      types.push_back(differentiate::derivativeType(x.getType()));
    auto request = flow::GradientOp::create(builder, module.getLoc(), types, ys, ValueRange(), xs,
                                            ValueRange(), builder.getStringAttr("sample"));
    differentiate::CallDependence calls;
    differentiate::Activity activity(request, calls);
    if (llvm::any_of(xs, [&](Value x) { return activity.isActive(x); }))
      return true;
  }
  return false;
}

std::optional<bool> PassedDerivatives::passes(const OpSignature &op, const SampleChoice &choice) {
  SampleGraph sample(table_, op, choice);
  SignatureRequest request;
  request.feeds.assign(sample.feeds.begin(), sample.feeds.end());
  request.fetches.assign(sample.fetches.begin(), sample.fetches.end());
  request.targets = {sample.node};
  auto file = GraphFile::take("sample", sample.graph, {}, Limits());
  DiagnosticList diagnostics;
  auto module = importGraph(context_, *file, {request}, diagnostics);
  if (!module)
    return std::nullopt;
  return passesIn(*module);
}

// Whether the argument can be of numbers that have derivatives, or of something that holds some.
static bool mayPass(const OpSignature &op, const ArgSignature &argument) {
  const AttrSignature *type = argument.typeAttr.empty() ? nullptr : op.attribute(argument.typeAttr);
  if (!type)
    return argument.fixedType == graphdef::DT_FLOAT || firstOpaque(argument) != Opaque::kNone;
  return type->allowedTypes.empty() || llvm::is_contained(type->allowedTypes, graphdef::DT_FLOAT);
}

Passing PassedDerivatives::through(const OpExpansion &line) {
  const OpSignature &op = *table_.find(line.name);
  std::string name = ("tf." + line.name).str();
  if (line.isComposite && differentiate::findNamedDerivative(name))
    return differentiate::isRefusedByName(name) ? Passing::kRefused : Passing::kYes;
  if (llvm::any_of(op.attributes, [](const AttrSignature &attribute) {
        return attribute.kind == AttrKind::kFunc && !attribute.defaultValue;
      }))
    return Passing::kAsFunctions;
  auto any = [&](ArrayRef<ArgSignature> arguments) {
    return llvm::any_of(arguments, [&](const ArgSignature &each) { return mayPass(op, each); });
  };
  if (!any(op.inputs) || !any(op.outputs))
    return Passing::kNo;
  if (isEnter(op.name) || isExit(op.name) || isNextIteration(op.name))
    return Passing::kAsLoop;
  using Integers = SampleChoice::Integers;
  Passing passing = Passing::kUnknown;
  for (const std::string &maker : makers_[firstOpaque(op.inputs)])
    for (const std::string &taker : takers_[firstOpaque(op.outputs)]) {
      std::optional<bool> passed;
      for (Integers integers : {Integers::kFed, Integers::kZero, Integers::kZeros, Integers::kOnes,
                                Integers::kMinusOne})
        if (!passed)
          passed = passes(op, {integers, maker, taker});
      if (!passed && firstOpaque(op.inputs) == Opaque::kResource)
        passed = passes(op, {Integers::kFed, maker, taker, /*holdsIntegers=*/true});
      if (passed == true)
        return Passing::kYes;
      if (passed)
        passing = Passing::kNo;
    }
  return passing;
}

} // namespace sluice::docs
