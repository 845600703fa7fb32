// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk along the uses, starting from every enter that is not constant.
#include "compiler/place/FirstIterations.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace sluice::place {

namespace {

class FirstIterationWalk {
public:
  explicit FirstIterationWalk(const flow::FrameAnalysis &frames) : frames_(frames) {}

  FirstIterations run(flow::GraphOp graph) {
    for (auto enter : graph.getBody().getOps<flow::EnterOp>())
      if (!enter.getConstant())
        for (Operation *user : enter->getUsers())
          if (!isa<flow::MergeOp>(user))
            reach(enter, user, enter.getFrame());
    while (!open_.empty()) {
      auto [op, frame] = open_.back();
      open_.pop_back();
      visit(op, frame);
    }
    return std::move(found_);
  }

private:
  void reach(Operation *from, Operation *to, StringRef frame) {
    found_.edges.push_back({from, to, frame});
    if (!isa<flow::MergeOp>(to) && seen_.insert(to).second)
      open_.push_back({to, frame});
  }

  void visit(Operation *op, StringRef frame) {
    if (isa<flow::ExitOp>(op)) // its result belongs to the frame around, where it comes as usual
      return;
    if (isa<flow::EnterOp>(op))
      return enterWhole(frames_.resultFrameOf(op), frame);
    for (Operation *user : op->getUsers())
      // What comes out of next_iteration is there in the second iteration only.
      reach(op, user, frame);
  }

  // What leaves such a loop arrives in the first iteration of the frame around, and only there.
  void enterWhole(unsigned inner, StringRef frame) {
    if (!wholes_.insert(inner).second)
      return;
    found_.frames.push_back({inner, frame});
    for (flow::ExitOp exit : frames_.frames()[inner].exits)
      for (Operation *user : exit->getUsers())
        if (!isa<flow::MergeOp>(user))
          reach(exit, user, frame);
  }

  const flow::FrameAnalysis &frames_;
  FirstIterations found_;
  std::vector<std::pair<Operation *, StringRef>> open_;
  llvm::DenseSet<Operation *> seen_;
  llvm::DenseSet<unsigned> wholes_;
};

} // namespace

FirstIterations FirstIterations::find(flow::GraphOp graph, const flow::FrameAnalysis &frames) {
  return FirstIterationWalk(frames).run(graph);
}

} // namespace sluice::place
