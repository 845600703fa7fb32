// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot cross between ranks.
#pragma once

#include "compiler/partition/Cut.h"
#include "dialects/flow/FrameAnalysis.h"

namespace sluice::partition {

// Reports the first edge whose value means nothing on another device, or is not there in every
// iteration.
mlir::LogicalResult checkCut(flow::GraphOp graph, const flow::FrameAnalysis &frames, const Cut &cut,
                             const Cluster &cluster);

} // namespace sluice::partition
