// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who sets and reads no element twice.
//
// A loop does not if it carries the list and the index is a counter, or what it pops of a stack to
// which another loop has pushed its counter, as loops of derivatives do.
#include "compiler/codegen/SetOnce.h"

#include "dialects/flow/LoopCounters.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::codegen {

// The loop whose body the op is in, if the list that it changes is carried from there to there, and
// where: each iteration does it once, to what the one before has left.
static std::optional<unsigned> carriedBy(Operation *op, flow::WhileOp &loop) {
  loop = dyn_cast<flow::WhileOp>(op->getParentOp());
  if (!loop || op->getBlock() != &loop.getBody().front())
    return std::nullopt;
  std::optional<unsigned> position = flow::carriedPosition(op->getOperand(0), loop);
  if (!position || flow::originOf(op->getBlock()->getTerminator()->getOperand(*position)) !=
                       op->getResults().back())
    return std::nullopt;
  return position;
}

static bool isCounter(Value value, flow::WhileOp loop) {
  return loop && flow::counterOf(value, loop).has_value();
}

// Whether the op is the only one in its loop to do anything to the strand.
static bool isAlone(Operation *op, flow::WhileOp loop, const Strand &strand) {
  return llvm::all_of(strand.ops, [&](Operation *other) {
    return other == op || isa<flow::GateOp, flow::AfterOp>(other) || !loop->isAncestor(other);
  });
}

// Whether nobody looks at the elements of the list, nor of what it becomes by being handed on.
static bool isForgotten(Value list, llvm::DenseSet<Value> &seen) {
  if (!seen.insert(list).second)
    return true;
  auto areForgotten = [&](ArrayRef<Value> lists) {
    return llvm::all_of(lists, [&](Value one) { return isForgotten(one, seen); });
  };
  return llvm::all_of(list.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    unsigned number = use.getOperandNumber();
    if (auto gate = dyn_cast<flow::GateOp>(user))
      return areForgotten({gate.getResult()});
    if (auto loop = dyn_cast<flow::WhileOp>(user)) {
      auto carried = static_cast<unsigned>(loop.getInits().size());
      Value before = loop.getBefore().front().getArgument(number);
      if (number < carried)
        return areForgotten({before});
      return areForgotten(
          {before, loop.getBody().front().getArgument(loop.getNumResults() + number - carried)});
    }
    auto loop = dyn_cast<flow::WhileOp>(user->getParentOp());
    if (loop && isa<flow::ConditionOp>(user))
      return number > 0 && areForgotten({loop.getBody().front().getArgument(number - 1),
                                         loop.getResult(number - 1)});
    if (loop && isa<flow::YieldOp>(user))
      return areForgotten({loop.getBefore().front().getArgument(number)});
    return isa<flow::AfterOp, list::ZerosLikeOp, list::LengthOp>(user);
  });
}
static bool isForgotten(Value list) {
  llvm::DenseSet<Value> seen;
  return isForgotten(list, seen);
}

bool SetOnce::holds(list::SetOp set) const {
  flow::WhileOp loop;
  std::optional<unsigned> position = carriedBy(set, loop);
  return position && isCounter(set.getIndex(), loop) && isAlone(set, loop, strand_) &&
         flow::originOf(loop.getInits()[*position]).getDefiningOp<list::MakeOp>();
}

bool SetOnce::setsAll(list::ScatterOp scatter) const {
  Operation *from = flow::originOf(scatter.getList()).getDefiningOp();
  bool isEmpty = scatter.getAccumulate() ? isa_and_present<list::ZerosLikeOp>(from)
                                         : isa_and_present<list::MakeOp>(from);
  auto type = dyn_cast<RankedTensorType>(scatter.getValue().getType());
  return isEmpty && count_ >= 0 && !scatter.getGrow() && areAll(scatter.getIndices()) && type &&
         type.getRank() > 0 && type.getDimSize(0) == count_;
}

bool SetOnce::holds(list::GetOp get, bool &allAreSet) const {
  flow::WhileOp loop;
  std::optional<unsigned> position = carriedBy(get, loop);
  if (!position || !isAlone(get, loop, strand_))
    return false;
  for (auto [result, forwarded] :
       llvm::zip_equal(loop.getResults(),
                       cast<flow::ConditionOp>(loop.getBefore().front().back()).getForwarded()))
    if (flow::carriedPosition(forwarded, loop) == position && !isForgotten(result))
      return false;
  auto scatter = flow::originOf(loop.getInits()[*position]).getDefiningOp<list::ScatterOp>();
  allAreSet = scatter && setsAll(scatter);
  return (isCounter(get.getIndex(), loop) && !get.getBeyond()) ||
         isPopOfCounter(get.getIndex(), loop, /*isSetThere=*/get.getBeyond());
}

bool SetOnce::takesAll(list::GatherOp gather) const {
  return !gather.getBeyond() && areAll(gather.getIndices()) &&
         (!gather.getClear() || isForgotten(gather.getResult()));
}

bool SetOnce::haveOneLength() const {
  return count_ >= 0 ||
         strand_.all<list::MakeOp>().size() + strand_.all<list::UnstackOp>().size() == 1;
}

// 0, 1 and so on to the number of elements.
bool SetOnce::areAll(Value indices) const {
  Operation *op = flow::originOf(indices).getDefiningOp();
  if (auto range = dyn_cast_or_null<nd::RangeOp>(op)) {
    auto length = flow::originOf(range.getLimit()).getDefiningOp<list::LengthOp>();
    std::optional<int64_t> limit = flow::constantInt(range.getLimit());
    return flow::constantInt(range.getStart()) == 0 && flow::constantInt(range.getDelta()) == 1 &&
           ((length && strandOf_(length.getList()) == &strand_ && haveOneLength()) ||
            (limit && *limit == count_));
  }
  auto constant = dyn_cast_or_null<nd::ConstantOp>(op);
  auto numbers = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  if (!numbers || numbers.getNumElements() != count_)
    return false;
  int64_t next = 0;
  return llvm::all_of(numbers,
                      [&](const APInt &number) { return number.getSExtValue() == next++; });
}

// With `isSetThere` the loop that has pushed the number has also set an element of this list there,
// so there is one.
bool SetOnce::isPopOfCounter(Value index, flow::WhileOp loop, bool isSetThere) const {
  auto pop = flow::originOf(index).getDefiningOp<list::PopOp>();
  flow::WhileOp popping, pushing;
  if (!pop || !carriedBy(pop, popping) || popping != loop)
    return false;
  const Strand *stack = strandOf_(pop.getList());
  if (!stack || stack->all<list::PushOp>().size() != 1 || stack->all<list::MakeOp>().size() != 1 ||
      flow::constantInt(stack->all<list::MakeOp>()[0].getSize()) != 0)
    return false;
  list::PushOp push = stack->all<list::PushOp>()[0];
  if (!carriedBy(push, pushing) || !isCounter(push.getValue(), pushing))
    return false;
  return !isSetThere ||
         (haveOneLength() && llvm::any_of(strand_.all<list::SetOp>(), [&](list::SetOp set) {
            return set->getBlock() == push->getBlock() &&
                   flow::isSame(set.getIndex(), push.getValue());
          }));
}

} // namespace sluice::codegen
