// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops forward which operand.
#include "compiler/optimize/Forwarding.h"

#include "dialects/array/Array.h"
#include "dialects/flow/Flow.h"

using namespace mlir;

namespace sluice::optimize {

Value forwardedOperand(Operation *op) {
  if (isa<flow::GateOp, flow::SwitchOp, flow::EnterOp, flow::ExitOp, flow::NextIterationOp,
          flow::LoopCondOp>(op))
    return op->getOperand(0);
  if (auto push = dyn_cast<array::StackPushOp>(op))
    return push.getValue();
  return {};
}

SmallVector<Value, 2> forwardedResults(Operation *op) {
  if (auto branch = dyn_cast<flow::SwitchOp>(op))
    return {branch.getOnFalse(), branch.getOnTrue()};
  return {op->getResult(0)};
}

bool hidesOperands(Operation *op) { return isa<flow::IndependentOp, flow::KnownAsOp>(op); }

// The arguments of regions that are this operand of a branch or loop, if it is captured, or of a
// composite.
static SmallVector<Value, 2> capturedAs(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto composite = dyn_cast<flow::CompositeOp>(op))
    return {composite.getBody().getArgument(use.getOperandNumber())};
  auto loop = dyn_cast<flow::WhileOp>(op);
  unsigned first = loop ? loop.getInits().size() : 1, position = use.getOperandNumber();
  SmallVector<Value, 2> arguments;
  if ((!loop && !isa<flow::CondOp>(op)) || position < first)
    return arguments;
  for (Region &region : op->getRegions()) {
    size_t captures = op->getNumOperands() - first;
    arguments.push_back(region.getArguments().take_back(captures)[position - first]);
  }
  return arguments;
}

void refineType(Value value, Type type) {
  SmallVector<Value> open{value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (next.getType() == type)
      continue; // also ends the walk around a loop
    next.setType(type);
    for (OpOperand &use : next.getUses()) {
      if (forwardedOperand(use.getOwner()) == next)
        open.append(forwardedResults(use.getOwner()));
      if (hidesOperands(use.getOwner()) && use.getOperandNumber() < use.getOwner()->getNumResults())
        open.push_back(use.getOwner()->getResult(use.getOperandNumber()));
      open.append(capturedAs(use));
    }
  }
}

} // namespace sluice::optimize
