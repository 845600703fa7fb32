// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the cut edges in one walk over all operands.
#include "compiler/partition/Cut.h"

#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::partition {

bool onlyWaitsFor(OpOperand &operand) {
  if (isa<flow::AfterOp>(operand.getOwner()))
    return true;
  return isa<state::ReadOp>(operand.getOwner()) && operand.getOperandNumber() > 0 &&
         !isa<flow::TokenType>(operand.get().getType());
}

Cut::Cut(flow::GraphOp graph, const Placement &placement) : placement_(placement) {
  for (Operation &op : graph.getBody().front()) {
    position_[&op] = position_.size();
    if (!isa<flow::AfterOp>(op)) // those are where their users need them
      for (OpOperand &operand : op.getOpOperands())
        addOperand(operand);
  }
}

void Cut::addOperand(OpOperand &operand) {
  Operation *user = operand.getOwner(), *producer = operand.get().getDefiningOp();
  unsigned to = placement_.rankOf(user);
  if (placement_.isEverywhere(producer)) {
    needed_.insert({producer, to});
    if (auto after = dyn_cast<flow::AfterOp>(producer))
      needed_.insert({after.getValue().getDefiningOp(), to});
  } else if (auto after = dyn_cast<flow::AfterOp>(producer)) {
    needed_.insert({after, to});
    add(after.getValue(), to, user, true);
  } else {
    add(operand.get(), to, user, onlyWaitsFor(operand));
  }
}

void Cut::add(Value value, unsigned to, Operation *user, bool asToken) {
  unsigned from = placement_.rankOf(value.getDefiningOp());
  if (from == to)
    return;
  auto [it, isNew] = edgeOf_.try_emplace({value, to}, edges_.size());
  if (isNew) {
    edges_.push_back({value, from, to, asToken, user});
  } else if (CutEdge &edge = edges_[it->second]; edge.asToken && !asToken) {
    edge.asToken = false;
    edge.user = user; // the one that needs the value says more in diagnostics
  }
}

void Cut::number() {
  auto key = [&](const CutEdge &edge) {
    return std::tuple(position_.lookup(edge.producer()),
                      cast<OpResult>(edge.value).getResultNumber(), edge.to);
  };
  llvm::sort(edges_, [&](const CutEdge &a, const CutEdge &b) { return key(a) < key(b); });
  for (auto [i, edge] : llvm::enumerate(edges_)) {
    edgeOf_[{edge.value, edge.to}] = static_cast<unsigned>(i);
    auto [it, isNew] = range_.try_emplace(edge.producer(), i, 0);
    ++it->second.second;
  }
}

ArrayRef<CutEdge> Cut::edgesOf(Operation *producer) const {
  auto [first, count] = range_.lookup(producer);
  return edges().slice(first, count);
}

const CutEdge *Cut::find(Value value, unsigned to) const {
  auto it = edgeOf_.find({value, to});
  return it == edgeOf_.end() ? nullptr : &edges_[it->second];
}

} // namespace sluice::partition
