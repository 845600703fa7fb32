// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk along the uses, starting from every enter that is not constant.
#include "dialects/flow/FirstIterationAnalysis.h"

using namespace mlir;

namespace sluice::flow {

FirstIterationAnalysis::FirstIterationAnalysis(TokenGraph graph, const FrameAnalysis &frames)
    : frames_(frames) {
  for (auto enter : graph.getBody().getOps<EnterOp>())
    if (!enter.getConstant()) {
      once_.insert(enter);
      for (OpOperand &use : enter->getUses())
        if (isa<MergeOp>(use.getOwner())) // one of another device gets an enter of its own
          open(use, enter.getFrame());
        else
          reach(use, enter.getFrame());
    }
  while (!open_.empty()) {
    auto [op, frame] = open_.back();
    open_.pop_back();
    visit(op, frame);
  }
}

// A merge takes whatever comes, but waits for all of its tokens.
bool FirstIterationAnalysis::firesOnce(OpOperand &use) {
  auto merge = dyn_cast<MergeOp>(use.getOwner());
  if (!merge || isa<TokenType>(use.get().getType()))
    return true;
  auto [it, isNew] = missing_.try_emplace(merge, 0);
  if (isNew)
    it->second =
        llvm::count_if(merge.getValues(), [](Value value) { return !isConstantLike(value); });
  return --it->second == 0;
}

void FirstIterationAnalysis::open(OpOperand &use, StringRef frame) {
  if (firesOnce(use) && seen_.insert(use.getOwner()).second)
    open_.push_back({use.getOwner(), frame});
}

void FirstIterationAnalysis::reach(OpOperand &use, StringRef frame) {
  edges_.push_back({use.get().getDefiningOp(), use.getOwner(), frame});
  open(use, frame);
}

void FirstIterationAnalysis::visit(Operation *op, StringRef frame) {
  if (isa<ExitOp>(op)) // its result belongs to the frame around, where it comes as usual
    return;
  once_.insert(op);
  if (isa<EnterOp>(op))
    return enterWhole(frames_.resultFrameOf(op), frame);
  for (OpOperand &use : op->getUses())
    // What comes out of next_iteration is there in the second iteration only.
    reach(use, frame);
}

// What leaves such a loop arrives in the first iteration of the frame around, and only there.
void FirstIterationAnalysis::enterWhole(unsigned inner, StringRef frame) {
  if (!wholes_.insert(inner).second)
    return;
  wholeFrames_.push_back({inner, frame});
  for (ExitOp exit : frames_.frames()[inner].exits) {
    once_.insert(exit);
    for (OpOperand &use : exit->getUses())
      reach(use, frame);
  }
}

} // namespace sluice::flow
