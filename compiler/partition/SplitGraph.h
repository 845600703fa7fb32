// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the graphs of all ranks from the graph of a signature.
#pragma once

#include "compiler/partition/Cut.h"
#include "compiler/partition/FrameParts.h"

namespace sluice::partition {

// What has been decided about a graph.
struct Partition {
  const flow::FrameAnalysis &frames;
  const Placement &placement;
  const FrameParts &parts;
  const Cut &cut;
};

// Puts one graph of the same name at the end of each block, one for each rank. The graph itself
// stays as it is.
void splitGraph(flow::GraphOp graph, const Partition &partition,
                llvm::ArrayRef<mlir::Block *> ranks);

} // namespace sluice::partition
