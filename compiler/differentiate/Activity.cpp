// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forwards from the xs, then backwards from the ys, through regions and around loops.
#include "compiler/differentiate/Activity.h"

#include "dialects/list/List.h"
#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::differentiate {

// ---- Where values come from and go to ----------------------------------------------------------

// Of an operand of a branch or loop, and of an end of a region: the values that it becomes.
static SmallVector<Value> becomes(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto loop = dyn_cast<flow::WhileOp>(op)) {
    auto inits = static_cast<unsigned>(loop.getInits().size());
    if (number < inits)
      return {loop.getBefore().getArgument(number)};
    return {loop.getBefore().getArgument(number),
            loop.getBody().getArgument(loop.getNumResults() + number - inits)};
  }
  if (auto branch = dyn_cast<flow::CondOp>(op)) {
    if (number == 0)
      return {};
    return {branch.getOnTrue().getArgument(number - 1),
            branch.getOnFalse().getArgument(number - 1)};
  }
  if (auto condition = dyn_cast<flow::ConditionOp>(op)) {
    auto loop = cast<flow::WhileOp>(op->getParentOp());
    if (number == 0)
      return {};
    return {loop.getBody().getArgument(number - 1), loop.getResult(number - 1)};
  }
  if (auto loop = dyn_cast<flow::WhileOp>(op->getParentOp()))
    return {loop.getBefore().getArgument(number)};
  return {op->getParentOp()->getResult(number)};
}

// Of a result or argument of a branch or loop: the values that it may be.
static SmallVector<Value> comesFrom(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  unsigned number = argument ? argument.getArgNumber() : cast<OpResult>(value).getResultNumber();
  if (auto branch = dyn_cast<flow::CondOp>(op)) {
    if (argument)
      return {branch.getCaptures()[number]};
    return {branch.getOnTrue().front().getTerminator()->getOperand(number),
            branch.getOnFalse().front().getTerminator()->getOperand(number)};
  }
  auto loop = cast<flow::WhileOp>(op);
  auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  if (!argument)
    return {condition.getForwarded()[number]};
  auto inits = static_cast<unsigned>(loop.getInits().size());
  if (argument.getOwner()->getParent() == &loop.getBefore()) {
    if (number >= inits)
      return {loop.getCaptures()[number - inits]};
    return {loop.getInits()[number], loop.getBody().front().getTerminator()->getOperand(number)};
  }
  if (number >= loop.getNumResults())
    return {loop.getCaptures()[number - loop.getNumResults()]};
  return {condition.getForwarded()[number]};
}

static bool isStructured(Operation *op) { return isa<flow::WhileOp, flow::CondOp>(op); }
static bool isOfStructured(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? isStructured(argument.getOwner()->getParentOp())
                  : isStructured(value.getDefiningOp());
}

static StringRef symbolOf(Operation *op) {
  auto symbol = op->getAttrOfType<FlatSymbolRefAttr>("variable");
  return symbol ? symbol.getValue() : StringRef();
}

Value sourceOf(Value handle) {
  while (true) {
    if (isOfStructured(handle)) {
      handle = comesFrom(handle).front(); // all are the same variable, or it is no handle
      continue;
    }
    auto gate = handle.getDefiningOp<flow::GateOp>();
    if (!gate)
      return handle;
    handle = gate.getValue();
  }
}

StringRef variableOf(Value handle) {
  Operation *op = sourceOf(handle).getDefiningOp();
  return op ? symbolOf(op) : StringRef();
}

bool isHandleOf(Operation *op, StringRef variable) {
  return op->getNumResults() > 0 && symbolOf(op) == variable;
}

Type derivativeType(Type type) {
  if (auto tensor = dyn_cast<TensorType>(type))
    return isa<FloatType, ComplexType>(tensor.getElementType()) ? type : Type();
  if (auto list = dyn_cast<list::OfType>(type))
    return isa<list::AnyType>(list.getElement()) || derivativeType(list.getElement()) ? type
                                                                                      : Type();
  if (auto reference = dyn_cast<state::RefType>(type))
    return derivativeType(reference.getValue());
  if (auto resource = dyn_cast<state::ResourceType>(type))
    return derivativeType(resource.getValue());
  return {};
}

// ---- Forwards -----------------------------------------------------------------------------------

void Activity::vary(Value value) {
  if (derivativeType(value.getType()) && !stops_.contains(value) && varied_.insert(value).second)
    open_.push_back(value);
}

Bits Activity::variedArguments(flow::CallOp call) const {
  Bits varied;
  for (Value argument : call.getArguments())
    varied.push_back(varied_.contains(argument));
  return varied;
}

void Activity::spreadThrough(flow::CallOp call) {
  Bits varied = calls_.resultsOf(calls_.calleeOf(call), variedArguments(call));
  for (auto [result, isVaried] : llvm::zip_equal(call.getValues(), varied))
    if (isVaried)
      vary(result);
}

void Activity::spread(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto call = dyn_cast<flow::CallOp>(op))
    return spreadThrough(call);
  if (isStructured(op) || isa<flow::ConditionOp, flow::YieldOp>(op)) {
    if (!op->hasTrait<OpTrait::IsTerminator>() || isStructured(op->getParentOp()))
      for (Value value : becomes(use))
        vary(value);
    return;
  }
  if (op->hasTrait<HasNoGradient>() || isa<flow::GradientOp>(op))
    return;
  auto known = dyn_cast<flow::KnownAsOp>(op);
  if (known && use.getOperandNumber() < known.getValues().size())
    return; // the name says what they depend on
  // What is written to arrays and stacks may be read of any of them.
  reachesContainers_ |= op->hasTrait<UsesContainers>();
  // A handle that an op reads or changes, and does not hand on: only what is read follows from it.
  if (isa<state::RefType, state::ResourceType>(use.get().getType()) &&
      !isa<state::ReadOp, flow::GateOp>(op) && !op->hasTrait<Steers>())
    return;
  if (op->hasTrait<HasEffect>() && !isa<state::ReadOp>(op) && !op->hasTrait<UsesContainers>())
    return;
  for (Value result : op->getResults())
    vary(result);
}

void Activity::varyAll() {
  auto goOn = [&] {
    while (!open_.empty()) {
      Value value = open_.pop_back_val();
      for (OpOperand &use : value.getUses())
        spread(use);
    }
  };
  goOn();
  if (!reachesContainers_)
    return;
  graph_.walk([&](Operation *op) {
    if (op->hasTrait<UsesContainers>())
      for (Value result : op->getResults())
        vary(result);
  });
  goOn();
}

// ---- Backwards ----------------------------------------------------------------------------------

void Activity::need(Value value) {
  if (varied_.contains(value) && active_.insert(value).second)
    open_.push_back(value);
}

void Activity::trace(Value value) {
  if (stops_.contains(value))
    return;
  if (isOfStructured(value)) {
    for (Value from : comesFrom(value))
      need(from);
    return;
  }
  if (auto call = value.getDefiningOp<flow::CallOp>())
    return traceThrough(call);
  if (Operation *op = value.getDefiningOp())
    for (Value operand : op->getOperands())
      need(operand);
}

void Activity::traceThrough(flow::CallOp call) {
  Bits needed;
  for (Value result : call.getValues())
    needed.push_back(active_.contains(result));
  Bits arguments = calls_.argumentsOf(calls_.calleeOf(call), variedArguments(call), needed);
  for (auto [argument, isNeeded] : llvm::zip_equal(call.getArguments(), arguments))
    if (isNeeded)
      need(argument);
}

void Activity::traceAll() {
  while (!open_.empty())
    trace(open_.pop_back_val());
}

// ---- Requests and functions ---------------------------------------------------------------------

Activity::Activity(flow::GradientOp request, CallDependence &calls)
    : graph_(request->getParentOfType<flow::TokenGraph>()), calls_(calls) {
  stops_.insert(request.getStops().begin(), request.getStops().end());
  for (Value x : request.getXs()) {
    // Handles of one variable are one thing: what is read by any of them is meant.
    if (StringRef variable = variableOf(x); !isa<TensorType>(x.getType()) && !variable.empty())
      for (Operation &op : *request->getBlock())
        if (isHandleOf(&op, variable))
          vary(op.getResult(0));
    if (derivativeType(x.getType()) && varied_.insert(x).second) // also if it is a stop
      open_.push_back(x);
  }
  varyAll();
  for (Value y : request.getYs())
    need(y);
  traceAll();
}

Activity::Activity(flow::FuncOp function, const Bits &arguments, CallDependence &calls)
    : graph_(cast<flow::TokenGraph>(function.getOperation())), calls_(calls) {
  for (auto [argument, isVaried] : llvm::zip_equal(function.getArguments(), arguments))
    if (isVaried)
      vary(argument.getResult());
  varyAll();
}

void Activity::demand(const Bits &results) {
  auto function = cast<flow::FuncOp>(graph_.getOperation());
  for (auto [value, isNeeded] : llvm::zip(function.getReturn().getValues(), results))
    if (isNeeded)
      need(value);
  traceAll();
}

Bits Activity::variedResults() {
  auto function = cast<flow::FuncOp>(graph_.getOperation());
  Bits varied;
  for (Value value : function.getReturn().getValues().take_front(numValues(function)))
    varied.push_back(varied_.contains(value));
  return varied;
}

Bits Activity::activeArguments() {
  auto function = cast<flow::FuncOp>(graph_.getOperation());
  Bits active;
  for (flow::ArgumentOp argument : function.getArguments())
    active.push_back(active_.contains(argument.getResult()));
  return active;
}

void Activity::forget(Operation *op) {
  op->walk([&](Operation *one) {
    for (Value result : one->getResults())
      active_.erase(result);
    for (Region &region : one->getRegions())
      for (Value argument : region.getArguments())
        active_.erase(argument);
  });
}

void Activity::replace(ValueRange from, ValueRange to) {
  SmallVector<bool> were;
  for (Value value : from)
    were.push_back(active_.erase(value));
  for (auto [was, value] : llvm::zip(were, to))
    if (was)
      active_.insert(value);
}

} // namespace sluice::differentiate
