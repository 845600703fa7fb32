// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens to edges.
#include "compiler/emit/ControlEdges.h"

#include "dialects/flow/FrameAnalysis.h"

using namespace mlir;

namespace sluice::emit {

// Edges are cheap, but an op with many tokens and many users would multiply them.
static bool staysSmall(Operation *op, size_t tokens) {
  constexpr size_t kFew = 8;
  size_t users = std::distance(op->use_begin(), op->use_end());
  return users <= 1 || users * tokens <= kFew;
}

bool dissolves(Operation *op) {
  if (isa<flow::StartOp, flow::AfterOp>(op))
    return true;
  if (auto gate = dyn_cast<flow::GateOp>(op)) {
    for (Operation *user : op->getUsers())
      if (isa<flow::MergeOp>(user)) // a merge does not wait for what it does not take
        return false;
    return staysSmall(op, gate.getTokens().size());
  }
  if (isa<flow::JoinOp, flow::TriggerOp>(op))
    return staysSmall(op, op->getNumOperands());
  return false;
}

void collectTokenEdges(Value token, bool order, Edges &edges) {
  SmallVector<std::pair<Value, bool>> open{{token, order}};
  while (!open.empty()) {
    auto [next, isOrder] = open.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (flow::isConstantLike(next) || isa<flow::StartOp>(op))
      continue;
    if (!dissolves(op)) {
      (isOrder ? edges.orders : edges.controls).insert(next);
      continue;
    }
    bool inner = isOrder || isa<flow::TriggerOp>(op);
    for (Value operand : op->getOperands())
      open.push_back({operand, inner});
  }
}

Value collectValueEdges(Value value, Edges &edges) {
  while (auto gate = value.getDefiningOp<flow::GateOp>()) {
    if (!dissolves(gate))
      break;
    for (Value token : gate.getTokens())
      collectTokenEdges(token, false, edges);
    value = gate.getValue();
  }
  return value;
}

} // namespace sluice::emit
