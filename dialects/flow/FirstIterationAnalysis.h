// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop has in one of its iterations only.
//
// An enter that is not constant brings its value to iteration 0. A loop's merge takes it from
// there, or the value of a later iteration; but an op that waits for it without such a merge
// between fires only once, and so do all ops behind it, also merges that nothing else brings a
// value to. A send of such a value would find its receiver waiting in every iteration, so these
// edges cannot be cut.
#pragma once

#include "dialects/flow/FrameAnalysis.h"

#include "llvm/ADT/DenseSet.h"

#include <utility>
#include <vector>

namespace sluice::flow {

class FirstIterationAnalysis {
public:
  FirstIterationAnalysis(TokenGraph graph, const FrameAnalysis &frames);

  struct Edge {
    mlir::Operation *from, *to;
    llvm::StringRef frame; // the loop's name
  };
  llvm::ArrayRef<Edge> edges() const { return edges_; }

  // Loops that are entered from there, and so exist for that iteration only: they are as
  // indivisible as the ops around them. With the name of the loop around.
  llvm::ArrayRef<std::pair<unsigned, llvm::StringRef>> wholeFrames() const { return wholeFrames_; }

  // The op's results come once, whatever number of iterations the loop around them has.
  bool comesOnce(mlir::Operation *op) const { return once_.contains(op); }

private:
  bool firesOnce(mlir::OpOperand &use);
  void reach(mlir::OpOperand &use, llvm::StringRef frame);
  void open(mlir::OpOperand &use, llvm::StringRef frame);
  void visit(mlir::Operation *op, llvm::StringRef frame);
  void enterWhole(unsigned inner, llvm::StringRef frame);

  const FrameAnalysis &frames_;
  std::vector<Edge> edges_;
  std::vector<std::pair<unsigned, llvm::StringRef>> wholeFrames_;
  llvm::DenseSet<mlir::Operation *> once_;
  std::vector<std::pair<mlir::Operation *, llvm::StringRef>> open_;
  llvm::DenseSet<mlir::Operation *> seen_;
  llvm::DenseSet<unsigned> wholes_;
  llvm::DenseMap<mlir::Operation *, unsigned> missing_; // values of merges that may come otherwise
};

} // namespace sluice::flow
