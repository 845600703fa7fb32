// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ranks take part in which frames, and where control loops are needed.
//
// An iteration exists on a rank because a live token went round there. A rank that only receives,
// or that only has loop invariants, would never have a second one, and a rank with loop variables
// of its own would not know when to stop. So a frame that is split gets a *control loop* on its
// ranks: a loop of five ops which carries nothing and goes round as often as the pivot says.
#pragma once

#include "compiler/partition/Cut.h"
#include "dialects/flow/FrameAnalysis.h"

#include "llvm/ADT/BitVector.h"

namespace sluice::partition {

class FrameParts {
public:
  FrameParts(flow::GraphOp graph, const flow::FrameAnalysis &frames, const Placement &placement,
             const Cluster &cluster);

  // Decides about control loops, and adds the edges that tell them how the pivots decide. Reports
  // a split frame without a pivot.
  mlir::LogicalResult addControlLoops(Cut &cut);

  bool isSplit(unsigned frame) const { return ranks_[frame].count() > 1; }
  bool hasControlLoop(unsigned frame, unsigned rank) const { return loops_[frame].test(rank); }
  unsigned numControlLoops() const;

private:
  mlir::LogicalResult checkPivots(const Cut &cut);
  mlir::LogicalResult reportMissingPivot(unsigned frame, const Cut &cut);
  bool pivotRankNeedsLoop(unsigned frame, unsigned rank) const;

  flow::GraphOp graph_;
  const flow::FrameAnalysis &frames_;
  const Placement &placement_;
  const Cluster &cluster_;
  // By frame, a bit for each rank.
  std::vector<llvm::BitVector> ranks_;  // takes part
  std::vector<llvm::BitVector> rounds_; // has a next_iteration
  std::vector<llvm::BitVector> recvs_;  // gets tokens of the frame
  std::vector<llvm::BitVector> loops_;  // has a control loop
};

} // namespace sluice::partition
