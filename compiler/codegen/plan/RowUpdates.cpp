// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates that need no copy of the array.
#include "compiler/codegen/plan/RowUpdates.h"

#include "compiler/codegen/plan/Held.h"

using namespace mlir;

namespace sluice::codegen {

// ---- In loops -----------------------------------------------------------------------------------

// The position among the carried values of a loop of which a value in its body is the present one.
static std::optional<unsigned> carriedPosition(flow::WhileOp loop, Value inBody) {
  auto argument = dyn_cast<BlockArgument>(inBody);
  auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  if (!argument || argument.getOwner() != &loop.getBody().front() ||
      argument.getArgNumber() >= condition.getForwarded().size())
    return std::nullopt;
  auto before = dyn_cast<BlockArgument>(condition.getForwarded()[argument.getArgNumber()]);
  bool isCarried = before && before.getOwner() == &loop.getBefore().front() &&
                   before.getArgNumber() < loop.getInits().size() &&
                   llvm::count(condition.getForwarded(), before) == 1;
  return isCarried ? std::optional(before.getArgNumber()) : std::nullopt;
}

// The operand that an op in a loop's body changes so that the array becomes this; null if it is no
// such op. Of a loop within, it is where the array comes in.
static OpOperand *changedOperand(Value array, const FusionPlan &fusion) {
  Operation *op = array.getDefiningOp();
  if (isa_and_present<nd::SetRowOp, nd::MatmulOntoOp>(op))
    return &op->getOpOperand(0);
  auto inner = isInRegister(array) ? flow::WhileOp() : dyn_cast_if_present<flow::WhileOp>(op);
  for (unsigned i = 0; inner && i < inner.getInits().size(); ++i)
    if (inner.getInits()[i].getType() == array.getType() &&
        updatedResult(inner, i, fusion) == array)
      return &op->getOpOperand(i);
  return nullptr;
}

// Whether all but the end of the iteration reads what the last update has made: before the next
// one, and into memory of its own.
static bool isReadOnly(Value array) {
  return llvm::all_of(array.getUsers(), [&](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() ||
           (isa<nd::GatherOp>(user) && user->getOperand(0) == array) || user->hasTrait<AsksShape>();
  });
}

SmallVector<OpOperand *> updatesOf(flow::WhileOp loop, unsigned position,
                                   const FusionPlan &fusion) {
  Block &body = loop.getBody().front();
  ValueRange yielded = body.getTerminator()->getOperands();
  SmallVector<OpOperand *> updates; // from the last one
  Value array = yielded[position];
  if (llvm::count(yielded, array) != 1)
    return {};
  while (array.getDefiningOp() && array.getParentBlock() == &body) {
    OpOperand *operand = changedOperand(array, fusion);
    // Of several in an iteration, those between are looked at by the next one only.
    bool canBe = operand && (updates.empty() || (isa<nd::MatmulOntoOp>(operand->getOwner()) &&
                                                 isa<nd::MatmulOntoOp>(updates[0]->getOwner())));
    if (!canBe || (updates.empty() ? !isReadOnly(array) : !array.hasOneUse()))
      return {};
    updates.push_back(operand);
    array = operand->get();
  }
  if (updates.empty() || carriedPosition(loop, array) != position)
    return {};
  // Nothing may look at what was there afterwards; reads of single rows copy them.
  OpOperand *first = updates.back();
  ArrayRef<Operation *> order = fusion.order(body);
  const auto *self = llvm::find(order, first->getOwner());
  bool isFree = llvm::all_of(array.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user == first->getOwner())
      return &use == first;
    return (isa<nd::RowOp>(user) || user->hasTrait<AsksShape>()) &&
           std::find(order.begin(), self, user) != self;
  });
  return isFree ? SmallVector<OpOperand *>(llvm::reverse(updates)) : SmallVector<OpOperand *>();
}

bool isChangedInPlace(OpOperand &operand, const FusionPlan &fusion) {
  Operation *op = operand.getOwner();
  auto loop = dyn_cast<flow::WhileOp>(op->getParentOp());
  if (!loop || op->getBlock() != &loop.getBody().front())
    return false;
  // The position is that of the last of such ops.
  ValueRange yielded = op->getBlock()->getTerminator()->getOperands();
  for (unsigned i = 0; i < yielded.size(); ++i)
    if (yielded[i].getType() == operand.get().getType() || isa<nd::SetRowOp>(op))
      if (llvm::is_contained(updatesOf(loop, i, fusion), &operand))
        return true;
  return false;
}

bool writesInPlace(Operation *op, const FusionPlan &fusion) {
  return isChangedInPlace(op->getOpOperand(0), fusion);
}

Value updatedResult(flow::WhileOp loop, unsigned position, const FusionPlan &fusion) {
  SmallVector<OpOperand *> updates = updatesOf(loop, position, fusion);
  return updates.empty() ? Value()
                         : loop.getResult(cast<BlockArgument>(updates[0]->get()).getArgNumber());
}

// ---- In straight lines --------------------------------------------------------------------------

bool isUpdateOfOutput(Operation *op) {
  auto write = dyn_cast<nd::SetRowOp>(op);
  bool isInStraightLine =
      write && isa<flow::CodeletOp>(op->getParentOp()) && !isInRegister(write.getResult());
  while (isInStraightLine && write.getResult().hasOneUse()) {
    OpOperand &use = *write.getResult().use_begin();
    if (use.getOwner()->hasTrait<OpTrait::IsTerminator>())
      return true;
    write = use.getOperandNumber() == 0 ? dyn_cast<nd::SetRowOp>(use.getOwner()) : nullptr;
    isInStraightLine = write && write->getBlock() == op->getBlock();
  }
  return false;
}

// The write of a row of the value, if it is one of those; null otherwise.
static nd::SetRowOp updateOf(Value rows) {
  for (OpOperand &use : rows.getUses())
    if (use.getOperandNumber() == 0 && isUpdateOfOutput(use.getOwner()))
      return cast<nd::SetRowOp>(use.getOwner());
  return nullptr;
}

Value afterUpdates(Value value) {
  for (nd::SetRowOp next = updateOf(value); next && value.hasOneUse(); next = updateOf(value))
    value = next.getResult();
  return value;
}

// Whether all other ops that look at an input are done with it before the writes, which come last.
// Views of it are not, nor are loops and branches, which may hand it on; but rows are copied.
static bool isReadBefore(nd::SetRowOp write, BlockArgument input) {
  return llvm::all_of(input.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user == write)
      return use.getOperandNumber() == 0;
    return user->getBlock() == write->getBlock() && !user->hasTrait<OpTrait::IsTerminator>() &&
           user->getNumRegions() == 0 && !isUpdateOfOutput(user) &&
           (isa<nd::RowOp>(user) || !user->hasTrait<ViewsOperand>());
  });
}

BlockArgument updatedInput(Value output) {
  auto write = output.getDefiningOp<nd::SetRowOp>();
  if (!write || !isUpdateOfOutput(write))
    return nullptr;
  while (auto before = write.getRows().getDefiningOp<nd::SetRowOp>()) {
    if (!isUpdateOfOutput(before))
      return nullptr;
    write = before;
  }
  auto input = dyn_cast<BlockArgument>(write.getRows());
  return input && isReadBefore(write, input) ? input : nullptr;
}

bool isWrittenInPlace(Value rows, const FusionPlan &fusion) {
  return llvm::any_of(rows.getUsers(), [&](Operation *user) {
    auto write = dyn_cast<nd::SetRowOp>(user);
    return write && write.getRows() == rows &&
           (writesInPlace(write, fusion) || (isa<BlockArgument>(rows) && isUpdateOfOutput(write)));
  });
}

} // namespace sluice::codegen
