// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// partition-settle-loop-ports: what enters a frame or an iteration does so on each rank by itself.
#include "compiler/partition/Passes.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sluice::partition {
#define GEN_PASS_DEF_PARTITIONSETTLELOOPPORTS
#include "compiler/partition/Passes.h.inc"
} // namespace sluice::partition

namespace {

using namespace sluice;

bool isEntry(Operation *op) { return isa<flow::EnterOp, flow::NextIterationOp>(op); }

IntegerAttr deviceOf(Operation *op) { return op->getAttrOfType<IntegerAttr>(wire::kDevice); }

// Uses of a value by rank. A flow.after is wherever its value is, so those who wait for it count;
// it is split where they are on several ranks.
using UsesByRank = llvm::MapVector<IntegerAttr, SmallVector<OpOperand *>>;

UsesByRank usesByRank(Operation *entry) {
  UsesByRank uses;
  for (OpOperand &use : entry->getResult(0).getUses()) {
    auto after = dyn_cast<flow::AfterOp>(use.getOwner());
    if (!after) {
      uses[deviceOf(use.getOwner())].push_back(&use);
      continue;
    }
    for (OpOperand &waiting : after.getToken().getUses())
      uses[deviceOf(waiting.getOwner())].push_back(&waiting);
  }
  return uses;
}

// Makes a use that waits for the entry wait for this copy of it.
void redirect(OpOperand &use, Operation *entry, Operation *copy, flow::AfterOp &after) {
  if (use.get() == entry->getResult(0)) {
    use.set(copy->getResult(0));
    return;
  }
  if (!after) {
    OpBuilder b(copy->getContext());
    b.setInsertionPointAfter(copy);
    after = flow::AfterOp::create(b, use.get().getLoc(), use.get().getType(), copy->getResult(0));
  }
  use.set(after.getToken());
}

// Gives each rank that uses the entry's result an entry of its own. True if anything was changed.
// What cannot leave its device has all uses there; only tokens go elsewhere.
bool replicate(Operation *entry, SmallVectorImpl<Operation *> &copies) {
  if (!wire::isSendable(entry->getResult(0).getType()))
    return false;
  UsesByRank uses = usesByRank(entry);
  if (uses.empty() || (uses.size() == 1 && uses.begin()->first == deviceOf(entry)))
    return false;
  SmallVector<Operation *> oldAfters;
  for (Operation *user : entry->getUsers())
    if (isa<flow::AfterOp>(user))
      oldAfters.push_back(user);
  OpBuilder b(entry);
  b.setInsertionPointAfter(entry);
  for (auto &[rank, list] : uses) {
    Operation *copy = b.clone(*entry);
    copy->setAttr(wire::kDevice, rank);
    flow::AfterOp after;
    for (OpOperand *use : list)
      redirect(*use, entry, copy, after);
    copies.push_back(copy);
  }
  for (Operation *after : oldAfters)
    after->erase();
  entry->erase();
  return true;
}

// Exits leave from where their operand is made: else it would cross in every iteration.
bool moveToProducer(flow::ExitOp exit) {
  Operation *producer = exit.getData().getDefiningOp();
  IntegerAttr rank = deviceOf(producer);
  if (!rank || isEntry(producer) || rank == deviceOf(exit))
    return false;
  exit->setAttr(wire::kDevice, rank);
  return true;
}

// An entry may be used by another one, one frame further in, and an exit by another one, one
// further out: as many rounds as frames are nested.
void settle(flow::GraphOp graph) {
  SmallVector<Operation *> entries;
  SmallVector<flow::ExitOp> exits;
  for (Operation &op : graph.getBody().front()) {
    if (isEntry(&op))
      entries.push_back(&op);
    else if (auto exit = dyn_cast<flow::ExitOp>(op))
      exits.push_back(exit);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (flow::ExitOp exit : exits)
      changed |= moveToProducer(exit);
    SmallVector<Operation *> next;
    for (Operation *entry : llvm::reverse(entries)) {
      if (replicate(entry, next))
        changed = true;
      else
        next.push_back(entry);
    }
    entries.assign(next.rbegin(), next.rend());
  }
}

int64_t countEntries(flow::GraphOp graph) {
  return llvm::count_if(graph.getBody().front(), [](Operation &op) { return isEntry(&op); });
}

struct SettleLoopPorts : partition::impl::PartitionSettleLoopPortsBase<SettleLoopPorts> {
  void runOnOperation() override {
    if (!getOperation()->hasAttr(wire::kDevices))
      return markAllAnalysesPreserved();
    for (auto graph : getOperation().getOps<flow::GraphOp>()) {
      int64_t before = countEntries(graph);
      settle(graph);
      numCopies += countEntries(graph) - before;
    }
  }
};

} // namespace
