// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes through branches, loops and gates.
#include "compiler/raise/Carried.h"

#include "dialects/wire/Restructure.h"

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
  wire::Kept kept(structured);
  auto loop = dyn_cast<flow::WhileOp>(structured);
  kept.captures.reset(operand - (loop ? static_cast<unsigned>(loop.getInits().size()) : 1));
  wire::keepOnly(structured, kept);
}

} // namespace sluice::raise
