// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An order of accesses in which a list would not fail as its array or stack does, or would not be
// what it is. Who has such an order is asked of all containers together, so that it takes little
// time.
#include "compiler/raise/Containers.h"
#include "compiler/raise/WaitQuestions.h"

using namespace mlir;

namespace sluice::raise {

static bool closes(Operation *access) { return isa<array::CloseOp, array::StackCloseOp>(access); }

// What comes after a container has been closed fails, in whatever way it waits for that.
void Containers::checkClosed() {
  WaitQuestions questions;
  std::vector<std::pair<Container *, SmallVector<Operation *>>> asked;
  auto ask = [&](Container &container, Operation *close) {
    Block *block = close->getBlock();
    if (block != container.create->getBlock() || container.isGradient())
      return container.refuse(close, "it is closed where it was not made");
    SmallVector<Operation *> accesses(container.accesses.getArrayRef()), here;
    for (auto [source, gradient] : container.gradients)
      accesses.append(gradient->accesses.begin(), gradient->accesses.end());
    llvm::erase(accesses, close);
    for (Operation *access : accesses) {
      if (closes(access))
        return container.refuse(access, "it comes after it has been closed");
      here.push_back(block->findAncestorOpInBlock(*access));
    }
    questions.ask(block, close, here);
    asked.push_back({&container, std::move(accesses)});
  };
  for (const auto &container : all_)
    for (Operation *access : container->accesses)
      if (closes(access) && container->obstacle.empty())
        ask(*container, access);
  for (auto [about, late] : llvm::zip_equal(asked, questions.answer()))
    if (late)
      about.first->refuse(about.second[*late], "it comes after it has been closed");
}

namespace {

// Accesses to one array in a block, or inside of ops of that block.
struct Accesses {
  Container *array;
  Block *block;
  SmallVector<Operation *> grads, writes;

  SmallVector<Operation *> inBlock(ArrayRef<Operation *> ops) const {
    return llvm::map_to_vector(ops,
                               [&](Operation *op) { return block->findAncestorOpInBlock(*op); });
  }
};

// Those in each region of a branch, and in each loop, that has both kinds.
std::vector<Accesses> accessesInside(const Accesses &outer) {
  llvm::MapVector<Region *, Accesses> inside;
  auto add = [&](ArrayRef<Operation *> ops, SmallVector<Operation *> Accesses::*kind) {
    for (Operation *op : ops) {
      Region *region = op->getParentRegion();
      if (op->getBlock() == outer.block)
        continue;
      while (region->getParentOp()->getBlock() != outer.block)
        region = region->getParentOp()->getParentRegion();
      if (isa<flow::WhileOp>(region->getParentOp()))
        region = &region->getParentOp()->getRegion(0);
      (inside[region].*kind).push_back(op);
    }
  };
  add(outer.grads, &Accesses::grads);
  add(outer.writes, &Accesses::writes);
  std::vector<Accesses> both;
  for (auto &[region, accesses] : inside)
    if (!accesses.grads.empty() && !accesses.writes.empty())
      both.push_back({outer.array, &region->front(), accesses.grads, accesses.writes});
  return both;
}

} // namespace

// A gradient array is as its array was when it was made, and from then on the array cannot grow. A
// list of zeros is made where it is needed first. So nothing may be written after somebody has
// asked, nor in the same loop, where that may be in the next iteration.
void Containers::checkGradients() {
  std::vector<Accesses> level;
  for (const auto &container : all_) {
    Accesses accesses{container.get(), container->create->getBlock(), {}, {}};
    for (Operation *access : container->accesses)
      if (isa<array::GradOp>(access))
        accesses.grads.push_back(access);
      else if (isa<array::WriteOp, array::ScatterOp, array::SplitOp>(access))
        accesses.writes.push_back(access);
    if (!container->isGradient() && !accesses.grads.empty() && !accesses.writes.empty())
      level.push_back(std::move(accesses));
  }
  while (!level.empty()) { // of regions, from without to within
    WaitQuestions questions;
    for (const Accesses &accesses : level)
      questions.ask(accesses.block, accesses.inBlock(accesses.grads),
                    accesses.inBlock(accesses.writes));
    std::vector<Accesses> next;
    for (auto [accesses, late] : llvm::zip_equal(level, questions.answer())) {
      if (late)
        accesses.array->refuse(accesses.writes[*late],
                               "it may write after a gradient array has been made");
      for (Accesses &inside : accessesInside(accesses))
        if (isa<flow::WhileOp>(inside.block->getParentOp()))
          inside.array->refuse(inside.writes.front(),
                               "it may write after a gradient array has been made");
        else
          next.push_back(std::move(inside));
    }
    level = std::move(next);
  }
}

} // namespace sluice::raise
