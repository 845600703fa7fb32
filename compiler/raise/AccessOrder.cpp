// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list waits for all that was done with its array before, and for nothing else. So a scalar that
// an access takes says nothing new if it comes from accesses to the same array, by whatever way.
#include "compiler/raise/AccessOrder.h"

#include "compiler/raise/Carried.h"
#include "compiler/raise/ListAccess.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/nd/Nd.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::raise {

namespace {

using GoesThrough = llvm::function_ref<bool(Operation *, Container *)>;

// The operand that orders an access; null for one that has none, as those of stacks.
OpOperand *flowOperandOf(Operation *access) {
  return llvm::TypeSwitch<Operation *, OpOperand *>(access)
      .Case<array::WriteOp, array::ScatterOp, array::SplitOp, array::ReadOp, array::GatherOp,
            array::ConcatOp, array::SizeOp, array::GradOp>(
          [](auto op) { return &op.getFlowMutable(); })
      .Default([](Operation *) { return nullptr; });
}

// What waits for the scalars: whether that is anything but accesses to lists.
bool isLookedAt(const Containers &containers) {
  llvm::SetVector<Value> flows;
  auto addFlows = [&](Operation *op) {
    for (Value result : op->getResults())
      if (isFlowOf(op, result))
        flows.insert(result);
  };
  for (const auto &container : containers.all())
    if (container->obstacle.empty()) {
      addFlows(container->create);
      llvm::for_each(container->accesses, addFlows);
    }
  for (size_t i = 0; i < flows.size(); ++i)
    for (OpOperand &use : flows[i].getUses()) {
      Operation *op = use.getOwner();
      SmallVector<Value> next = carriedTo(use);
      if (auto sum = dyn_cast<nd::AddOp>(op))
        next.push_back(sum.getResult());
      bool isWalkedOn = !next.empty() || op->hasTrait<OpTrait::IsTerminator>();
      bool orders = containers.accessedBy(op) && &use == flowOperandOf(op);
      if (!isWalkedOn && !orders)
        return true;
      flows.insert(next.begin(), next.end());
    }
  return false;
}

// What the scalars wait for, which is followed backwards from the accesses of one list after the
// other. It ends where two lists wait for the same, unless they are those of one array and its
// gradient arrays: so each value is looked at once for each of these, of which there are few.
class Origins {
public:
  Origins(const Containers &containers, ArrayRef<Operation *> order, GoesThrough goesThrough)
      : containers_(containers), goesThrough_(goesThrough) {
    for (Operation *op : order)
      position_.try_emplace(op, position_.size());
  }

  bool areElsewhere() {
    return llvm::any_of(containers_.all(), [&](const std::unique_ptr<Container> &container) {
      return container->obstacle.empty() && !isKept(*container);
    });
  }

private:
  // Whether the list waits for all that the scalars of its accesses wait for.
  bool isKept(Container &container) {
    list_ = &container;
    first_ = nullptr;
    if (container.isGradient())
      findFirst();
    for (Operation *access : container.accesses)
      if (OpOperand *flow = flowOperandOf(access); flow && !isa<array::GradOp>(access))
        path_.push_back(flow->get());
    while (!path_.empty())
      if (!isKept(path_.pop_back_val()))
        return false;
    return true;
  }

  // A gradient array starts as what its array is before the first op that is about it, so the list
  // waits for what came before that, too.
  void findFirst() {
    auto add = [&](Operation *op) {
      op = inBlock(op);
      if (!first_ || comesBefore(op, first_))
        first_ = op;
    };
    llvm::for_each(list_->accesses, add);
    for (Operation *access : list_->forward->accesses)
      if (auto grad = dyn_cast<array::GradOp>(access); grad && isOfList(grad)) {
        add(grad);
        path_.push_back(grad.getFlow()); // for which waits who has the handle from here
      }
  }

  static const Container *familyOf(const Container *list) {
    return list->isGradient() ? list->forward : list;
  }
  bool isOfList(array::GradOp grad) const {
    return list_->isGradient() && list_->handles.contains(grad.getGradient());
  }
  Operation *inBlock(Operation *op) const {
    return list_->create->getBlock()->findAncestorOpInBlock(*op);
  }
  bool comesBefore(Operation *a, Operation *b) const {
    auto it = position_.find(a), other = position_.find(b);
    bool isInGraph = it != position_.end() && other != position_.end();
    return isInGraph ? it->second < other->second : a->isBeforeInBlock(b);
  }
  // Whether the list waits for what an op does with its array, or has done when it ends.
  bool isBeforeFirst(Operation *op) const {
    op = first_ ? inBlock(op) : nullptr;
    return op && comesBefore(op, first_);
  }
  bool isOwn(Operation *access) const {
    Container *accessed = containers_.accessedBy(access);
    return accessed == list_ || access == list_->create ||
           (list_->isGradient() && accessed == list_->forward && isBeforeFirst(access));
  }
  bool isOnWay(Operation *structured) const {
    return goesThrough_(structured, list_) ||
           (list_->isGradient() && goesThrough_(structured, list_->forward) &&
            isBeforeFirst(structured));
  }

  bool isKept(Value value) {
    if (flow::isConstantLike(value))
      return true;
    if (Operation *op = value.getDefiningOp(); op && isOwn(op) && !isa<array::GradOp>(op))
      return true;
    Container *&seenFor = seenFor_[value];
    if (seenFor == list_)
      return true;
    if (seenFor && familyOf(seenFor) != familyOf(list_))
      return false;
    seenFor = list_;
    return isOriginKept(value);
  }

  // The same of one that is no access to the array.
  bool isOriginKept(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return isKept(argument);
    Operation *op = value.getDefiningOp();
    return llvm::TypeSwitch<Operation *, bool>(op)
        // Whoever asks for a gradient array waits for more than the array does.
        .Case([&](array::GradOp grad) {
          return (isOwn(grad) || isOfList(grad)) && push(grad.getFlow());
        })
        .Case([&](nd::AddOp add) { return push(add.getLhs()) && push(add.getRhs()); })
        .Case([&](flow::GateOp gate) { return push(gate.getValue()) && push(gate.getTokens()); })
        .Case([&](flow::JoinOp join) { return push(join.getTokens()); })
        .Case([&](flow::AfterOp after) { return push(after.getValue()); })
        .Case<flow::WhileOp, flow::CondOp>([&](auto structured) {
          return isOnWay(structured) && push(comingOut(cast<OpResult>(value)));
        })
        .Default([](Operation *) { return false; });
  }

  // What a value inside of a branch or loop is elsewhere.
  bool isKept(BlockArgument argument) {
    Operation *op = argument.getOwner()->getParentOp();
    unsigned number = argument.getArgNumber();
    if (auto cond = dyn_cast<flow::CondOp>(op))
      return push(cond.getCaptures()[number]);
    auto loop = dyn_cast<flow::WhileOp>(op);
    if (!loop)
      return false;
    bool isBefore = argument.getOwner()->getParent() == &loop.getBefore();
    unsigned own = isBefore ? loop.getInits().size() : loop.getNumResults();
    if (number >= own)
      return push(loop.getCaptures()[number - own]);
    if (!isBefore)
      return push(comingOut(loop->getResult(number)));
    return push(loop.getInits()[number]) &&
           push(loop.getBody().front().getTerminator()->getOperand(number));
  }

  // What a region's end makes of the result of a branch or loop.
  SmallVector<Value> comingOut(OpResult result) const {
    unsigned number = result.getResultNumber();
    if (auto loop = dyn_cast<flow::WhileOp>(result.getOwner()))
      return {loop.getBefore().front().getTerminator()->getOperand(number + 1)};
    auto cond = cast<flow::CondOp>(result.getOwner());
    return {cond.getOnTrue().front().getTerminator()->getOperand(number),
            cond.getOnFalse().front().getTerminator()->getOperand(number)};
  }

  bool push(ValueRange values) {
    path_.append(values.begin(), values.end());
    return true;
  }

  const Containers &containers_;
  GoesThrough goesThrough_;
  llvm::DenseMap<Operation *, unsigned> position_;
  llvm::DenseMap<Value, Container *> seenFor_;
  Container *list_ = nullptr;
  Operation *first_ = nullptr; // of a gradient array: in the block in which its array is made
  SmallVector<Value> path_;
};

} // namespace

bool ordersMoreThanAccesses(const Containers &containers, ArrayRef<Operation *> order,
                            GoesThrough goesThrough) {
  return isLookedAt(containers) || Origins(containers, order, goesThrough).areElsewhere();
}

} // namespace sluice::raise
