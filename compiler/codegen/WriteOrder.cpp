// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk each way from the loop, instead of some for each write.
#include "compiler/codegen/WriteOrder.h"

#include "compiler/optimize/FirstTurn.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::codegen {

// Whether there is something left.
bool WritesAround::spend(uint64_t operands) {
  budget_.left -= std::min(budget_.left, operands);
  return budget_.left > 0;
}

// Operands without which the op gives no result, whatever is taken or comes first.
SmallVector<Value> WritesAround::needsOf(Operation *op) {
  if (auto merge = dyn_cast<flow::MergeOp>(op))
    return SmallVector<Value>(merge.getTokens());
  if (auto branch = dyn_cast<flow::CondOp>(op))
    return {branch.getPredicate()};
  auto loop = dyn_cast<flow::WhileOp>(op);
  if (!loop)
    return SmallVector<Value>(op->getOperands());
  auto [known, isNew] = needsOfLoops_.try_emplace(op);
  if (!isNew)
    return known->second;
  SmallVector<Value> needs; // of the first condition
  llvm::SetVector<Value> inside;
  inside.insert(loop.getBefore().front().getTerminator()->getOperand(0));
  for (size_t i = 0; i < inside.size() && spend(1); ++i) {
    if (auto argument = dyn_cast<BlockArgument>(inside[i]))
      needs.push_back(optimize::operandOf(loop, argument).get());
    else
      inside.insert_range(needsOf(inside[i].getDefiningOp()));
  }
  needsOfLoops_[op] = needs;
  return needs;
}

bool WritesAround::isNeed(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto merge = dyn_cast<flow::MergeOp>(user))
    return use.getOperandNumber() >= merge.getValues().size();
  if (isa<flow::CondOp, flow::WhileOp>(user))
    return llvm::is_contained(needsOf(user), use.get());
  return true;
}

// What the operands of these ops wait for, or with `onlyNeeds` cannot be there without.
WritesAround::Ops WritesAround::opsBefore(ArrayRef<Operation *> ops, bool onlyNeeds) {
  Ops seen;
  SmallVector<Operation *> pending;
  auto see = [&](ValueRange values) {
    for (Value value : values)
      if (Operation *op = value.getDefiningOp(); op && seen.insert(op).second)
        pending.push_back(op);
    return spend(values.size());
  };
  bool goesOn = llvm::all_of(ops, [&](Operation *op) { return see(op->getOperands()); });
  while (goesOn && !pending.empty()) {
    Operation *op = pending.pop_back_val();
    goesOn = onlyNeeds ? see(needsOf(op)) : see(op->getOperands());
  }
  return seen;
}

// What cannot be there without a result of the loop.
WritesAround::Ops WritesAround::opsAfterLoop() {
  Ops seen;
  SmallVector<Operation *> pending{loop_};
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val()->getUses()) {
      if (!spend(1))
        return seen;
      if (!seen.contains(use.getOwner()) && isNeed(use)) {
        seen.insert(use.getOwner());
        pending.push_back(use.getOwner());
      }
    }
  return seen;
}

WriteOrder WritesAround::orderOf(Operation *write) {
  if (!writes_.isInRoot(write) || !writes_.isInRoot(loop_))
    return WriteOrder::kLoose;
  // What has been found is true also where there was no budget for the rest.
  if (!needing_)
    needing_ = opsAfterLoop();
  if (needing_->contains(write))
    return WriteOrder::kAfter;
  if (!needed_)
    needed_ = opsBefore({loop_}, /*onlyNeeds=*/true);
  if (needed_->contains(write))
    return WriteOrder::kBefore;
  if (!leading_) {
    SmallVector<Operation *> targets(writes_.crossings());
    targets.push_back(loop_);
    leading_ = opsBefore(targets, /*onlyNeeds=*/false);
  }
  return leading_->contains(write) || budget_.left == 0 ? WriteOrder::kLoose : WriteOrder::kRacing;
}

} // namespace sluice::codegen
