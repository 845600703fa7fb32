// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A partitioned module, read back: which graphs belong together, and which send goes with which
// recv. The balance check and the report look at modules through this; the split pass knows nothing
// of it.
#pragma once

#include "dialects/flow/FrameAnalysis.h"
#include "dialects/wire/Wire.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace sluice::partition {

// The graph of one rank.
struct Part {
  flow::GraphOp graph;
  flow::FrameAnalysis frames;
  llvm::SmallVector<unsigned> numberOf; // the frames' numbers between ranks, by their own
};

// One edge of the wire. Either end may be missing until the edges have been checked.
struct Wire {
  wire::SendOp send;
  wire::RecvOp recv;
};

// A signature: its graphs on all ranks. Frames are named by their numbers between ranks.
class Parts {
public:
  // The signatures of a partitioned module, in the order of rank 0; none for other modules. Reports
  // ranks that disagree about signatures or frames.
  static mlir::FailureOr<std::vector<Parts>> read(mlir::ModuleOp module);

  llvm::StringRef name() { return parts_.front().graph.getSymName(); }
  unsigned numRanks() const { return static_cast<unsigned>(parts_.size()); }
  const Part &part(unsigned rank) const { return parts_[rank]; }
  flow::GraphOp graph(unsigned rank) const { return parts_[rank].graph; }

  unsigned rankOf(mlir::Operation *op) const { return rankOf_.lookup(op->getParentOp()); }
  unsigned frameOf(mlir::Operation *op) const;
  unsigned resultFrameOf(mlir::Operation *op) const;
  // All frames, the root included.
  unsigned numFrames() const { return static_cast<unsigned>(paths_.size()); }
  // As in `wire.frames`; empty for the root.
  llvm::StringRef pathOf(unsigned frame) const { return paths_[frame]; }
  // 0 for the root.
  unsigned depthOf(unsigned frame) const { return depths_[frame]; }
  // The frame as the part knows it, or null if it has no op in it.
  const flow::Frame *findFrame(unsigned rank, unsigned frame) const;
  // More than one rank has ops in it.
  bool isSplit(unsigned frame) const;
  // Null if the frame has none on any rank; of several the first one.
  flow::LoopCondOp pivotOf(unsigned frame) const;

  // By number. What does not fit, because its number is taken or too large, is `superfluous`.
  llvm::ArrayRef<Wire> wires() const { return wires_; }
  llvm::ArrayRef<mlir::Operation *> superfluous() const { return superfluous_; }
  // The value that was sent, for one that was received; else the value itself.
  mlir::Value originOf(mlir::Value value) const;

private:
  mlir::LogicalResult addPart(flow::GraphOp graph);
  mlir::LogicalResult numberFrames(Part &part);
  void findWires();
  bool addEnd(mlir::Operation *op, uint64_t edge);

  std::vector<Part> parts_;                            // by rank
  llvm::DenseMap<mlir::Operation *, unsigned> rankOf_; // by graph
  std::vector<llvm::StringRef> paths_;
  std::vector<unsigned> depths_;
  std::vector<std::vector<unsigned>> own_; // by rank, by number: the part's number, 0 for none
  std::vector<Wire> wires_;
  llvm::SmallVector<mlir::Operation *> superfluous_;
};

} // namespace sluice::partition
