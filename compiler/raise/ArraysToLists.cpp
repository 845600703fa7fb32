// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass raise-arrays-to-lists: arrays and stacks of which everything is in sight become lists.
//
// A list goes from access to access in an order in which the graph allows them to happen: into and
// out of branches, round loops. So what was an effect becomes a computation, and what ordered the
// effects is no longer needed.
#include "compiler/raise/AccessOrder.h"
#include "compiler/raise/Carried.h"
#include "compiler/raise/Containers.h"
#include "compiler/raise/ListAccess.h"
#include "compiler/raise/Passes.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/state/State.h"
#include "dialects/wire/Restructure.h"

using namespace mlir;

namespace sluice::raise {
#define GEN_PASS_DEF_RAISEARRAYSTOLISTS
#include "compiler/raise/Passes.h.inc"
} // namespace sluice::raise

namespace {

using namespace sluice;
using raise::Container;
using raise::Containers;

// The lists at some point of a block.
using Lists = llvm::MapVector<Container *, Value>;

class Threading {
public:
  Threading(flow::TokenGraph graph, const Containers &containers)
      : containers_(containers), order_(flow::operandsFirst(graph)) {
    for (const auto &container : containers.all()) {
      if (!container->obstacle.empty())
        continue;
      if (!container->isGradient())
        created_[container->create] = container.get();
      for (Operation *access : container->accesses)
        for (Operation *around = access->getParentOp(); !isa<flow::TokenGraph>(around);
             around = around->getParentOp())
          inside_[around].insert(container.get());
    }
    isObserved_ =
        raise::ordersMoreThanAccesses(containers, order_, [&](Operation *op, Container *container) {
          auto it = inside_.find(op);
          return it != inside_.end() && it->second.contains(container);
        });
  }

  void run() {
    if (created_.empty())
      return;
    Lists lists;
    thread(order_, lists);
    for (Operation *op : llvm::reverse(gone_)) {
      for (Value result : op->getResults())
        dropCaptures(result);
      op->erase();
    }
  }

private:
  void thread(ArrayRef<Operation *> ops, Lists &lists) {
    for (Operation *op : ops) {
      if (Container *made = created_.lookup(op)) {
        lists[made] = raise::makeList(*made, isObserved_);
        gone_.push_back(op);
      } else if (Container *accessed = containers_.accessedBy(op)) {
        ensureGradients(op, {accessed}, lists);
        if (auto grad = dyn_cast<array::GradOp>(op))
          waitForGrad(grad, *accessed, lists);
        lists[accessed] =
            raise::rewriteAccess(op, *accessed, listOf(*accessed, lists), isObserved_);
        if (!isa<state::ReadOp>(op))
          gone_.push_back(op);
      } else if (inside_.contains(op)) {
        // Only those that were there before: others are made and used up inside.
        SmallVector<Container *> needed(inside_[op].begin(), inside_[op].end());
        ensureGradients(op, needed, lists);
        llvm::erase_if(needed, [&](Container *one) { return !lists.contains(one); });
        if (auto loop = dyn_cast<flow::WhileOp>(op))
          threadLoop(loop, needed, lists);
        else
          threadBranch(cast<flow::CondOp>(op), needed, lists);
      }
    }
  }

  static SmallVector<Operation *> opsOf(Region &region) {
    return llvm::map_to_vector(region.front().without_terminator(),
                               [](Operation &op) { return &op; });
  }

  Value listOf(Container &container, Lists &lists) {
    assert(lists.contains(&container) && "expected a list that has been made");
    return lists[&container];
  }

  // The first access to a gradient array makes it, of what its array is then.
  void ensureGradients(Operation *before, ArrayRef<Container *> containers, Lists &lists) {
    for (Container *container : containers)
      if (container->isGradient() && !lists.contains(container) &&
          lists.contains(container->forward))
        lists[container] = raise::makeGradient(before, lists[container->forward]);
  }

  // What reaches a gradient array through an op that asks for it waits for what that op waits for.
  void waitForGrad(array::GradOp grad, const Container &forward, Lists &lists) {
    Container *gradient = forward.gradients.lookup(grad.getSourceAttr());
    bool waits = isObserved_ || !grad.getAfter().empty();
    if (!waits || gradient->accesses.empty())
      return;
    ensureGradients(grad, {gradient}, lists);
    auto it = lists.find(gradient); // none if it is used elsewhere only, not through this op
    if (it != lists.end())
      it->second = raise::afterGrad(grad, it->second, isObserved_);
  }

  void threadLoop(flow::WhileOp loop, ArrayRef<Container *> needed, Lists &lists) {
    SmallVector<Value> inits =
        llvm::map_to_vector(needed, [&](Container *one) { return listOf(*one, lists); });
    unsigned carried = loop.getInits().size(), results = loop.getNumResults();
    loop = wire::carryMore(loop, inits);
    Lists inner;
    for (auto [i, one] : llvm::enumerate(needed))
      inner[one] = loop.getBefore().getArgument(carried + i);
    thread(opsOf(loop.getBefore()), inner);
    append(loop.getBefore().front().getTerminator(), needed, inner);
    for (auto [i, one] : llvm::enumerate(needed))
      inner[one] = loop.getBody().getArgument(results + i);
    thread(opsOf(loop.getBody()), inner);
    append(loop.getBody().front().getTerminator(), needed, inner);
    for (auto [i, one] : llvm::enumerate(needed))
      lists[one] = loop.getResult(results + i);
  }

  void threadBranch(flow::CondOp branch, ArrayRef<Container *> needed, Lists &lists) {
    SmallVector<Value> values =
        llvm::map_to_vector(needed, [&](Container *one) { return listOf(*one, lists); });
    unsigned captures = branch.getCaptures().size(), results = branch.getNumResults();
    branch = wire::carryMore(branch, values);
    for (Region &region : branch->getRegions()) {
      Lists inner;
      for (auto [i, one] : llvm::enumerate(needed))
        inner[one] = region.getArgument(captures + i);
      thread(opsOf(region), inner);
      append(region.front().getTerminator(), needed, inner);
    }
    for (auto [i, one] : llvm::enumerate(needed))
      lists[one] = branch.getResult(results + i);
  }

  void append(Operation *terminator, ArrayRef<Container *> needed, Lists &lists) {
    for (Container *one : needed)
      terminator->insertOperands(terminator->getNumOperands(), listOf(*one, lists));
  }

  // The handle, or what an access has given, is brought into regions for nothing.
  static void dropCaptures(Value value) {
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses()))
      if (raise::isCapture(use)) {
        for (Value inside : raise::carriedTo(use))
          dropCaptures(inside);
        raise::dropCapture(use.getOwner(), use.getOperandNumber());
      }
  }

  const Containers &containers_;
  std::vector<Operation *> order_;
  llvm::MapVector<Operation *, Container *> created_;
  llvm::DenseMap<Operation *, llvm::SetVector<Container *>> inside_;
  SmallVector<Operation *> gone_;
  bool isObserved_ = false;
};

struct RaiseArraysToLists
    : flow::GraphPass<raise::impl::RaiseArraysToListsBase<RaiseArraysToLists>> {
  using GraphPass::GraphPass;

  void runOnGraph(flow::TokenGraph graph) override {
    Containers containers(graph);
    for (const auto &container : containers.all()) {
      bool stays = !container->obstacle.empty();
      if (stays && explain && !container->isGradient())
        container->create->emitRemark("stays as it is: ") << container->obstacle;
      ++(stays ? numContainers : numLists);
    }
    Threading(graph, containers).run();
  }
};

} // namespace
