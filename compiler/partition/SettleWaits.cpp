// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// partition-settle-waits: what waits does so on each rank by itself, and for what comes there
// anyway.
//
// Constants that wait for one token are one gate, wherever they are used. Split by rank, the token
// crosses, which it often need not; else it would cross to one rank and the constant from there.
//
// A constant of a body waits for a value that the loop lets go on, most often its counter. On
// another rank that would be a message in each iteration, to say what the pivot says: the counter
// was there before the loop was decided, so its switch fires when a switch of the pivot would, and
// is alive when that is. The pivot comes to each rank of the frame anyway.
#include "compiler/partition/Passes.h"

#include "dialects/flow/FrameAnalysis.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sluice::partition {
#define GEN_PASS_DEF_PARTITIONSETTLEWAITS
#include "compiler/partition/Passes.h.inc"
} // namespace sluice::partition

namespace {

using namespace sluice;

IntegerAttr deviceOf(Operation *op) { return op->getAttrOfType<IntegerAttr>(wire::kDevice); }

// Gives each rank that uses a gated constant a gate of its own. A flow.after stays with the first.
bool splitGate(flow::GateOp gate) {
  llvm::MapVector<IntegerAttr, SmallVector<OpOperand *>> uses;
  for (OpOperand &use : gate.getResult().getUses())
    uses[isa<flow::AfterOp>(use.getOwner()) ? deviceOf(gate) : deviceOf(use.getOwner())].push_back(
        &use);
  bool isSplit = false;
  for (auto &[rank, list] : uses) {
    if (rank == deviceOf(gate))
      continue;
    OpBuilder b(gate);
    b.setInsertionPointAfter(gate);
    Operation *copy = b.clone(*gate);
    copy->setAttr(wire::kDevice, rank);
    for (OpOperand *use : list)
      use->set(copy->getResult(0));
    isSplit = true;
  }
  if (gate.use_empty())
    gate.erase();
  return isSplit;
}

class TokenMover {
public:
  // True if no rank waits for the token over an edge any more.
  bool move(flow::AfterOp after) {
    auto steered = after.getValue().getDefiningOp<flow::SwitchOp>();
    auto pivot = steered ? steered.getPredicate().getDefiningOp<flow::LoopCondOp>() : nullptr;
    if (!pivot || after.getValue() == steered.getToken() ||
        !decidingOf(pivot).contains(steered.getData()))
      return false;
    bool moved = false;
    for (OpOperand &use : llvm::make_early_inc_range(after.getToken().getUses())) {
      IntegerAttr rank = deviceOf(use.getOwner());
      if (!rank || rank == deviceOf(steered) || isUsedOn(after.getValue(), rank))
        continue;
      bool way = after.getValue() == steered.getOnTrue();
      use.set(tokenOf(pivot, way, rank, after));
      moved = true;
    }
    return moved;
  }

private:
  // Values that are there before the pivot is, and alive if it is: all that it is computed from by
  // ops that wait for all of their operands and die of each.
  const DenseSet<Value> &decidingOf(flow::LoopCondOp pivot) {
    auto [it, isNew] = deciding_.try_emplace(pivot);
    DenseSet<Value> &found = it->second;
    SmallVector<Value> open;
    if (isNew)
      open.push_back(pivot.getPredicate());
    while (!open.empty()) {
      Value value = open.pop_back_val();
      Operation *op = value.getDefiningOp();
      bool isStrict = !isa<flow::MergeOp, flow::TriggerOp, flow::EnterOp, flow::ExitOp,
                           flow::NextIterationOp, flow::SwitchOp>(op);
      if (found.insert(value).second && isStrict)
        open.append(op->operand_begin(), op->operand_end());
    }
    return found;
  }

  // The value goes there, so those who only wait wait for that.
  bool isUsedOn(Value value, IntegerAttr rank) {
    auto [it, isNew] = usedOn_.try_emplace(value);
    if (isNew)
      for (Operation *user : value.getUsers())
        if (!isa<flow::AfterOp>(user))
          it->second.insert(deviceOf(user));
    return it->second.contains(rank);
  }

  Value tokenOf(flow::LoopCondOp pivot, bool way, IntegerAttr rank, flow::AfterOp after) {
    flow::AfterOp &token = tokens_[{pivot, rank}][way];
    if (token)
      return token.getToken();
    OpBuilder b(pivot->getContext());
    b.setInsertionPointAfter(pivot);
    flow::SwitchOp &asked = switches_[{pivot, rank}];
    Type tokenType = after.getToken().getType();
    if (!asked) {
      asked = flow::SwitchOp::create(b, pivot.getLoc(), pivot.getType(), pivot.getType(), tokenType,
                                     pivot.getResult(), pivot.getResult());
      asked->setAttr(wire::kDevice, rank);
    }
    b.setInsertionPointAfter(asked);
    token = flow::AfterOp::create(b, after.getLoc(), tokenType,
                                  way ? asked.getOnTrue() : asked.getOnFalse());
    token->setAttr(wire::kDevice, rank);
    return token.getToken();
  }

  using Key = std::pair<Operation *, Attribute>; // a pivot, and a rank
  DenseMap<Operation *, DenseSet<Value>> deciding_;
  DenseMap<Value, DenseSet<Attribute>> usedOn_;
  DenseMap<Key, flow::SwitchOp> switches_;
  DenseMap<Key, std::array<flow::AfterOp, 2>> tokens_; // by way
};

struct SettleWaits : partition::impl::PartitionSettleWaitsBase<SettleWaits> {
  void runOnOperation() override {
    if (!getOperation()->hasAttr(wire::kDevices))
      return markAllAnalysesPreserved();
    for (auto graph : getOperation().getOps<flow::GraphOp>()) {
      SmallVector<flow::GateOp> gates(graph.getBody().getOps<flow::GateOp>());
      for (flow::GateOp gate : gates)
        if (flow::isConstantLike(gate.getValue()) && wire::isSendable(gate.getType()))
          numGates += splitGate(gate);
      TokenMover mover;
      SmallVector<flow::AfterOp> afters(graph.getBody().getOps<flow::AfterOp>());
      for (flow::AfterOp after : afters)
        numTokens += mover.move(after);
    }
  }
};

} // namespace
