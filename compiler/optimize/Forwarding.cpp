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

void refineType(Value value, Type type) {
  SmallVector<Value> open{value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (next.getType() == type)
      continue; // also ends the walk around a loop
    next.setType(type);
    for (Operation *user : next.getUsers())
      if (forwardedOperand(user) == next)
        open.append(forwardedResults(user));
  }
}

} // namespace sluice::optimize
