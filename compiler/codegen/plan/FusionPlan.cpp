// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elementwise ops on buffers become one loop, and in which order a block is emitted.
#include "compiler/codegen/plan/FusionPlan.h"

#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/plan/Held.h"
#include "compiler/codegen/plan/RowUpdates.h"
#include "dialects/nd/Nd.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

#include <queue>

using namespace mlir;

namespace sluice::codegen {

SmallVector<unsigned> elementOperands(Operation *op) {
  if (op->hasTrait<RepeatsElements>())
    return cast<MoveOp>(op).getDataOperands();
  return llvm::to_vector(llvm::seq(0u, op->getNumOperands()));
}

bool isBufferElementwise(Operation *op) {
  if (!op->hasTrait<RepeatsElements>() && !canEmitElement(op))
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && !isInRegister(type);
}

namespace {

// Longer bodies have more live values than there are registers.
constexpr size_t kMostMembers = 48;

// A graph of steps, each a group or an op alone, which grows op by op in the order of the block.
class StepGraph {
public:
  StepGraph(Block &block, const ShapeSymbols &shapes) : shapes_(shapes) {
    for (Operation &op : block.without_terminator())
      add(&op);
    for (Operation &op : block.without_terminator())
      waitForReads(&op);
  }

  // Steps in an order in which each comes after those that it uses, else as they were.
  SmallVector<FusionGroup> sorted() const {
    SmallVector<size_t> waits(steps_.size(), 0);
    SmallVector<SmallVector<size_t>> users(steps_.size());
    for (auto [i, step] : llvm::enumerate(steps_))
      for (size_t used : step.uses) {
        users[used].push_back(i);
        ++waits[i];
      }
    using Entry = std::pair<size_t, size_t>; // position of the last member, step
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    auto push = [&](size_t i) {
      if (waits[i] == 0 && !steps_[i].members.empty())
        ready.push({steps_[i].last, i});
    };
    for (size_t i = 0; i < steps_.size(); ++i)
      push(i);
    SmallVector<FusionGroup> result;
    while (!ready.empty()) {
      size_t i = ready.top().second;
      ready.pop();
      result.push_back(steps_[i].members);
      for (size_t user : users[i]) {
        --waits[user];
        push(user);
      }
    }
    return result;
  }

private:
  struct Step {
    FusionGroup members;
    llvm::SmallSetVector<size_t, 4> uses; // steps
    size_t last = 0;                      // position of the last member in the block
    bool isGroup = false;
  };

  static bool isProducerIn(Value value, Operation *user) {
    return value.getDefiningOp() && value.getDefiningOp()->getBlock() == user->getBlock();
  }
  llvm::SmallSetVector<size_t, 4> stepsUsedBy(Operation *op) const {
    llvm::SmallSetVector<size_t, 4> result;
    for (Value operand : op->getOperands())
      if (isProducerIn(operand, op))
        result.insert(stepOf_.lookup(operand.getDefiningOp()));
    return result;
  }

  // Whether `step` needs `target`, itself or through others.
  bool needs(size_t step, size_t target) const {
    SmallVector<size_t> open{step};
    llvm::SmallDenseSet<size_t> seen{step};
    while (!open.empty()) {
      size_t at = open.pop_back_val();
      if (at == target)
        return true;
      for (size_t used : steps_[at].uses)
        if (seen.insert(used).second)
          open.push_back(used);
    }
    return false;
  }

  // Whether the op can become part of a group that it uses: nothing else that it uses needs it.
  bool canJoin(Operation *op, size_t group, const llvm::SmallSetVector<size_t, 4> &used) const {
    const Step &step = steps_[group];
    if (!step.isGroup || step.members.size() >= kMostMembers ||
        !shapes_.haveSameDims(op->getResult(0), step.members.front()->getResult(0)))
      return false;
    return llvm::none_of(used, [&](size_t other) { return other != group && needs(other, group); });
  }

  // Two groups that do not need each other become one.
  void merge(size_t into, size_t from) {
    Step &to = steps_[into], &source = steps_[from];
    for (Operation *member : source.members)
      stepOf_[member] = into;
    to.members.append(source.members);
    llvm::sort(to.members, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    to.uses.insert_range(source.uses);
    to.last = std::max(to.last, source.last);
    source = Step();
    for (Step &step : steps_)
      if (step.uses.remove(from))
        step.uses.insert(into);
  }

  // Ops on cells and boxes, and what they are in, stand in the order in which they work.
  void keepOrder(Operation *op, size_t step) {
    bool usesCell = op->walk([](Operation *one) {
                        return one->hasTrait<UsesCell>() || one->hasTrait<UsesBox>()
                                   ? WalkResult::interrupt()
                                   : WalkResult::advance();
                      }).wasInterrupted();
    if (!usesCell)
      return;
    if (lastOnCell_)
      steps_[step].uses.insert(*lastOnCell_);
    lastOnCell_ = step;
  }

  // What may change its first operand in place comes behind all else that looks at it, if it can.
  void waitForReads(Operation *op) {
    if (!isa<nd::SetRowOp, nd::MatmulOntoOp>(op))
      return;
    size_t step = stepOf_.lookup(op);
    for (Operation *user : op->getOperand(0).getUsers()) {
      size_t other = stepOf_.lookup(user);
      if (user->getBlock() == op->getBlock() && !user->hasTrait<OpTrait::IsTerminator>() &&
          !needs(other, step))
        steps_[step].uses.insert(other);
    }
  }

  void add(Operation *op) {
    llvm::SmallSetVector<size_t, 4> used = stepsUsedBy(op);
    // What may fail looks at its operands in memory before it starts.
    bool canFuse = isBufferElementwise(op), canJoinOthers = canFuse && !elementCanFail(op);
    SmallVector<size_t> joined;
    for (size_t group : used)
      if (canJoinOthers && canJoin(op, group, used))
        joined.push_back(group);
    size_t step = joined.empty() ? steps_.size() : joined.front();
    if (joined.empty())
      steps_.emplace_back().isGroup = canFuse;
    for (size_t other : llvm::drop_begin(joined, joined.empty() ? 0 : 1)) {
      if (steps_[step].members.size() + steps_[other].members.size() < kMostMembers) {
        merge(step, other);
        used.remove(other);
      }
    }
    stepOf_[op] = step;
    keepOrder(op, step);
    Step &to = steps_[step];
    to.members.push_back(op);
    to.last = next_++;
    used.remove(step);
    to.uses.insert_range(used);
  }

  std::optional<size_t> lastOnCell_;
  const ShapeSymbols &shapes_;
  std::vector<Step> steps_;
  llvm::DenseMap<Operation *, size_t> stepOf_;
  size_t next_ = 0;
};

} // namespace

FusionPlan::FusionPlan(flow::CodeletOp codelet, const ShapeSymbols &shapes) {
  codelet->walk([&](Block *block) {
    if (!isa<flow::BoxRunOp>(block->getParentOp())) // not code
      plan(*block, shapes);
  });
}

void FusionPlan::plan(Block &block, const ShapeSymbols &shapes) {
  SmallVector<Operation *> &order = orders_[&block];
  SmallVector<FusionGroup> groups = StepGraph(block, shapes).sorted();
  auto add = [&](const FusionGroup &group) {
    for (Operation *op : group)
      groups_[op] = {order.size(), group.size()};
    llvm::append_range(order, group);
  };
  for (bool comesLast : {false, true})
    for (const FusionGroup &group : groups)
      if (isUpdateOfOutput(group.front()) == comesLast)
        add(group);
}

ArrayRef<Operation *> FusionPlan::order(Block &block) const {
  auto found = orders_.find(&block);
  assert(found != orders_.end() && "expected a block of the codelet");
  return found->second;
}

ArrayRef<Operation *> FusionPlan::groupOf(Operation *op) const {
  auto [begin, size] = groups_.lookup(op);
  return order(*op->getBlock()).slice(begin, size);
}

} // namespace sluice::codegen
