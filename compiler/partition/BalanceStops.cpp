// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pivots kill which values.
//
// For each value, a set of loops: those of which the value is surely dead once their pivot is
// false. A switch on the pivot adds its loop on the one side; an op adds up the sets of its
// operands; a merge keeps what is in all of them. The largest sets that agree with these rules are
// found by a fixpoint from above. Only loops around a value can be in its set, so a bit for each
// depth is enough.
#include "compiler/partition/Balance.h"
#include "compiler/partition/OpQueue.h"

using namespace mlir;

namespace sluice::partition {

namespace {

using Loops = uint64_t; // bit d-1: the loop of depth d around the value
constexpr unsigned kDeepest = 64;

class Killers {
public:
  explicit Killers(const Parts &parts) : parts_(parts) {
    for (const Wire &wire : parts.wires())
      recvOf_[wire.send] = wire.recv;
    for (unsigned rank = 0; rank < parts.numRanks(); ++rank)
      for (Operation &op : parts.graph(rank).getBody().front()) {
        for (Value result : op.getResults())
          loops_[result] = flow::isConstantLike(result) ? 0 : ~Loops(0);
        open_.push(&op);
      }
    while (!open_.empty())
      update(open_.pop());
  }

  Loops of(Value value) const { return loops_.lookup(value); }

private:
  void update(Operation *op) {
    if (auto recv = recvOf_.lookup(op))
      return update(recv);
    Loops all = ofResults(op) & inside(parts_.resultFrameOf(op));
    for (Value result : op->getResults()) {
      Loops loops = all | addedBySwitch(result);
      if (flow::isConstantLike(result) || loops == of(result))
        continue;
      loops_[result] = loops;
      open_.pushUsersOf(result);
    }
  }

  Loops ofResults(Operation *op) const {
    Loops all = 0;
    if (auto merge = dyn_cast<flow::MergeOp>(op)) { // one live operand is enough
      all = ~Loops(0);
      for (Value value : merge.getValues())
        all &= of(value);
      return all;
    }
    if (auto recv = dyn_cast<wire::RecvOp>(op)) // its gates kill nothing
      return of(parts_.wires()[recv.getEdge()].send->getOperand(0));
    if (isa<flow::TriggerOp>(op))
      return 0;
    for (Value operand : op->getOperands())
      all |= of(operand);
    if (isa<flow::NextIterationOp>(op)) // the next iteration has a pivot of its own
      all &= ~bit(parts_.frameOf(op));
    return all;
  }

  Loops addedBySwitch(Value result) const {
    auto op = result.getDefiningOp<flow::SwitchOp>();
    bool stays = op && result == op.getOnTrue() && isPivot(op.getPredicate(), parts_.frameOf(op));
    return stays ? bit(parts_.frameOf(op)) : 0;
  }

  // The pivot's result or its operand; over the wire and behind gates as well.
  bool isPivot(Value value, unsigned frame) const {
    flow::LoopCondOp pivot = parts_.pivotOf(frame);
    if (!pivot)
      return false;
    value = parts_.originOf(value);
    while (auto gate = value.getDefiningOp<flow::GateOp>())
      value = parts_.originOf(gate.getValue());
    return value == pivot.getResult() || value == parts_.originOf(pivot.getPredicate());
  }

  Loops bit(unsigned frame) const {
    unsigned depth = parts_.depthOf(frame);
    return depth == 0 || depth > kDeepest ? 0 : Loops(1) << (depth - 1);
  }
  // All loops around a frame and itself.
  Loops inside(unsigned frame) const {
    unsigned depth = parts_.depthOf(frame);
    return depth >= kDeepest ? ~Loops(0) : (Loops(1) << depth) - 1;
  }

  const Parts &parts_;
  llvm::DenseMap<Operation *, Operation *> recvOf_;
  llvm::DenseMap<Value, Loops> loops_;
  OpQueue open_;
};

} // namespace

LogicalResult checkStops(const Parts &parts) {
  Killers killers(parts);
  for (unsigned rank = 0; rank < parts.numRanks(); ++rank)
    for (auto next : parts.graph(rank).getBody().getOps<flow::NextIterationOp>()) {
      unsigned frame = parts.frameOf(next), depth = parts.depthOf(frame);
      if (!parts.isSplit(frame))
        continue;
      if (depth > kDeepest)
        return next.emitOpError("expected at most ")
               << kDeepest << " nested loops on several ranks but got " << depth;
      if (!(killers.of(next.getData()) >> (depth - 1) & 1))
        return next.emitOpError("expected a value that is dead once the pivot of frame '")
               << parts.pathOf(frame) << "' is false, for the frame is on several ranks";
    }
  return success();
}

} // namespace sluice::partition
