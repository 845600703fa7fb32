// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which static frame each op of a graph belongs to.
//
// A static frame is a frame name under a parent frame; the root frame has neither. Enter and exit
// ops belong to the frame that their operand comes from; their *results* belong to the child or
// the parent. Constants belong to every frame.
#pragma once

#include "dialects/flow/Flow.h"

#include <optional>
#include <string>

namespace sluice::flow {

struct Frame {
  unsigned parent = 0; // index; the root is its own parent
  std::string name;    // empty for the root
  int64_t parallelIterations = 1;
  llvm::SmallVector<EnterOp> enters;
  llvm::SmallVector<ExitOp> exits;
  LoopCondOp pivot; // null if there is none
};

class FrameAnalysis {
public:
  // Reports an error at the op where frames disagree, and returns nothing.
  static std::optional<FrameAnalysis> run(TokenGraph graph);

  static constexpr unsigned kRoot = 0;
  llvm::ArrayRef<Frame> frames() const { return frames_; }
  // The frame in which the op fires. For ops of no frame (constants) the root.
  unsigned frameOf(mlir::Operation *op) const { return frameOf_.lookup(op); }
  // The frame in which the op's results are tokens.
  unsigned resultFrameOf(mlir::Operation *op) const;

private:
  unsigned childFrame(unsigned parent, EnterOp enter);
  mlir::LogicalResult assign(TokenGraph graph);
  mlir::LogicalResult checkFrames(TokenGraph graph);

  llvm::SmallVector<Frame> frames_;
  llvm::DenseMap<mlir::Operation *, unsigned> frameOf_;
  llvm::DenseMap<std::pair<unsigned, mlir::StringAttr>, unsigned> childOf_;
};

// Name of a frame within a graph: its own below that of its parent, which is empty for the root.
// '>' and '\\' in names are escaped.
std::string framePath(llvm::StringRef parent, llvm::StringRef name);

// The frame of the value's producer after the op has fired is unknown for values that are always
// there: constants.
bool isConstantLike(mlir::Value value);

} // namespace sluice::flow
