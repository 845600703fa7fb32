// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts the ops of a frame: what is live only if the loop goes on is its body; what is live in
// every iteration, the last one included, runs before the condition.
#include "compiler/raise/FindLoops.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace sluice::raise {

flow::EnterOp entryOf(flow::MergeOp header) {
  auto enter = header.getValues()[0].getDefiningOp<flow::EnterOp>();
  return enter ? enter : header.getValues()[1].getDefiningOp<flow::EnterOp>();
}

flow::NextIterationOp backOf(flow::MergeOp header) {
  auto back = header.getValues()[1].getDefiningOp<flow::NextIterationOp>();
  return back ? back : header.getValues()[0].getDefiningOp<flow::NextIterationOp>();
}

namespace {

class LoopSorter {
public:
  LoopSorter(const GraphFacts &facts, unsigned frame, ArrayRef<Operation *> ops)
      : facts_(facts), deadness_(facts.deadness), ops_(ops) {
    loop_.frame = frame;
    loop_.pivot = facts.frames.frames()[frame].pivot;
  }

  Loop run() {
    loop_.obstacle = sort();
    return std::move(loop_);
  }

private:
  std::string sort() {
    if (!loop_.pivot)
      return "it has no loop condition";
    if (std::string obstacle = checkEnters(); !obstacle.empty())
      return obstacle;
    if (!facts_.deadness.isRegular(loop_.frame))
      return "its values do not go round under one condition";
    goesOn_ = deadness_.literalOf(loop_.pivot.getResult(), true);
    ends_ = deadness_.literalOf(loop_.pivot.getResult(), false);
    // From the last op to the first one: what only passes tokens to the body is part of it.
    for (Operation *op : llvm::reverse(ops_))
      if (std::string obstacle = sort(op); !obstacle.empty())
        return obstacle;
    auto reverse = [](auto &list) { std::reverse(list.begin(), list.end()); };
    reverse(loop_.before);
    reverse(loop_.body);
    reverse(loop_.headers);
    reverse(loop_.exits);
    if (needsOwnResult())
      return "it needs a result of its own";
    return checkOrder();
  }

  // One variable of a loop may end early, and what becomes of it go into the others. The primitives
  // do that, one op cannot. Only what comes before the last op that goes in can lead there: mostly
  // nothing, at worst all ops once for each loop.
  bool needsOwnResult() const {
    DenseSet<Operation *> enters;
    unsigned last = 0;
    for (flow::EnterOp enter : facts_.frames.frames()[loop_.frame].enters) {
      enters.insert(enter);
      last = std::max(last, facts_.position.at(enter));
    }
    SmallVector<Operation *> open(loop_.exits.begin(), loop_.exits.end());
    DenseSet<Operation *> seen;
    while (!open.empty()) {
      Operation *op = open.pop_back_val();
      if (enters.contains(op))
        return true;
      for (Operation *user : op->getUsers()) {
        Operation *next = op->getBlock()->findAncestorOpInBlock(*user);
        if (facts_.position.at(next) <= last && !isa<flow::NextIterationOp>(next) &&
            seen.insert(next).second)
          open.push_back(next);
      }
    }
    return false;
  }

  std::string checkEnters() {
    for (flow::EnterOp enter : facts_.frames.frames()[loop_.frame].enters)
      for (Operation *user : enter.getResult().getUsers()) {
        auto merge = dyn_cast<flow::MergeOp>(user);
        if (!enter.getConstant() && !(merge && flow::DeadnessAnalysis::isLoopHeader(merge)))
          return describe(enter) + " brings a value into the first iteration only";
      }
    return "";
  }

  std::string sort(Operation *op) {
    if (auto merge = dyn_cast<flow::MergeOp>(op))
      return sortMerge(merge);
    if (auto switchOp = dyn_cast<flow::SwitchOp>(op))
      return sortSwitch(switchOp);
    if (auto back = dyn_cast<flow::NextIterationOp>(op)) {
      loop_.backs.push_back(back);
      return "";
    }
    if (auto exit = dyn_cast<flow::ExitOp>(op))
      return sortExit(exit);
    if (op == loop_.pivot)
      return "";
    if (isPrimitive(op))
      return "there is " + op->getName().getStringRef().str() + " " + describe(op) + " in it";
    return sortPlain(op);
  }

  std::string sortMerge(flow::MergeOp merge) {
    if (!flow::DeadnessAnalysis::isLoopHeader(merge))
      return "there is the branch at " + describe(merge) + " in it";
    if (!merge.getTokens().empty() || !merge.getIndex().use_empty())
      return describe(merge) + " waits for control tokens, or its index is used";
    loop_.headers.push_back(merge);
    return "";
  }

  std::string sortSwitch(flow::SwitchOp op) {
    if (deadness_.literalOf(op.getPredicate(), true) != goesOn_ &&
        deadness_.literalOf(op.getPredicate(), false) != goesOn_)
      return "there is the branch at " + describe(op) + " in it";
    if (deadness_.includes(deadness_.conditionOf(op.getToken()), goesOn_))
      return describe(op) + " asks again whether the loop goes on";
    if (plainPredicate(op.getPredicate()) != plainPredicate(loop_.pivot.getResult()))
      return describe(op) + " waits for more than the condition";
    loop_.switches.push_back(op);
    return "";
  }

  std::string sortExit(flow::ExitOp exit) {
    auto op = exit.getData().getDefiningOp<flow::SwitchOp>();
    if (!op || !facts_.isLiveOnlyIf(exit.getData(), ends_))
      return describe(exit) + " does not take what the condition lets go";
    loop_.exits.push_back(exit);
    return "";
  }

  std::string sortPlain(Operation *op) {
    bool isBody = isTokenPlumbing(op) && llvm::all_of(op->getUsers(), [&](Operation *user) {
                    return inBody_.contains(user) || isa<flow::NextIterationOp>(user);
                  });
    for (Value result : op->getResults()) {
      if (facts_.isLiveOnlyIf(result, ends_))
        return describe(op) + " runs only when the loop ends";
      isBody |= facts_.isLiveOnlyIf(result, goesOn_);
    }
    if (isBody)
      inBody_.insert(op);
    (isBody ? loop_.body : loop_.before).push_back(op);
    return "";
  }

  // Nothing before the condition may need what is behind it.
  std::string checkOrder() {
    std::vector<Operation *> ops = loop_.before;
    ops.push_back(loop_.pivot);
    for (Operation *op : ops)
      for (Value operand : op->getOperands())
        if (inBody_.contains(operand.getDefiningOp()) || facts_.isLiveOnlyIf(operand, goesOn_))
          return describe(op) + " runs in every iteration but needs what is behind the condition";
    return "";
  }

  const GraphFacts &facts_;
  flow::DeadnessAnalysis &deadness_;
  ArrayRef<Operation *> ops_; // of the frame
  Loop loop_;
  DenseSet<Operation *> inBody_;
  unsigned goesOn_ = 0, ends_ = 0; // literals
};

} // namespace

std::vector<Loop> findInnermostLoops(const GraphFacts &facts) {
  ArrayRef<flow::Frame> frames = facts.frames.frames();
  std::vector<bool> isInnermost(frames.size(), true);
  isInnermost[flow::FrameAnalysis::kRoot] = false;
  for (size_t frame = 1; frame < frames.size(); ++frame)
    isInnermost[frames[frame].parent] = false;
  std::vector<std::vector<Operation *>> ops(frames.size());
  for (Operation *op : facts.order)
    if (unsigned frame = facts.frames.frameOf(op); isInnermost[frame])
      ops[frame].push_back(op);
  std::vector<Loop> loops;
  for (size_t frame = 1; frame < frames.size(); ++frame)
    if (isInnermost[frame])
      loops.push_back(LoopSorter(facts, frame, ops[frame]).run());
  return loops;
}

} // namespace sluice::raise
