// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the ops that use a list, the one that changes it comes last.
#include "compiler/codegen/ListOrder.h"

#include "dialects/list/List.h"

#include <queue>

using namespace mlir;

namespace sluice::codegen {

static bool isList(Value value) { return isa<list::OfType>(value.getType()); }

// Whether the value is looked at for the last time by this use.
bool changesList(OpOperand &use) {
  Operation *user = use.getOwner();
  unsigned position = use.getOperandNumber();
  auto areLooks = [](Value argument) { return llvm::none_of(argument.getUses(), changesList); };
  if (auto loop = dyn_cast<flow::WhileOp>(user)) {
    unsigned inits = loop.getInits().size();
    return position < inits || !areLooks(loop.getBefore().getArgument(position)) ||
           !areLooks(loop.getBody().getArgument(loop.getNumResults() + position - inits));
  }
  if (auto branch = dyn_cast<flow::CondOp>(user); branch && position > 0)
    return llvm::any_of(branch->getRegions(), [&](Region &region) {
      return !areLooks(region.getArgument(position - 1));
    });
  return !list::onlyLooks(user);
}

using Predecessors = DenseMap<Operation *, SmallVector<Operation *>>;

// In the order of their places, but each op behind what it uses and `before` wants ahead of it.
// Where there is no such order, all stay.
static void sortOps(Block &block, const Predecessors &before) {
  std::vector<Operation *> ops;
  DenseMap<Operation *, unsigned> places;
  for (Operation &op : block.without_terminator()) {
    places[&op] = static_cast<unsigned>(ops.size());
    ops.push_back(&op);
  }
  std::vector<SmallVector<unsigned, 2>> followers(ops.size());
  std::vector<unsigned> numOpen(ops.size());
  auto follow = [&](Operation *first, unsigned second) {
    auto place = first ? places.find(first) : places.end();
    if (place == places.end())
      return;
    followers[place->second].push_back(second);
    ++numOpen[second];
  };
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned i = 0; i < ops.size(); ++i) {
    for (Value operand : ops[i]->getOperands())
      follow(operand.getDefiningOp(), i);
    for (Operation *first : before.lookup(ops[i]))
      follow(first, i);
    if (numOpen[i] == 0)
      ready.push(i);
  }
  std::vector<Operation *> sorted;
  while (!ready.empty()) {
    unsigned next = ready.top();
    ready.pop();
    sorted.push_back(ops[next]);
    for (unsigned follower : followers[next])
      if (--numOpen[follower] == 0)
        ready.push(follower);
  }
  if (sorted.size() == ops.size())
    for (Operation *op : sorted)
      op->moveBefore(block.getTerminator());
}

// Looks at a list come before the op that changes it.
static void orderLooks(Block &block) {
  Predecessors looks;
  auto orderUses = [&](Value list) {
    if (!isList(list))
      return;
    Operation *last = nullptr;
    for (OpOperand &use : list.getUses())
      last = changesList(use) ? use.getOwner() : last;
    for (OpOperand &use : list.getUses())
      if (last && use.getOwner() != last && !changesList(use))
        looks[last].push_back(use.getOwner());
  };
  for (BlockArgument argument : block.getArguments())
    orderUses(argument);
  for (Operation &op : block)
    for (Value result : op.getResults())
      orderUses(result);
  bool areBehind = llvm::any_of(looks, [&](auto &entry) {
    return llvm::any_of(entry.second,
                        [&](Operation *look) { return entry.first->isBeforeInBlock(look); });
  });
  if (areBehind)
    sortOps(block, looks);
}

void orderLooks(flow::CodeletOp codelet) {
  auto boxes = codelet.getBody().walk(
      [](flow::BoxRunOp) { return WalkResult::interrupt(); }); // these have an order of their own
  if (!boxes.wasInterrupted())
    codelet.getBody().walk([](Block *block) { orderLooks(*block); });
}

} // namespace sluice::codegen
