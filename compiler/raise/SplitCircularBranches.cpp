// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch that becomes one op must not depend on itself:
//
//    switch p ──▶ a ──▶ merge p ──▶ b ──▶ switch p ──▶ c ──▶ merge p
//
// is one branch on p only if nothing leads from its results back to its captures. So each branch is
// contracted to one node, and those on circles are taken apart by level: one more than the highest
// level of what a result depends on. Then what leads from one part to another rises, and no circle
// is left. A loop becomes one op, too: all that leaves it depends on all that enters it.
//
// Nodes are peeled off that nothing leads to or from; what remains is on circles, or between them.
#include "compiler/raise/SplitCircularBranches.h"

#include <map>

using namespace mlir;

namespace sluice::raise {

namespace {

class Contraction {
public:
  Contraction(const GraphFacts &facts, const std::vector<Branch> &branches)
      : facts_(facts), branches_(branches), producers_(facts.order.size() + branches.size()) {
    for (auto [number, branch] : llvm::enumerate(branches))
      if (branch.obstacle.empty())
        for (const BranchEnd &end : branch.ends)
          ends_[{end.user, end.operand}] = number;
    for (Operation *op : facts.order)
      connect(op);
    for (auto [number, branch] : llvm::enumerate(branches))
      if (branch.obstacle.empty())
        connect(number);
  }

  // By branch: whether it is on a circle, or between two.
  std::vector<bool> findCircular() const {
    std::vector<std::vector<unsigned>> users(producers_.size());
    for (unsigned node = 0; node < producers_.size(); ++node)
      for (unsigned producer : producers_[node])
        users[producer].push_back(node);
    std::vector<bool> open(producers_.size(), true);
    peel(producers_, users, open);
    peel(users, producers_, open);
    return {open.begin() + facts_.order.size(), open.end()};
  }

  using EndLevels = std::map<std::pair<Operation *, unsigned>, unsigned>;

  // By end: how many results of circular branches it depends on, at most, one after the other.
  EndLevels levels(const std::vector<bool> &circular) const {
    EndLevels result;
    OpLevels levels, before;
    // An exit may come before an enter of its loop in the order of ops: their levels rise once more
    // for each loop on the way, and without end only in graphs that have circles anyway.
    for (size_t round = 0; round <= facts_.frames.frames().size(); ++round) {
      for (Operation *op : facts_.order)
        levels[op] = levelOf(op, circular, levels, result);
      if (levels == before)
        break;
      before = levels;
    }
    return result;
  }

private:
  using Edges = std::vector<std::vector<unsigned>>;
  using OpLevels = DenseMap<Operation *, unsigned>;

  unsigned levelOf(Operation *op, const std::vector<bool> &circular, const OpLevels &levels,
                   EndLevels &ends) const {
    unsigned level = 0;
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      unsigned here = isa<flow::NextIterationOp>(producer) ? 0 : levels.lookup(producer);
      auto end = ends_.find(keyOf(operand));
      if (end != ends_.end() && circular[end->second]) {
        unsigned &of = ends[end->first];
        of = std::max(of, ++here);
      }
      level = std::max(level, here);
    }
    for (flow::EnterOp enter : entersBefore(op))
      level = std::max(level, levels.lookup(enter));
    return level;
  }

  // What an exit depends on beside its operand.
  ArrayRef<flow::EnterOp> entersBefore(Operation *op) const {
    if (!isa<flow::ExitOp>(op))
      return {};
    return facts_.frames.frames()[facts_.frames.frameOf(op)].enters;
  }

  static std::pair<Operation *, unsigned> keyOf(OpOperand &operand) {
    // All values of a merge are one end.
    auto merge = dyn_cast<flow::MergeOp>(operand.getOwner());
    bool isValue = merge && operand.getOperandNumber() < merge.getValues().size();
    return {operand.getOwner(), isValue ? 0 : operand.getOperandNumber()};
  }

  void connect(Operation *op) {
    std::vector<unsigned> &producers = producers_[facts_.position.at(op)];
    for (OpOperand &operand : op->getOpOperands()) {
      auto end = ends_.find(keyOf(operand));
      if (end != ends_.end())
        producers.push_back(facts_.order.size() + end->second);
      else
        addProducer(producers, operand.get());
    }
    for (flow::EnterOp enter : entersBefore(op))
      producers.push_back(facts_.position.at(enter));
  }

  void connect(size_t number) {
    std::vector<unsigned> &producers = producers_[facts_.order.size() + number];
    addProducer(producers, branches_[number].predicate);
    for (const Capture &capture : branches_[number].captures) {
      addProducer(producers, capture.value);
      if (capture.awaited)
        addProducer(producers, capture.awaited);
    }
  }

  void addProducer(std::vector<unsigned> &producers, Value value) {
    if (!value.getDefiningOp<flow::NextIterationOp>())
      producers.push_back(facts_.position.at(value.getDefiningOp()));
  }

  static void peel(const Edges &before, const Edges &after, std::vector<bool> &open) {
    std::vector<unsigned> waiting(before.size()), ready;
    for (unsigned node = 0; node < before.size(); ++node) {
      for (unsigned other : before[node])
        waiting[node] += open[other];
      if (open[node] && !waiting[node])
        ready.push_back(node);
    }
    while (!ready.empty()) {
      unsigned node = ready.back();
      ready.pop_back();
      open[node] = false;
      for (unsigned other : after[node])
        if (open[other] && --waiting[other] == 0)
          ready.push_back(other);
    }
  }

  const GraphFacts &facts_;
  const std::vector<Branch> &branches_;
  Edges producers_; // by node: ops in their order, then branches
  std::map<std::pair<Operation *, unsigned>, size_t> ends_;
};

} // namespace

static void split(const GraphFacts &facts, std::vector<Branch> &branches,
                  const Contraction &contraction, const std::vector<bool> &circular) {
  auto levels = contraction.levels(circular);
  std::vector<Branch> result;
  for (auto [branch, isCircular] : llvm::zip_equal(branches, circular)) {
    if (!isCircular || !branch.obstacle.empty()) {
      result.push_back(std::move(branch));
      continue;
    }
    std::map<unsigned, Branch> parts;
    for (const BranchEnd &end : branch.ends) {
      Branch &part = parts[levels.at({end.user, end.operand})];
      static_cast<BranchKey &>(part) = branch;
      part.ends.push_back(end);
    }
    for (auto &[level, part] : parts) {
      part.explore(facts);
      result.push_back(std::move(part));
    }
  }
  branches = std::move(result);
}

void splitCircularBranches(const GraphFacts &facts, std::vector<Branch> &branches) {
  Contraction contraction(facts, branches);
  std::vector<bool> circular = contraction.findCircular();
  if (!llvm::is_contained(circular, true))
    return;
  split(facts, branches, contraction, circular);
  // A part whose predicate waits for a result of the same part, say.
  for (auto [branch, isCircular] :
       llvm::zip_equal(branches, Contraction(facts, branches).findCircular()))
    if (isCircular && branch.obstacle.empty())
      branch.obstacle = "its results lead back to its captures";
}

} // namespace sluice::raise
