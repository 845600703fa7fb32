// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of single ops.
#include "compiler/differentiate/Reverse.h"

#include "compiler/differentiate/NamedDerivatives.h"

#include "dialects/interfaces/Gradient.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace sluice::differentiate {

SmallVector<Operation *> opsOf(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  return ops;
}

Value zeroDerivative(OpBuilder &b, Location loc, Value value) {
  Type type = derivativeType(value.getType());
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape())
    return nd::ConstantOp::create(b, loc, type, splatOf(tensor, 0));
  if (isa<list::OfType>(type))
    return list::ZerosLikeOp::create(b, loc, type, value);
  Type element = cast<TensorType>(type).getElementType();
  auto scalar = RankedTensorType::get({}, element);
  Value zero = nd::ConstantOp::create(b, loc, scalar, splatOf(scalar, 0));
  Type sizes =
      RankedTensorType::get({tensor ? tensor.getRank() : ShapedType::kDynamic}, b.getI64Type());
  Value shape;
  if (isa<TensorType>(value.getType())) {
    shape = nd::ShapeOp::create(b, loc, sizes, value);
  } else {
    auto asked = state::VariableShapeOp::create(
        b, loc, TypeRange{sizes, flow::TokenType::get(b.getContext())}, ValueRange(value));
    shape = asked->getResult(0);
  }
  return nd::FillOp::create(b, loc, type, shape, zero);
}

void Reverser::build(Operation *op, OpBuilder &b, Adjoints &adjoints,
                     llvm::function_ref<void(Gradient &)> rule) {
  SmallVector<Value> ofResults;
  for (Value result : op->getResults())
    ofResults.push_back(
        activity_.isActive(result) && !activity_.isStop(result) ? adjoints.of(result) : Value());
  SmallVector<bool> wanted;
  for (Value operand : op->getOperands())
    wanted.push_back(activity_.isActive(operand));
  Gradient gradient(b, op, ofResults, wanted);
  rule(gradient);
  for (auto [operand, part] : llvm::zip_equal(op->getOperands(), gradient.ofOperands()))
    if (part)
      adjoints.add(b, op->getLoc(), operand, part);
}

// What to do about an op whose derivative nobody knows.
static LogicalResult refuse(Operation *op) {
  InFlightDiagnostic problem = op->emitError("a derivative is asked for that depends on ");
  if (op->hasTrait<UsesContainers>())
    return problem << "an array or stack that is no value (" << op->getName()
                   << "); --explain-raise says why";
  if (op->hasTrait<Steers>())
    return problem << "a loop that has no structure (" << op->getName()
                   << "); --explain-raise says why";
  return problem << "op " << op->getName() << ", which has none";
}

// What a function saves is one list, which would be dead with any value that is.
static LogicalResult refuseInFunction(flow::MergeOp merge) {
  return merge.emitError(
             "a derivative is asked for that depends on a branch that has no structure (")
         << merge->getName()
         << "), in a function that is called at run time; --explain-raise says why";
}

static LogicalResult refuseNamed(flow::KnownAsOp known) {
  return known->emitError("a derivative is asked for that depends on '")
         << known.getName()
         << "', whose derivative is known only to the program that made the graph";
}

// The graph's own function for the derivatives: of the inputs and the derivatives of all results.
static void callGradient(Gradient &gradient, FlatSymbolRefAttr function) {
  auto known = cast<flow::KnownAsOp>(gradient.op());
  SmallVector<Value> operands(known.getInputs());
  for (OpResult result : known.getResults()) {
    Value part = gradient.ofResult(result.getResultNumber());
    operands.push_back(part ? part : gradient.zerosLike(result));
  }
  SmallVector<Type> types(known.getInputs().getTypes());
  types.push_back(flow::TokenType::get(known.getContext()));
  auto call = flow::CallOp::create(gradient.builder(), gradient.loc(), types, function, operands,
                                   /*effects=*/UnitAttr(), /*recursion=*/IntegerAttr());
  auto first = static_cast<unsigned>(known.getValues().size());
  for (auto [i, part] : llvm::enumerate(call.getValues()))
    if (unsigned operand = first + static_cast<unsigned>(i); gradient.wants(operand))
      gradient.set(operand, part);
}

LogicalResult Reverser::reverse(Operation *op, OpBuilder &b, Adjoints &adjoints) {
  if (isa<flow::GateOp>(op))
    return success(); // its derivative is that of its operand
  auto isReached = [&](Value result) {
    return activity_.isActive(result) && !activity_.isStop(result) && adjoints.of(result);
  };
  if (llvm::none_of(op->getResults(), isReached))
    return success();
  if (auto loop = dyn_cast<flow::WhileOp>(op))
    return reverseLoop(loop, b, adjoints);
  if (auto branch = dyn_cast<flow::CondOp>(op))
    return reverseBranch(branch, b, adjoints);
  if (auto call = dyn_cast<flow::CallOp>(op))
    return reverseCall(call, b, adjoints);
  if (auto differentiable = dyn_cast<Differentiable>(op)) {
    build(op, b, adjoints, [&](Gradient &gradient) { differentiable.buildGradient(gradient); });
    return success();
  }
  if (auto known = dyn_cast<flow::KnownAsOp>(op)) {
    DictionaryAttr parameters = known.getParameters().value_or(DictionaryAttr());
    if (auto function = parameters ? parameters.getAs<FlatSymbolRefAttr>("function") : nullptr) {
      build(op, b, adjoints, [&](Gradient &gradient) { callGradient(gradient, function); });
      return success();
    }
    NamedDerivative rule = findNamedDerivative(known.getName());
    if (!rule)
      return refuseNamed(known);
    build(op, b, adjoints, [&](Gradient &gradient) { rule(gradient, parameters); });
    return success();
  }
  if (auto split = dyn_cast<flow::SwitchOp>(op))
    return reverseSwitch(split, b, adjoints), success();
  if (auto merge = dyn_cast<flow::MergeOp>(op); merge && isOfFunction_)
    return refuseInFunction(merge);
  if (auto merge = dyn_cast<flow::MergeOp>(op))
    return reverseMerge(merge, b, adjoints), success();
  if (isa<flow::IndependentOp, state::ReadOp>(op)) {
    Value from = op->getOperand(0);
    if (activity_.isActive(from))
      adjoints.add(b, op->getLoc(), from, adjoints.of(op->getResult(0)));
    return success();
  }
  bool isThrough = op->hasTrait<UsesContainers>() ||
                   llvm::any_of(op->getOperands(), [&](Value v) { return activity_.isActive(v); });
  return isThrough ? refuse(op) : success();
}

LogicalResult Reverser::reverse(ArrayRef<Operation *> ops, OpBuilder &b, Adjoints &adjoints) {
  // Rules tell of what they cannot do by diagnostics of their own.
  bool hasErrors = false;
  ScopedDiagnosticHandler watch(b.getContext(), [&](Diagnostic &problem) {
    hasErrors |= problem.getSeverity() == DiagnosticSeverity::Error;
    return failure();
  });
  for (Operation *op : llvm::reverse(ops))
    if (failed(reverse(op, b, adjoints)) || hasErrors)
      return failure();
  return success();
}

LogicalResult Reverser::reverse(Block &block, OpBuilder &b, Adjoints &adjoints) {
  return reverse(opsOf(block), b, adjoints);
}

} // namespace sluice::differentiate
