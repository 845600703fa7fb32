// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the temporary memory of each value of a codelet is looked at.
#include "compiler/codegen/plan/SlotLifetimes.h"

using namespace mlir;

namespace sluice::codegen {

SlotLifetimes::SlotLifetimes(flow::CodeletOp codelet, const FusionPlan &fusion)
    : block_(&codelet.getBody().front()) {
  size_t time = 0;
  for (Operation *op : fusion.order(*block_)) {
    ++time;
    ArrayRef<Operation *> group = fusion.groupOf(op);
    times_[op] = time + static_cast<size_t>(group.end() - llvm::find(group, op)) - 1;
  }
  times_[block_->getTerminator()] = kAlways;
  codelet.getBody().walk([&](Operation *op) { addOp(op); });
}

size_t SlotLifetimes::timeOf(Operation *op) const {
  return times_.lookup(block_->findAncestorOpInBlock(*op));
}

size_t SlotLifetimes::lastUse(Value value) const { return last_.lookup(leaderOf(value)); }

void SlotLifetimes::addOp(Operation *op) {
  size_t time = timeOf(op);
  for (Value value : op->getOperands())
    extend(value, time);
  for (Value value : op->getResults())
    extend(value, time);
  if (op->getNumRegions() == 0) {
    if (op->hasTrait<ViewsOperand>())
      for (Value result : op->getResults())
        join(op->getOperand(0), result);
    return;
  }
  SmallVector<Value> shared(op->getOperands());
  llvm::append_range(shared, op->getResults());
  for (Region &region : op->getRegions()) {
    llvm::append_range(shared, region.getArguments());
    llvm::append_range(shared, region.front().getTerminator()->getOperands());
  }
  for (Value value : shared)
    join(shared.front(), value);
}

Value SlotLifetimes::leaderOf(Value value) const {
  for (Value next = joined_.lookup(value); next; next = joined_.lookup(value))
    value = next;
  return value;
}

void SlotLifetimes::extend(Value value, size_t time) {
  size_t &last = last_[leaderOf(value)];
  last = std::max(last, time);
}

void SlotLifetimes::join(Value a, Value b) {
  a = leaderOf(a);
  b = leaderOf(b);
  if (a == b)
    return;
  joined_[b] = a;
  extend(a, last_.lookup(b));
}

} // namespace sluice::codegen
