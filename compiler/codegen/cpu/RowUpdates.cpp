// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes of rows that need no copy of the array.
#include "compiler/codegen/cpu/RowUpdates.h"

#include "compiler/codegen/cpu/BufferViews.h"
#include "compiler/codegen/cpu/Held.h"

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

bool writesInPlace(nd::SetRowOp op, const FusionPlan &fusion) {
  Block *body = op->getBlock();
  auto loop = dyn_cast<flow::WhileOp>(body->getParentOp());
  std::optional<unsigned> position = loop ? carriedPosition(loop, op.getRows()) : std::nullopt;
  ValueRange yielded = body->getTerminator()->getOperands();
  if (!position || yielded[*position] != op.getResult() ||
      llvm::count(yielded, op.getResult()) != 1)
    return false;
  // Nothing may look at the old rows afterwards; reads of single rows copy them.
  ArrayRef<Operation *> order = fusion.order(*body);
  auto self = llvm::find(order, op.getOperation());
  return llvm::all_of(op.getRows().getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user == op)
      return use.getOperandNumber() == 0;
    return (isa<nd::RowOp>(user) || user->hasTrait<AsksShape>()) &&
           std::find(order.begin(), self, user) != self;
  });
}

Value updatedResult(flow::WhileOp loop, unsigned position, const FusionPlan &fusion) {
  Value yielded = loop.getBody().front().getTerminator()->getOperand(position);
  auto write = yielded.getDefiningOp<nd::SetRowOp>();
  if (!write || write->getBlock() != &loop.getBody().front() || !writesInPlace(write, fusion))
    return nullptr;
  return loop.getResult(cast<BlockArgument>(write.getRows()).getArgNumber());
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
