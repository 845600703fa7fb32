// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about graphs and ops.
#include "compiler/raise/GraphFacts.h"

#include "dialects/flow/GraphOrder.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::raise {

GraphFacts::GraphFacts(flow::TokenGraph graph, flow::FrameAnalysis analysed)
    : frames(std::move(analysed)), deadness(flow::DeadnessAnalysis::run(graph, frames)),
      order(flow::operandsFirst(graph)) {
  for (Operation *op : order)
    position.try_emplace(op, position.size());
}

std::unique_ptr<GraphFacts> GraphFacts::of(flow::TokenGraph graph) {
  std::optional<flow::FrameAnalysis> frames = flow::FrameAnalysis::run(graph);
  return frames ? std::make_unique<GraphFacts>(graph, std::move(*frames)) : nullptr;
}

bool isPrimitive(Operation *op) {
  return isa<flow::SwitchOp, flow::MergeOp, flow::EnterOp, flow::ExitOp, flow::NextIterationOp,
             flow::LoopCondOp, flow::FeedOp, flow::FetchOp, flow::TargetOp, flow::ArgumentOp,
             flow::ReturnOp>(op) ||
         op->hasTrait<CrossesDevices>();
}

static bool hasOwnEffect(Operation *op) {
  return !op->hasTrait<Computes>() && !op->hasTrait<Steers>();
}

bool hasEffect(Operation *op) {
  if (op->getNumRegions() == 0)
    return hasOwnEffect(op);
  return op
      ->walk([](Operation *inner) {
        return hasOwnEffect(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool isTokenPlumbing(Operation *op) {
  return isa<flow::JoinOp, flow::TriggerOp, flow::AfterOp, flow::GateOp>(op);
}

Value plainPredicate(Value predicate) {
  Operation *op = predicate.getDefiningOp();
  while (isa<flow::LoopCondOp>(op) || op->hasTrait<IsNegation>()) {
    predicate = op->getOperand(0);
    op = predicate.getDefiningOp();
  }
  return predicate;
}

std::string describe(Operation *op) {
  StringRef name = nodeNameOf(op->getLoc());
  return "'" + (name.empty() ? op->getName().getStringRef() : name).str() + "'";
}

} // namespace sluice::raise
