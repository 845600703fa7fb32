// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When tokens arrive: a fixpoint from above. Every value is believed to be there in every iteration
// of its frame until an operand is known not to be.
//
// A loop's merge is the case that makes this more than following edges: it has a value that comes
// in the first iteration and one that comes in all later ones, and so fires in every one.
#include "compiler/partition/Balance.h"
#include "compiler/partition/OpQueue.h"

using namespace mlir;

namespace sluice::partition {

namespace {

// Iterations in which a value is surely there: a set of these bits.
using Iterations = uint8_t;
constexpr Iterations kFirst = 1; // iteration 0
constexpr Iterations kLater = 2; // all after it
constexpr Iterations kEvery = kFirst | kLater;

class Arrivals {
public:
  explicit Arrivals(const Parts &parts) {
    for (unsigned rank = 0; rank < parts.numRanks(); ++rank)
      for (Operation &op : parts.graph(rank).getBody().front())
        open_.push(&op);
    while (!open_.empty())
      update(open_.pop());
  }

  Iterations of(Value value) const {
    auto it = results_.find(value.getDefiningOp());
    return it == results_.end() ? kEvery : it->second;
  }
  // An op waits for all of its operands. Constants are always there.
  Iterations ofOperands(Operation *op) const {
    Iterations all = kEvery;
    for (Value operand : op->getOperands())
      all &= of(operand);
    return all;
  }
  // Some values come in every iteration and some do not, so it may wait for ever where the former
  // are dead.
  bool isMixed(flow::MergeOp merge) const {
    bool every = false, some = false;
    for (Value value : merge.getValues())
      if (!flow::isConstantLike(value))
        (of(value) == kEvery ? every : some) = true;
    return every && some;
  }

private:
  void update(Operation *op) {
    auto [it, isNew] = results_.try_emplace(op, kEvery);
    Iterations iterations = ofResults(op) & it->second;
    if (iterations == it->second)
      return;
    it->second = iterations;
    for (Value result : op->getResults())
      open_.pushUsersOf(result);
  }

  Iterations ofResults(Operation *op) const {
    if (isa<wire::RecvOp>(op)) // its gates have been checked, and its send is
      return kEvery;
    if (auto merge = dyn_cast<flow::MergeOp>(op))
      return ofMerge(merge);
    Iterations operands = ofOperands(op);
    if (auto enter = dyn_cast<flow::EnterOp>(op))
      return operands != kEvery ? 0 : enter.getConstant() ? kEvery : kFirst;
    if (isa<flow::NextIterationOp>(op))
      return operands == kEvery ? kLater : 0;
    if (isa<flow::ExitOp>(op)) // forwards once for each run, and each has a first iteration
      return operands & kFirst ? kEvery : 0;
    return operands;
  }

  Iterations ofMerge(flow::MergeOp merge) const {
    Iterations any = 0, all = kEvery;
    bool onlyConstants = true;
    for (Value value : merge.getValues())
      if (!flow::isConstantLike(value)) {
        any |= of(value);
        onlyConstants = false;
      }
    for (Value token : merge.getTokens())
      all &= of(token);
    return onlyConstants ? all : any & all;
  }

  llvm::DenseMap<Operation *, Iterations> results_;
  OpQueue open_;
};

} // namespace

static const char *describe(Iterations iterations) {
  return iterations == kFirst   ? "the first one only"
         : iterations == kLater ? "all but the first one"
                                : "some that are not known";
}

static LogicalResult checkSends(const Parts &parts, const Arrivals &arrivals) {
  for (auto [edge, wire] : llvm::enumerate(parts.wires())) {
    wire::SendOp send = wire.send;
    if (unsigned frame = parts.frameOf(send))
      if (Iterations iterations = arrivals.of(send.getValue()); iterations != kEvery)
        return send.emitOpError("edge ")
               << edge << ": expected a value that is there in every iteration of frame '"
               << parts.pathOf(frame) << "' but got one that is there in " << describe(iterations);
  }
  return success();
}

// Loops that are on several ranks run in every iteration around them, and do not wait in a merge.
static LogicalResult checkLoops(Operation *op, const Parts &parts, const Arrivals &arrivals) {
  unsigned frame = parts.resultFrameOf(op);
  if (!parts.isSplit(frame))
    return success();
  if (isa<flow::EnterOp>(op) && arrivals.ofOperands(op) != kEvery)
    return op->emitOpError("expected frame '")
           << parts.pathOf(frame) << "', which is on several ranks, to be entered in every "
           << "iteration around it but got " << describe(arrivals.ofOperands(op));
  if (auto merge = dyn_cast<flow::MergeOp>(op); merge && arrivals.isMixed(merge))
    return op->emitOpError("expected values that are all there in every iteration of frame '")
           << parts.pathOf(frame)
           << "', which is on several ranks, or each in the first one or all "
           << "later ones only, but got both kinds";
  return success();
}

LogicalResult checkEveryIteration(const Parts &parts) {
  Arrivals arrivals(parts);
  if (failed(checkSends(parts, arrivals)))
    return failure();
  for (unsigned rank = 0; rank < parts.numRanks(); ++rank)
    for (Operation &op : parts.graph(rank).getBody().front())
      if (failed(checkLoops(&op, parts, arrivals)))
        return failure();
  return success();
}

} // namespace sluice::partition
