// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop has in its first iteration only.
//
// An enter that is not constant brings its value to iteration 0. A merge takes it from there, or
// the value of a later iteration; but an op that waits for it without a merge between fires only
// once, and so do all ops behind it. A send of such a value would find its receiver waiting in
// every iteration, so these edges cannot be cut.
#pragma once

#include "dialects/flow/FrameAnalysis.h"

#include <utility>
#include <vector>

namespace sluice::place {

struct FirstIterations {
  struct Edge {
    mlir::Operation *from, *to;
    llvm::StringRef frame; // the loop's name
  };

  std::vector<Edge> edges;
  // Loops that are entered from there, and so exist for that iteration only: they are as
  // indivisible as the ops around them. With the name of the loop around.
  std::vector<std::pair<unsigned, llvm::StringRef>> frames;

  static FirstIterations find(flow::GraphOp graph, const flow::FrameAnalysis &frames);
};

} // namespace sluice::place
