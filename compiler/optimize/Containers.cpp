// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins handles that ops forward.
#include "compiler/optimize/Containers.h"

#include "compiler/optimize/Forwarding.h"
#include "dialects/array/Array.h"
#include "dialects/flow/Flow.h"

#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;

namespace sluice::optimize {

// Operands whose container the op's handles belong to as well.
static SmallVector<Value> forwardedHandles(Operation *op) {
  if (auto merge = dyn_cast<flow::MergeOp>(op))
    return llvm::to_vector(merge.getValues());
  if (auto grad = dyn_cast<array::GradOp>(op))
    return {grad.getHandle()};
  if (Value forwarded = forwardedOperand(op))
    return {forwarded};
  return {};
}

// Ops that hand an operand on to where it is lost from sight. A handle on a stack is one of them.
static bool hides(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto push = dyn_cast<array::StackPushOp>(op))
    return operand.get() == push.getValue();
  return !op->hasTrait<UsesContainers>() && !isa<flow::AfterOp>(op) && forwardedHandles(op).empty();
}

Containers::Containers(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (array::isHandle(result))
        numbers_.try_emplace(result, numbers_.size());
  llvm::IntEqClasses classes(numbers_.size());
  SmallVector<unsigned> open;
  for (Operation *op : ops) {
    SmallVector<Value> from = forwardedHandles(op);
    for (Value result : op->getResults()) {
      if (!array::isHandle(result))
        continue;
      for (Value operand : from)
        classes.join(numbers_.lookup(operand), numbers_.lookup(result));
      if (from.empty() && !array::makesContainer(op))
        open.push_back(numbers_.lookup(result));
    }
    for (OpOperand &operand : op->getOpOperands())
      if (array::isHandle(operand.get()) && hides(operand))
        open.push_back(numbers_.lookup(operand.get()));
  }
  classes.compress();
  for (auto &[value, number] : numbers_)
    number = classes[number];
  open_.resize(classes.getNumClasses());
  for (unsigned handle : open)
    open_[classes[handle]] = true;
}

std::optional<unsigned> Containers::containerOf(Value handle) const {
  unsigned number = numbers_.lookup(handle);
  return open_[number] ? std::nullopt : std::optional(number);
}

} // namespace sluice::optimize
