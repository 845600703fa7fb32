// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refuses edges that the place phase should not have cut.
#include "compiler/partition/CheckCut.h"

#include "dialects/flow/FirstIterationAnalysis.h"
#include "dialects/wire/Wire.h"

using namespace mlir;

namespace sluice::partition {

static LogicalResult refuse(const CutEdge &edge, const Cluster &cluster, const Twine &reason) {
  Operation *producer = edge.producer();
  std::string user = edge.user ? "its user '" + nameOf(edge.user) + "'" : "all of its loop";
  InFlightDiagnostic error = producer->emitOpError("expected ")
                             << user << " on the same device, for " << reason << "; but got "
                             << cluster.describe(edge.from) << " and " << cluster.describe(edge.to);
  if (edge.user)
    error.attachNote(edge.user->getLoc()) << "used here";
  return error;
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

LogicalResult checkCut(flow::GraphOp graph, const flow::FrameAnalysis &frames, const Cut &cut,
                       const Cluster &cluster) {
  flow::FirstIterationAnalysis first(graph, frames);
  for (const CutEdge &edge : cut.edges()) {
    if (!edge.asToken && !wire::isSendable(edge.value.getType()))
      return refuse(edge, cluster,
                    "values of type " + textOf(edge.value.getType()) + " do not leave theirs");
    unsigned frame = frames.resultFrameOf(edge.producer());
    if (frame == flow::FrameAnalysis::kRoot)
      continue;
    const std::string &name = frames.frames()[frame].name;
    if (first.comesOnce(edge.producer()))
      return refuse(edge, cluster,
                    "the value is there in the first iteration of frame '" + name + "' only");
    if (isa<flow::NextIterationOp>(edge.producer()))
      return refuse(edge, cluster,
                    "the value is not there in the first iteration of frame '" + name + "'");
  }
  return success();
}

} // namespace sluice::partition
