// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds of counters.
#include "compiler/differentiate/Trips.h"

#include "compiler/differentiate/Mirror.h"
#include "compiler/differentiate/Segments.h"

#include "dialects/flow/LoopCounters.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::differentiate {

static constexpr llvm::StringLiteral kTrips = "differentiate.trips";

void noteTrips(flow::WhileOp loop, int64_t trips) {
  loop->setAttr(kTrips, IntegerAttr::get(IntegerType::get(loop.getContext(), 64), trips));
}
void forgetTrips(Operation *module) {
  module->walk([](flow::WhileOp loop) { loop->removeAttr(kTrips); });
}

static std::optional<int64_t> least(std::optional<int64_t> a, std::optional<int64_t> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

static std::optional<int64_t> tripsBy(flow::WhileOp loop, ArrayRef<Counter> counters, Value holds) {
  if (auto both = holds.getDefiningOp<nd::LogicalAndOp>())
    return least(tripsBy(loop, counters, both.getLhs()), tripsBy(loop, counters, both.getRhs()));
  auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  auto upTo = [&](Value counted, Value most, int64_t beyond) -> std::optional<int64_t> {
    std::optional<int64_t> bound = flow::constantInt(most);
    for (const Counter &counter : counters)
      if (bound && counter.step > 0 && condition.getForwarded()[counter.forwarded] == counted)
        return std::max<int64_t>(0, (*bound + beyond - counter.start + counter.step - 1) /
                                        counter.step);
    return std::nullopt;
  };
  if (auto less = holds.getDefiningOp<nd::LessOp>())
    return upTo(less.getLhs(), less.getRhs(), 0);
  if (auto less = holds.getDefiningOp<nd::LessEqualOp>())
    return upTo(less.getLhs(), less.getRhs(), 1);
  if (auto greater = holds.getDefiningOp<nd::GreaterOp>())
    return upTo(greater.getRhs(), greater.getLhs(), 0);
  return std::nullopt;
}

std::optional<int64_t> knownTrips(flow::WhileOp loop) {
  if (auto noted = loop->getAttrOfType<IntegerAttr>(kTrips))
    return noted.getInt();
  auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  return tripsBy(loop, countersOf(loop), condition.getPredicate());
}

int64_t timesOf(Operation *forward) {
  constexpr int64_t kMost = int64_t{1} << 30;
  int64_t times = 1;
  for (Operation *op = forward; op && !isa<flow::GraphOp>(op); op = op->getParentOp()) {
    auto loop = dyn_cast<flow::WhileOp>(op);
    if (loop || isa<flow::FuncOp>(op))
      times *= loop ? knownTrips(loop).value_or(kUnknownTrips) : kUnknownTrips;
    times = std::min(times, kMost);
    if (isSegment(op))
      break;
  }
  return times;
}

bool areTimesKnown(Operation *forward) {
  for (Operation *op = forward; op && !isa<flow::GraphOp>(op); op = op->getParentOp()) {
    auto loop = dyn_cast<flow::WhileOp>(op);
    if (isa<flow::FuncOp>(op) || (loop && !knownTrips(loop)))
      return false;
    if (isSegment(op))
      break;
  }
  return true;
}

} // namespace sluice::differentiate
