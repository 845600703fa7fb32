// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes through branches, loops and gates.
#include "compiler/raise/Carried.h"

#include "dialects/wire/Steering.h"

using namespace mlir;

namespace sluice::raise {

SmallVector<Value> carriedTo(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto loop = dyn_cast<flow::WhileOp>(op)) {
    SmallVector<Value> inside{loop.getBefore().getArgument(number)};
    unsigned inits = loop.getInits().size();
    if (number >= inits)
      inside.push_back(loop.getBody().getArgument(number - inits + loop.getNumResults()));
    return inside;
  }
  if (auto cond = dyn_cast<flow::CondOp>(op)) {
    if (number == 0)
      return {};
    return {cond.getOnTrue().getArgument(number - 1), cond.getOnFalse().getArgument(number - 1)};
  }
  if (auto condition = dyn_cast<flow::ConditionOp>(op)) {
    if (number == 0)
      return {};
    auto loop = cast<flow::WhileOp>(op->getParentOp());
    return {loop.getBody().getArgument(number - 1), loop.getResult(number - 1)};
  }
  if (isa<flow::YieldOp>(op)) {
    auto loop = dyn_cast<flow::WhileOp>(op->getParentOp());
    return {loop ? Value(loop.getBefore().getArgument(number))
                 : Value(op->getParentOp()->getResult(number))};
  }
  if (auto gate = dyn_cast<flow::GateOp>(op))
    return number == 0 ? SmallVector<Value>{gate.getResult()} : SmallVector<Value>{};
  return {};
}

bool isCapture(OpOperand &use) {
  if (auto loop = dyn_cast<flow::WhileOp>(use.getOwner()))
    return use.getOperandNumber() >= loop.getInits().size();
  return isa<flow::CondOp>(use.getOwner()) && use.getOperandNumber() > 0;
}

void dropCapture(Operation *structured, unsigned operand) {
  wire::Steering steering(structured);
  if (auto cond = dyn_cast<flow::CondOp>(structured)) {
    steering.erase(wire::kOnTrue, operand - 1);
    steering.erase(wire::kOnFalse, operand - 1);
    steering.attachTo(structured);
    cond.getCapturesMutable().erase(operand - 1);
    for (Region *branch : {&cond.getOnTrue(), &cond.getOnFalse()})
      branch->eraseArgument(operand - 1);
    return;
  }
  auto loop = cast<flow::WhileOp>(structured);
  unsigned capture = operand - loop.getInits().size();
  steering.erase(wire::kInvariants, capture);
  steering.attachTo(structured);
  loop.getCapturesMutable().erase(capture);
  loop.getBefore().eraseArgument(operand);
  loop.getBody().eraseArgument(loop.getNumResults() + capture);
}

// Takes over the regions and what is noted of the op, and its results.
static void replaceWith(Operation *op, Operation *copy, ArrayRef<StringRef> widened, size_t more) {
  for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions()))
    to.takeBody(from);
  copy->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  wire::Steering steering(copy);
  for (StringRef role : widened)
    steering.widen(role, more);
  steering.attachTo(copy);
  op->replaceAllUsesWith(copy->getResults().take_front(op->getNumResults()));
  op->erase();
}

static SmallVector<Type> resultTypes(Operation *op, ValueRange more) {
  SmallVector<Type> types(op->getResultTypes());
  llvm::append_range(types, more.getTypes());
  return types;
}

flow::WhileOp carryMore(flow::WhileOp loop, ValueRange values) {
  OpBuilder b(loop);
  SmallVector<Value> inits(loop.getInits());
  unsigned carried = inits.size(), results = loop.getNumResults();
  llvm::append_range(inits, values);
  auto copy =
      flow::WhileOp::create(b, loop.getLoc(), resultTypes(loop, values), inits, loop.getCaptures(),
                            loop.getFrame(), loop.getParallelIterations());
  replaceWith(loop, copy,
              {wire::kEnters, wire::kHeaders, wire::kBacks, wire::kSwitches, wire::kExits},
              values.size());
  for (auto [i, value] : llvm::enumerate(values)) {
    copy.getBefore().insertArgument(carried + i, value.getType(), value.getLoc());
    copy.getBody().insertArgument(results + i, value.getType(), value.getLoc());
  }
  return copy;
}

flow::CondOp carryMore(flow::CondOp branch, ValueRange values) {
  OpBuilder b(branch);
  SmallVector<Value> captures(branch.getCaptures());
  llvm::append_range(captures, values);
  auto copy = flow::CondOp::create(b, branch.getLoc(), resultTypes(branch, values),
                                   branch.getPredicate(), captures);
  replaceWith(branch, copy, {wire::kOnTrue, wire::kOnFalse, wire::kMerges}, values.size());
  for (Value value : values)
    for (Region &region : copy->getRegions())
      region.addArgument(value.getType(), value.getLoc());
  return copy;
}

} // namespace sluice::raise
