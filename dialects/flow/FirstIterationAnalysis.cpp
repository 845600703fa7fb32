// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk along the uses, starting from every enter that is not constant.
#include "dialects/flow/FirstIterationAnalysis.h"

using namespace mlir;

namespace sluice::flow {

FirstIterationAnalysis::FirstIterationAnalysis(GraphOp graph, const FrameAnalysis &frames)
    : frames_(frames) {
  for (auto enter : graph.getBody().getOps<EnterOp>())
    if (!enter.getConstant()) {
      once_.insert(enter);
      // A merge of another device gets an enter of its own.
      for (Operation *user : enter->getUsers())
        if (!isa<MergeOp>(user))
          reach(enter, user, enter.getFrame());
    }
  while (!open_.empty()) {
    auto [op, frame] = open_.back();
    open_.pop_back();
    visit(op, frame);
  }
}

void FirstIterationAnalysis::reach(Operation *from, Operation *to, StringRef frame) {
  edges_.push_back({from, to, frame});
  if (!isa<MergeOp>(to) && seen_.insert(to).second)
    open_.push_back({to, frame});
}

void FirstIterationAnalysis::visit(Operation *op, StringRef frame) {
  if (isa<ExitOp>(op)) // its result belongs to the frame around, where it comes as usual
    return;
  once_.insert(op);
  if (isa<EnterOp>(op))
    return enterWhole(frames_.resultFrameOf(op), frame);
  for (Operation *user : op->getUsers())
    // What comes out of next_iteration is there in the second iteration only.
    reach(op, user, frame);
}

// What leaves such a loop arrives in the first iteration of the frame around, and only there.
void FirstIterationAnalysis::enterWhole(unsigned inner, StringRef frame) {
  if (!wholes_.insert(inner).second)
    return;
  wholeFrames_.push_back({inner, frame});
  for (ExitOp exit : frames_.frames()[inner].exits) {
    once_.insert(exit);
    for (Operation *user : exit->getUsers())
      reach(exit, user, frame);
  }
}

} // namespace sluice::flow
