// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sweeps over each graph: against its edges for those that look for a consumer, then along its
// edges for those that look for a producer. No cycle can come up: the first sweep never turns to a
// producer, and cycles of a graph pass through flow.next_iteration, which leads.
#include "compiler/place/Leaders.h"

#include "dialects/flow/GraphOrder.h"

using namespace mlir;

namespace sluice::place {

namespace {

class LeaderSearch {
public:
  explicit LeaderSearch(const Groups &groups)
      : groups_(groups), leaders_(groups.members().size(), kNoLeader) {
    for (auto [i, op] : llvm::enumerate(groups.members()))
      if (!onlyOrders(op) || groups.sizeOf(groups.groupOf(static_cast<unsigned>(i))) > 1)
        leaders_[i] = static_cast<unsigned>(i);
  }

  void run(flow::GraphOp graph) {
    std::vector<Operation *> order = flow::operandsFirst(graph);
    for (Operation *op : llvm::reverse(order))
      if (looksForConsumer(op))
        lead(op, leadingConsumer(op));
    for (Operation *op : order)
      lead(op, leadingProducer(op));
  }

  std::vector<unsigned> take() { return std::move(leaders_); }

private:
  static bool looksForConsumer(Operation *op) {
    // A constant has no device to follow.
    auto after = dyn_cast<flow::AfterOp>(op);
    return isa<flow::GateOp, flow::JoinOp, flow::TriggerOp>(op) ||
           (after && flow::isConstantLike(after.getValue()));
  }

  void lead(Operation *op, unsigned leader) {
    if (auto member = groups_.memberOf(op); member && leaders_[*member] == kNoLeader)
      leaders_[*member] = leader;
  }

  // The leader of the first consumer that has one by now.
  unsigned leadingConsumer(Operation *op) {
    unsigned first = kNoLeader, leader = kNoLeader;
    for (Operation *user : op->getUsers()) {
      auto member = groups_.memberOf(user);
      if (member && *member < first && leaders_[*member] != kNoLeader) {
        first = *member;
        leader = leaders_[first];
      }
    }
    return leader;
  }

  unsigned leadingProducer(Operation *op) {
    for (Value operand : op->getOperands())
      if (auto member = groups_.memberOf(operand.getDefiningOp());
          member && leaders_[*member] != kNoLeader)
        return leaders_[*member];
    return kNoLeader;
  }

  const Groups &groups_;
  std::vector<unsigned> leaders_;
};

} // namespace

std::vector<unsigned> findLeaders(ModuleOp module, const Groups &groups) {
  LeaderSearch search(groups);
  for (auto graph : module.getOps<flow::GraphOp>())
    search.run(graph);
  return search.take();
}

std::optional<unsigned> firstConsumer(const Groups &groups, Operation *op) {
  std::optional<unsigned> first;
  for (Operation *user : op->getUsers())
    if (auto member = groups.memberOf(user);
        member && !isa<flow::AfterOp, flow::TargetOp>(user) && (!first || *member < *first))
      first = member;
  return first;
}

} // namespace sluice::place
