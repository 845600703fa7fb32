// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the graph of one rank.
//
// Ops are first copied with the operands of the whole graph, for cycles are legal and an operand
// may come later; finish() then replaces all operands by what stands for them on this rank.
#pragma once

#include "dialects/flow/FrameAnalysis.h"
#include "dialects/wire/Wire.h"

#include "mlir/IR/Builders.h"

#include <vector>

namespace sluice::partition {

class RankBuilder {
public:
  // An empty graph named like `graph` at the end of a block.
  RankBuilder(flow::GraphOp graph, mlir::Block *block, mlir::ArrayAttr frames);

  // Copies an op of the whole graph, without its rank.
  mlir::Operation *copy(mlir::Operation *op);
  // The loop of five ops that goes round as often as the pivot of a frame says. Parents first.
  void addControlLoop(const flow::FrameAnalysis &frames, unsigned frame);
  // Sends what stands for `value` here.
  void addSend(mlir::Value value, unsigned edge, unsigned to);
  // From now on the received value stands for `value`. Armed by the control loop of `frame`.
  void addRecv(mlir::Value value, bool asToken, unsigned edge, unsigned from, unsigned frame);
  // A value of the whole graph which says that `value` is here.
  mlir::Value addAfter(mlir::Value value);
  // `here` stands for `value` on this rank.
  void map(mlir::Value value, mlir::Value here) { here_[value] = here; }
  mlir::Value find(mlir::Value value) const { return here_.lookup(value); }

  void finish();

private:
  mlir::Value alwaysTrue();

  mlir::OpBuilder builder_;
  llvm::DenseMap<mlir::Value, mlir::Value> here_;
  std::vector<mlir::Operation *> unfinished_;     // their operands are of the whole graph
  llvm::DenseMap<unsigned, flow::MergeOp> loops_; // by frame
  mlir::Value alwaysTrue_;
};

} // namespace sluice::partition
