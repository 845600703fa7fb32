// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups merges by the predicate whose two ways they bring together, and by the condition that
// remains. Then tokens that leave a branch are added to the group that they leave.
#include "compiler/raise/FindBranches.h"

#include <map>

using namespace mlir;

namespace sluice::raise {

namespace {

class BranchFinder {
public:
  explicit BranchFinder(const GraphFacts &facts) : facts_(facts), deadness_(facts.deadness) {}

  Branches run() {
    for (Operation *op : facts_.order)
      if (auto switchOp = dyn_cast<flow::SwitchOp>(op))
        addPredicate(switchOp);
    for (Operation *op : facts_.order)
      if (auto merge = dyn_cast<flow::MergeOp>(op);
          merge && !flow::DeadnessAnalysis::isLoopHeader(merge))
        addMerge(merge);
    for (Operation *op : facts_.order)
      addTokens(op);
    explore();
    return std::move(result_);
  }

private:
  // Frame, literal that the predicate is true, context.
  using Key = std::tuple<unsigned, unsigned, unsigned>;

  void addPredicate(flow::SwitchOp op) {
    for (bool way : {true, false})
      predicates_[{facts_.frames.frameOf(op), deadness_.literalOf(op.getPredicate(), way)}]
          .push_back({op.getPredicate(), way});
  }

  // A value that decides the literal and is there in the context, and which way it has to go.
  // Rather one that is there in the context only: a result that depends on nothing but the
  // predicate would be live elsewhere, too. Then rather the predicate itself than one that waits
  // for more.
  std::pair<Value, bool> predicateFor(unsigned frame, unsigned literal, unsigned context) {
    SmallVector<std::pair<Value, bool>> candidates;
    const flow::Literal &decided = deadness_.literal(literal);
    if (decided.home == frame)
      candidates.push_back({decided.source, !decided.negated});
    llvm::append_range(candidates, predicates_[{frame, literal}]);
    for (auto candidate : candidates)
      if (deadness_.conditionOf(candidate.first) == context)
        return candidate;
    for (auto candidate : candidates)
      if (deadness_.conjunction(context, deadness_.conditionOf(candidate.first)) == context)
        return candidate;
    return {};
  }

  // The branch that lies within the context and has the literal on one way; that way is returned.
  Branch *branchFor(unsigned frame, unsigned literal, unsigned context, bool &way) {
    auto [predicate, isTrue] = predicateFor(frame, literal, context);
    if (!predicate)
      return nullptr;
    way = isTrue;
    Key key{frame, deadness_.literalOf(predicate, true), context};
    auto [it, isNew] = numbers_.try_emplace(key, result_.found.size());
    if (isNew) {
      Branch &branch = result_.found.emplace_back();
      branch.frame = frame;
      branch.context = context;
      branch.predicate = predicate;
      for (bool each : {false, true}) {
        branch.literals[each] = deadness_.literalOf(predicate, each);
        branch.conditions[each] =
            deadness_.conjunction(context, deadness_.decided(predicate, each));
      }
    }
    return &result_.found[it->second];
  }

  bool isPivotal(unsigned frame, unsigned literal) {
    flow::LoopCondOp pivot = facts_.frames.frames()[frame].pivot;
    return pivot && (deadness_.literalOf(pivot.getResult(), true) == literal ||
                     deadness_.literalOf(pivot.getResult(), false) == literal);
  }

  // The branch one of whose ways the value is live on, where the merge's context is around it.
  Branch *branchOf(flow::MergeOp merge, Value value, bool &way) {
    unsigned condition = deadness_.conditionOf(value);
    unsigned context = deadness_.conditionOf(merge.getValue());
    ArrayRef<unsigned> literals = deadness_.literalsOf(condition);
    const unsigned *more = llvm::find_if(
        literals, [&](unsigned literal) { return !deadness_.includes(context, literal); });
    if (more == literals.end() || deadness_.literal(*more).kind != flow::Literal::kPredicate ||
        deadness_.without(condition, *more) != context)
      return nullptr;
    return branchFor(facts_.frames.frameOf(merge), *more, context, way);
  }

  std::string tryMerge(flow::MergeOp merge) {
    if (merge.getValues().size() != 2)
      return "it merges " + std::to_string(merge.getValues().size()) + " values";
    // A constant is taken if the other value is dead.
    Value first = merge.getValues()[0], second = merge.getValues()[1];
    if (flow::isConstantLike(first))
      std::swap(first, second);
    bool way = false;
    Branch *branch = branchOf(merge, first, way);
    if (!branch ||
        !(flow::isConstantLike(second) || facts_.isLiveOnlyIf(second, branch->literals[!way])))
      return "its values are not those of the two ways of one predicate";
    BranchEnd end{merge, 0, {}};
    end.values[way] = first;
    end.values[!way] = second;
    branch->ends.push_back(end);
    return "";
  }

  void addMerge(flow::MergeOp merge) {
    if (std::string obstacle = tryMerge(merge); !obstacle.empty())
      result_.strays.push_back({merge, obstacle});
  }

  // The innermost branch on one of whose ways the condition holds exactly: the one whose predicate
  // itself depends on most.
  Branch *innermost(unsigned frame, unsigned condition, bool &way) {
    unsigned chosen = 0;
    size_t most = 0;
    for (unsigned literal : deadness_.literalsOf(condition)) {
      if (deadness_.literal(literal).kind != flow::Literal::kPredicate || isPivotal(frame, literal))
        continue;
      auto [predicate, isTrue] =
          predicateFor(frame, literal, deadness_.without(condition, literal));
      size_t depth =
          predicate ? 1 + deadness_.literalsOf(deadness_.conditionOf(predicate)).size() : 0;
      if (depth > most) {
        most = depth;
        chosen = literal;
      }
    }
    return most ? branchFor(frame, chosen, deadness_.without(condition, chosen), way) : nullptr;
  }

  void addTokens(Operation *op) {
    auto merge = dyn_cast<flow::MergeOp>(op);
    if (!merge && !isa<flow::TriggerOp, flow::TargetOp>(op))
      return;
    unsigned first = merge ? merge.getValues().size() : 0;
    for (unsigned i = first; i < op->getNumOperands(); ++i) {
      bool way = false;
      Value token = op->getOperand(i);
      Branch *branch = innermost(facts_.frames.frameOf(op), deadness_.conditionOf(token), way);
      if (!branch)
        continue;
      BranchEnd end{op, i, {}};
      end.values[way] = token;
      branch->ends.push_back(end);
    }
  }

  void explore() {
    auto isEmpty = [](const Branch &branch) { return branch.ends.empty(); };
    llvm::erase_if(result_.found, isEmpty);
    DenseMap<unsigned, Branch *> around; // by literal: a branch in such a context
    for (Branch &branch : result_.found)
      for (unsigned literal : deadness_.literalsOf(branch.context))
        around[literal] = &branch;
    SmallVector<std::pair<Branch *, Branch *>> nested;
    for (Branch &branch : result_.found) {
      Branch *inner = around.lookup(branch.literals[true]);
      if (!inner)
        inner = around.lookup(branch.literals[false]);
      if (inner && inner->frame == branch.frame)
        nested.push_back({&branch, inner});
      else
        branch.explore(facts_);
    }
    for (auto [branch, inner] : nested)
      if (isEmpty(*inner)) // now that it is explored
        branch->explore(facts_);
      else
        branch->obstacle = "the branch at " + describe(inner->ends.front().user) + " is in it";
    llvm::erase_if(result_.found, isEmpty);
  }

  const GraphFacts &facts_;
  flow::DeadnessAnalysis &deadness_;
  Branches result_;
  std::map<std::pair<unsigned, unsigned>, SmallVector<std::pair<Value, bool>>> predicates_;
  std::map<Key, size_t> numbers_;
};

} // namespace

Branches findBranches(const GraphFacts &facts) { return BranchFinder(facts).run(); }

} // namespace sluice::raise
