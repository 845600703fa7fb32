// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When tokens arrive: a fixpoint from above. Every op is believed to fire in every iteration until an
// operand of it is known not to arrive.
//
// A loop's merge is the case that makes this more than following edges: it has an operand that comes in
// the first iteration and one that comes in all later ones, and so fires in every one.
#include "compiler/partition/Balance.h"

using namespace mlir;

namespace sluice::partition {

namespace {

// In which iterations of its frame a value is there. Only ever moves down the list.
enum class Arrival : uint8_t { kEvery, kFirst, kLater, kUnknown };

class Arrivals {
public:
  explicit Arrivals(const Parts &parts) {
    for (unsigned rank = 0; rank < parts.numRanks(); ++rank)
      for (Operation &op : parts.graph(rank).getBody().front())
        open_.push_back(&op);
    while (!open_.empty())
      update(open_.pop_back_val());
  }

  // Of values that are no constants.
  Arrival of(Value value) const { return of(value.getDefiningOp()); }
  Arrival ofOperands(Operation *op) const;

private:
  Arrival of(Operation *op) const {
    auto it = results_.find(op);
    return it == results_.end() ? Arrival::kEvery : it->second;
  }

  void update(Operation *op) {
    Arrival arrival = ofResults(op);
    if (arrival == of(op))
      return;
    results_[op] = arrival;
    open_.append(op->user_begin(), op->user_end());
  }

  Arrival ofResults(Operation *op) const;
  Arrival ofMerge(flow::MergeOp merge) const;

  llvm::DenseMap<Operation *, Arrival> results_; // kEvery is not stored
  SmallVector<Operation *> open_;
};

// An op waits for all of its operands. kFirst is left where all that are not always there are.
Arrival Arrivals::ofOperands(Operation *op) const {
  Arrival all = Arrival::kEvery;
  for (Value operand : op->getOperands()) {
    Arrival one = flow::isConstantLike(operand) ? Arrival::kEvery : of(operand);
    if (one != Arrival::kEvery)
      all = all == Arrival::kEvery || all == one ? one : Arrival::kUnknown;
  }
  return all;
}

Arrival Arrivals::ofMerge(flow::MergeOp merge) const {
  bool first = false, later = false, every = false;
  for (Value value : merge.getValues()) {
    if (flow::isConstantLike(value))
      continue;
    Arrival arrival = of(value);
    first |= arrival == Arrival::kFirst;
    later |= arrival == Arrival::kLater;
    every |= arrival == Arrival::kEvery;
    if (arrival == Arrival::kUnknown)
      return arrival;
  }
  for (Value token : merge.getTokens())
    if (of(token) != Arrival::kEvery)
      return Arrival::kUnknown;
  if (every)
    return first || later ? Arrival::kUnknown : Arrival::kEvery;
  return first && later ? Arrival::kEvery : first ? Arrival::kFirst : Arrival::kUnknown;
}

Arrival Arrivals::ofResults(Operation *op) const {
  if (isa<wire::RecvOp>(op)) // its gates have been checked, and its send is
    return Arrival::kEvery;
  if (auto merge = dyn_cast<flow::MergeOp>(op))
    return ofMerge(merge);
  Arrival operands = ofOperands(op);
  bool always = operands == Arrival::kEvery;
  if (auto enter = dyn_cast<flow::EnterOp>(op))
    return !always ? Arrival::kUnknown : enter.getConstant() ? Arrival::kEvery : Arrival::kFirst;
  if (isa<flow::NextIterationOp>(op))
    return always ? Arrival::kLater : Arrival::kUnknown;
  if (isa<flow::ExitOp>(op)) // forwards once, from whatever iteration
    return always || operands == Arrival::kFirst ? Arrival::kEvery : Arrival::kUnknown;
  return operands;
}

} // namespace

static const char *describe(Arrival arrival) {
  switch (arrival) {
  case Arrival::kFirst:
    return "the first one only";
  case Arrival::kLater:
    return "all but the first one";
  default:
    return "some only";
  }
}

LogicalResult checkEveryIteration(const Parts &parts) {
  Arrivals arrivals(parts);
  for (auto [edge, wire] : llvm::enumerate(parts.wires())) {
    wire::SendOp send = wire.send;
    unsigned frame = parts.frameOf(send);
    if (frame == flow::FrameAnalysis::kRoot)
      continue;
    Arrival arrival = flow::isConstantLike(send.getValue()) ? Arrival::kUnknown
                                                            : arrivals.of(send.getValue());
    if (arrival != Arrival::kEvery)
      return send.emitOpError("edge ")
             << edge << ": expected a value that is there in every iteration of frame '"
             << parts.pathOf(frame) << "' but got one that is there in " << describe(arrival);
  }
  for (unsigned rank = 0; rank < parts.numRanks(); ++rank)
    for (auto enter : parts.graph(rank).getBody().getOps<flow::EnterOp>())
      if (unsigned frame = parts.resultFrameOf(enter); parts.isSplit(frame)) {
        Arrival arrival = arrivals.ofOperands(enter);
        if (parts.frameOf(enter) != flow::FrameAnalysis::kRoot && arrival != Arrival::kEvery)
          return enter.emitOpError("expected frame '")
                 << parts.pathOf(frame) << "', which is on several ranks, to be entered in every "
                 << "iteration around it but got " << describe(arrival);
      }
  return success();
}

} // namespace sluice::partition
