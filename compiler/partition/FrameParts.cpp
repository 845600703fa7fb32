// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank takes part in a frame if an op of its own fires there or enters it, or if it takes part in
// a split frame inside, whose control loop needs one around it.
#include "compiler/partition/FrameParts.h"

using namespace mlir;

namespace sluice::partition {

FrameParts::FrameParts(flow::GraphOp graph, const flow::FrameAnalysis &frames,
                       const Placement &placement, const Cluster &cluster)
    : graph_(graph), frames_(frames), placement_(placement), cluster_(cluster) {
  for (std::vector<llvm::BitVector> *table : {&ranks_, &rounds_, &recvs_, &loops_})
    table->assign(frames.frames().size(), llvm::BitVector(cluster.size()));
  for (Operation &op : graph.getBody().front()) {
    if (placement.isEverywhere(&op))
      continue;
    unsigned rank = placement.rankOf(&op);
    ranks_[frames.frameOf(&op)].set(rank);
    if (isa<flow::EnterOp>(op))
      ranks_[frames.resultFrameOf(&op)].set(rank);
    else if (isa<flow::NextIterationOp>(op))
      rounds_[frames.frameOf(&op)].set(rank);
  }
  for (size_t frame = ranks_.size(); --frame > 0;) // children come after their parents
    if (isSplit(frame))
      ranks_[frames.frames()[frame].parent] |= ranks_[frame];
}

// The pivot's own rank needs no control loop when its loop goes round by itself and nothing waits
// for another rank.
bool FrameParts::pivotRankNeedsLoop(unsigned frame, unsigned rank) const {
  return loops_[frame].test(rank) || recvs_[frame].test(rank) || !rounds_[frame].test(rank);
}

LogicalResult FrameParts::addControlLoops(Cut &cut) {
  if (failed(checkPivots(cut)))
    return failure();
  for (const CutEdge &edge : cut.edges())
    recvs_[frames_.resultFrameOf(edge.producer())].set(edge.to);
  for (size_t frame = ranks_.size(); --frame > 0;) {
    if (!isSplit(frame))
      continue;
    flow::LoopCondOp pivot = frames_.frames()[frame].pivot;
    unsigned pivotRank = placement_.rankOf(pivot);
    for (unsigned rank : ranks_[frame].set_bits()) {
      if (rank == pivotRank && !pivotRankNeedsLoop(frame, rank))
        continue;
      loops_[frame].set(rank);
      cut.addUse(pivot.getResult(), rank, nullptr);
    }
    // The control loop of a nested frame starts from the one around it.
    if (unsigned parent = frames_.frames()[frame].parent)
      loops_[parent] |= loops_[frame];
  }
  return success();
}

unsigned FrameParts::numControlLoops() const {
  unsigned count = 0;
  for (const llvm::BitVector &ranks : loops_)
    count += ranks.count();
  return count;
}

LogicalResult FrameParts::checkPivots(const Cut &cut) {
  for (size_t frame = 1; frame < ranks_.size(); ++frame)
    if (isSplit(frame) && !frames_.frames()[frame].pivot)
      return reportMissingPivot(frame, cut);
  return success();
}

LogicalResult FrameParts::reportMissingPivot(unsigned frame, const Cut &cut) {
  auto report = [&](Operation *one, Operation *other) {
    InFlightDiagnostic error =
        one->emitOpError("a loop that is split over devices needs a pivot: ")
        << "frame '" << frames_.frames()[frame].name << "' has no flow.loop_cond, but '"
        << nameOf(one) << "' is on " << cluster_.describe(placement_.rankOf(one)) << " and '"
        << nameOf(other) << "' on " << cluster_.describe(placement_.rankOf(other));
    error.attachNote(other->getLoc()) << "the op on the other device";
    return error;
  };
  for (const CutEdge &edge : cut.edges())
    if (frames_.resultFrameOf(edge.producer()) == frame)
      return report(edge.producer(), edge.user);
  Operation *one = nullptr;
  for (Operation &op : graph_.getBody().front()) {
    bool takesPart = !placement_.isEverywhere(&op) &&
                     (frames_.frameOf(&op) == frame || frames_.resultFrameOf(&op) == frame);
    if (!takesPart)
      continue;
    if (one && placement_.rankOf(one) != placement_.rankOf(&op))
      return report(one, &op);
    one = one ? one : &op;
  }
  flow::EnterOp enter = frames_.frames()[frame].enters.front();
  return enter.emitOpError("expected a flow.loop_cond in frame '")
         << frames_.frames()[frame].name << "', for a frame inside it is split over devices";
}

} // namespace sluice::partition
