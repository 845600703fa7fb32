// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens to edges: operands first, each op decides whether it vanishes.
#include "compiler/emit/ControlEdges.h"

#include "dialects/flow/FrameAnalysis.h"
#include "dialects/flow/GraphOrder.h"

using namespace mlir;

namespace sluice::emit {

// A gate is used by those who use the token of its value as well.
static size_t countUses(Operation *op) {
  size_t uses = 0;
  for (Operation *user : op->getUsers())
    uses += isa<flow::AfterOp>(user) ? std::distance(user->use_begin(), user->use_end()) : 1;
  return uses;
}

static bool mayDissolve(Operation *op) {
  // A merge does not wait for what it does not take.
  auto isMerge = [](Operation *user) { return isa<flow::MergeOp>(user); };
  return isa<flow::JoinOp, flow::TriggerOp>(op) ||
         (isa<flow::GateOp>(op) && llvm::none_of(op->getUsers(), isMerge));
}

ControlEdges::ControlEdges(flow::TokenGraph graph) {
  for (Operation *op : flow::operandsFirst(graph))
    visit(op);
}

void ControlEdges::visit(Operation *op) {
  constexpr size_t kFew = 8;
  size_t uses = mayDissolve(op) ? countUses(op) : 0;
  if (isa<flow::StartOp, flow::AfterOp>(op) || (mayDissolve(op) && uses < 2))
    dissolved_[op] = kUnshared;
  if (uses < 2)
    return;
  Shared made;
  if (auto gate = dyn_cast<flow::GateOp>(op)) {
    for (Value token : gate.getTokens())
      collectToken(token, false, made.edges);
    made.origin = collectValue(gate.getValue(), made.edges);
  } else {
    for (Value token : op->getOperands())
      collectToken(token, isa<flow::TriggerOp>(op), made.edges);
  }
  if (uses * (made.edges.controls.size() + made.edges.orders.size()) > kFew)
    return;
  dissolved_[op] = static_cast<unsigned>(shared_.size());
  shared_.push_back(std::move(made));
}

static void add(Value value, bool isOrder, Edges &edges) {
  (isOrder ? edges.orders : edges.controls).insert(value);
}

static void add(const Edges &more, bool isOrder, Edges &edges) {
  for (Value value : more.controls)
    add(value, isOrder, edges);
  edges.orders.insert_range(more.orders);
}

void ControlEdges::collectToken(Value token, bool order, Edges &edges) const {
  SmallVector<std::pair<Value, bool>> open{{token, order}};
  while (!open.empty()) {
    auto [next, isOrder] = open.pop_back_val();
    if (flow::isConstantLike(next))
      continue;
    Operation *op = next.getDefiningOp();
    auto dissolved = dissolved_.find(op);
    if (dissolved == dissolved_.end()) {
      add(next, isOrder, edges);
    } else if (dissolved->second == kUnshared) {
      for (Value operand : op->getOperands())
        open.push_back({operand, isOrder || isa<flow::TriggerOp>(op)});
    } else {
      const Shared &shared = shared_[dissolved->second];
      add(shared.edges, isOrder, edges);
      if (shared.origin)
        open.push_back({shared.origin, isOrder});
    }
  }
}

Value ControlEdges::collectValue(Value value, Edges &edges) const {
  while (auto gate = value.getDefiningOp<flow::GateOp>()) {
    auto dissolved = dissolved_.find(gate);
    if (dissolved == dissolved_.end())
      break;
    if (dissolved->second != kUnshared) {
      const Shared &shared = shared_[dissolved->second];
      add(shared.edges, false, edges);
      return shared.origin;
    }
    for (Value token : gate.getTokens())
      collectToken(token, false, edges);
    value = gate.getValue();
  }
  return value;
}

} // namespace sluice::emit
