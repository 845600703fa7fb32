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

// Accesses to one array, and where they are in the block in which it is made.
struct Accesses {
  Container *array;
  SmallVector<Operation *> grads, writes;

  SmallVector<Operation *> inBlock(ArrayRef<Operation *> ops) const {
    Block *block = array->create->getBlock();
    return llvm::map_to_vector(ops,
                               [&](Operation *op) { return block->findAncestorOpInBlock(*op); });
  }

  // A write in the branch or loop in which somebody asks for a gradient array.
  Operation *writeBesideGrad() const {
    llvm::DenseSet<Region *> asked;
    for (Operation *grad : grads)
      if (Region *region = regionOf(grad))
        asked.insert(region);
    for (Operation *write : writes)
      if (asked.contains(regionOf(write)))
        return write;
    return nullptr;
  }

private:
  // The outermost one around an op that the array is brought into; a loop's are as one.
  Region *regionOf(Operation *op) const {
    Region *region = op->getParentRegion(), *outer = array->create->getParentRegion();
    if (region == outer)
      return nullptr;
    while (region->getParentRegion() != outer)
      region = region->getParentRegion();
    return isa<flow::WhileOp>(region->getParentOp()) ? &region->getParentOp()->getRegion(0)
                                                     : region;
  }
};

} // namespace

// A gradient array is as its array was when it was made, and from then on the array cannot grow. A
// list of zeros is made where it is needed first, in the block in which the array is made. So
// nothing may be written after somebody has asked, nor where somebody asks within a branch or loop:
// the list is made before that.
void Containers::checkGradients() {
  WaitQuestions questions;
  std::vector<Accesses> asked;
  auto refuse = [](Container *array, Operation *write) {
    array->refuse(write, "it may write after a gradient array has been made");
  };
  for (const auto &container : all_) {
    Accesses accesses{container.get(), {}, {}};
    for (Operation *access : container->accesses)
      if (isa<array::GradOp>(access))
        accesses.grads.push_back(access);
      else if (isa<array::WriteOp, array::ScatterOp, array::SplitOp>(access))
        accesses.writes.push_back(access);
    if (container->isGradient() || accesses.grads.empty() || accesses.writes.empty())
      continue;
    if (Operation *write = accesses.writeBesideGrad()) {
      refuse(container.get(), write);
      continue;
    }
    questions.ask(container->create->getBlock(), accesses.inBlock(accesses.grads),
                  accesses.inBlock(accesses.writes));
    asked.push_back(std::move(accesses));
  }
  for (auto [accesses, late] : llvm::zip_equal(asked, questions.answer()))
    if (late)
      refuse(accesses.array, accesses.writes[*late]);
}

} // namespace sluice::raise
