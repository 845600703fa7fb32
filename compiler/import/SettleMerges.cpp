// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass import-settle-merges: which value counts where a graph gives a merge several live ones.
//
// A value that is live whenever another one is *gives way* to it: it is what the merge takes where
// the other one is dead. Said with switches, that is an ordinary branch. Where the other value is
// live under one condition more, the value goes through a switch on that predicate; under several,
// through one for each, from the outermost in, which makes as many branches within each other:
//
//     merge(u, v if p and q)   =   merge(u if not p, merge(u if p and not q, v if p and q))
//
// Where no predicates are found, a merge of constants says whether one of the others is live.
#include "compiler/import/MergeParts.h"
#include "compiler/import/Passes.h"

#include "dialects/flow/DeadnessAnalysis.h"
#include "dialects/flow/GraphPass.h"

#include <map>

using namespace mlir;

namespace sluice::import {

#define GEN_PASS_DEF_IMPORTSETTLEMERGES
#include "compiler/import/Passes.h.inc"

namespace {

// Conditions that one value has more than another are looked for up to this number, and predicates
// that decide the same, so that the pass takes time in proportion to the graph.
constexpr size_t kMostSteps = 16, kMostPredicates = 16;
// Each value of a merge is compared with each other one.
constexpr size_t kMostValues = 32;

// One of the values of a merge, or what several of them have become.
struct Input {
  Value value;
  unsigned condition;
  unsigned position; // among the values of the graph's merge
  Value index;       // the position of what has been taken; null while that is `position`
};

// Whether several values may be live at a time. A back edge comes in another iteration.
bool mayMeet(flow::MergeOp merge) {
  size_t count = merge.getValues().size();
  return count > 1 && count <= kMostValues && llvm::none_of(merge.getValues(), [](Value value) {
           return value.getDefiningOp<flow::NextIterationOp>() != nullptr;
         });
}

class Settlement {
public:
  Settlement(flow::TokenGraph graph, const flow::FrameAnalysis &frames)
      : graph_(graph), frames_(frames), deadness_(flow::DeadnessAnalysis::run(graph, frames)) {
    for (auto op : graph.getBody().getOps<flow::SwitchOp>())
      addPredicate(op);
  }

  uint64_t run() {
    uint64_t count = 0;
    for (auto merge : llvm::make_early_inc_range(graph_.getBody().getOps<flow::MergeOp>()))
      count += settle(merge);
    for (flow::MergeOp merge : replaced_) // conditions are known by values
      merge.erase();
    return count;
  }

private:
  using Inputs = SmallVector<Input>;
  // A literal is decided by the switch's predicate, as it is by then.
  struct Decision {
    flow::SwitchOp by;
    bool way;
  };

  void addPredicate(flow::SwitchOp op) {
    for (bool way : {true, false}) {
      SmallVector<Decision> &known =
          predicates_[{frames_.frameOf(op), deadness_.literalOf(op.getPredicate(), way)}];
      bool isKnown = llvm::any_of(known, [&](Decision decision) {
        return decision.by.getPredicate() == op.getPredicate();
      });
      if (known.size() < kMostPredicates && !isKnown)
        known.push_back({op, way});
    }
  }

  unsigned conditionOf(Value value) const {
    auto it = settled_.find(value);
    return it == settled_.end() ? deadness_.conditionOf(value) : it->second;
  }

  // Of values that are live in exactly the same cases the first one counts.
  Inputs inputsOf(flow::MergeOp merge) const {
    Inputs inputs;
    for (auto [position, value] : llvm::enumerate(merge.getValues())) {
      Input input{value, conditionOf(value), static_cast<unsigned>(position), Value()};
      bool isConstant = flow::isConstantLike(value);
      auto isSame = [&](const Input &other) {
        return other.condition == input.condition &&
               flow::isConstantLike(other.value) == isConstant;
      };
      if (llvm::none_of(inputs, isSame))
        inputs.push_back(input);
    }
    return inputs;
  }

  // What is live only when `input` is, which therefore gives way to it. Constants do to all others.
  SmallVector<const Input *> preferredTo(const Input &input, const Inputs &inputs) const {
    SmallVector<const Input *> result;
    bool isConstant = flow::isConstantLike(input.value);
    for (const Input &other : inputs)
      if (!flow::isConstantLike(other.value) &&
          (isConstant || (other.condition != input.condition &&
                          deadness_.implies(other.condition, input.condition))))
        result.push_back(&other);
    return result;
  }

  bool settle(flow::MergeOp merge) {
    if (!mayMeet(merge))
      return false;
    Inputs inputs = inputsOf(merge);
    bool isAny = inputs.size() < merge.getValues().size();
    MergeParts parts(merge);
    while (joinTwo(merge, inputs, parts))
      isAny = true;
    isAny |= letGiveWay(inputs, parts);
    if (isAny)
      replace(merge, inputs, parts);
    return isAny;
  }

  // Makes one value of two of which one gives way to the other alone. That a constant does is a
  // rule of merges, which is enough for a single branch.
  bool joinTwo(flow::MergeOp merge, Inputs &inputs, MergeParts &parts) {
    for (Input &general : inputs) {
      SmallVector<const Input *> preferred = preferredTo(general, inputs);
      if (preferred.size() != 1)
        continue;
      const Input &special = *preferred.front();
      SmallVector<Step> steps = stepsBetween(merge, general.condition, special.condition);
      if (steps.size() < (flow::isConstantLike(general.value) ? 2 : 1))
        continue;
      bool needsIndex = !merge.getIndex().use_empty();
      Input joined = join(general, special, steps, needsIndex, parts);
      inputs.erase(inputs.begin() + (&special - inputs.data()));
      *llvm::find_if(
          inputs, [&](const Input &input) { return input.position == joined.position; }) = joined;
      return true;
    }
    return false;
  }

  // How to get from where one value is live to where the other is. Empty if that is not known.
  SmallVector<Step> stepsBetween(flow::MergeOp merge, unsigned from, unsigned to) {
    SmallVector<unsigned> open;
    for (unsigned literal : deadness_.literalsOf(to))
      if (!deadness_.includes(from, literal))
        open.push_back(literal);
    SmallVector<Step> steps;
    while (!open.empty() && open.size() <= kMostSteps) {
      auto *next = llvm::find_if(open, [&](unsigned literal) {
        std::optional<Step> step = stepFor(merge, literal, from);
        if (step)
          steps.push_back(*step);
        return step.has_value();
      });
      if (next == open.end())
        return {};
      from = deadness_.with(from, *next);
      open.erase(next);
    }
    return steps;
  }

  // A predicate that decides the literal and is there wherever `context` holds.
  std::optional<Step> stepFor(flow::MergeOp merge, unsigned literal, unsigned context) {
    if (deadness_.literal(literal).kind != flow::Literal::kPredicate)
      return std::nullopt;
    auto it = predicates_.find({frames_.frameOf(merge), literal});
    if (it == predicates_.end())
      return std::nullopt;
    for (auto [by, way] : it->second) {
      Value predicate = by.getPredicate();
      if (deadness_.implies(context, conditionOf(predicate)) &&
          predicate.getDefiningOp()->isBeforeInBlock(merge))
        return Step{predicate, way};
    }
    return std::nullopt;
  }

  static Input join(const Input &general, const Input &special, ArrayRef<Step> steps,
                    bool needsIndex, MergeParts &parts) {
    SmallVector<Value> others; // where each step goes the other way
    Value rest = general.value;
    for (Step step : steps) {
      auto [stays, leaves] = parts.switched(rest, step);
      others.push_back(leaves);
      rest = stays;
    }
    Value value = special.value, index = needsIndex ? indexOf(special, parts) : Value();
    bool isFirst = general.position < special.position;
    auto pair = [&](Value one, Value other) {
      return isFirst ? SmallVector<Value>{one, other} : SmallVector<Value>{other, one};
    };
    for (Value other : llvm::reverse(others)) {
      Input part{other, 0, general.position, Value()};
      value = parts.merged(pair(other, value), {}).getValue();
      if (needsIndex)
        index = parts.mergedIndices(pair(indexOf(part, parts), index));
    }
    return {value, general.condition, general.position, index};
  }

  // The position of the value, there as often as that is.
  static Value indexOf(const Input &input, MergeParts &parts) {
    if (input.index)
      return input.index;
    Value number = parts.number(input.position);
    return flow::isConstantLike(input.value) ? number
                                             : parts.gated(number, parts.after(input.value));
  }

  // A value that comes in the first iteration only would be waited for in all others.
  bool comesAlways(const Input &input) const {
    return llvm::none_of(deadness_.literalsOf(input.condition), [&](unsigned literal) {
      return deadness_.literal(literal).kind == flow::Literal::kFirst;
    });
  }

  bool letGiveWay(Inputs &inputs, MergeParts &parts) const {
    SmallVector<std::pair<Input *, Value>> replacements;
    for (Input &input : inputs) {
      SmallVector<Value> others;
      for (const Input *other : preferredTo(input, inputs))
        if (comesAlways(*other) && !flow::isConstantLike(input.value))
          others.push_back(other->value);
      if (!others.empty())
        replacements.push_back(
            {&input, parts.switched(input.value, {parts.areDead(others), true}).first});
    }
    for (auto [input, value] : replacements)
      input->value = value;
    return !replacements.empty();
  }

  void replace(flow::MergeOp merge, ArrayRef<Input> inputs, MergeParts &parts) {
    SmallVector<Value> values;
    for (const Input &input : inputs)
      values.push_back(input.value);
    Value value = values.front(), token;
    if (values.size() > 1 || value.getType() != merge.getValue().getType() ||
        flow::isConstantLike(value)) {
      flow::MergeOp all = parts.merged(values, merge.getTokens());
      value = all.getValue();
      token = all.getToken();
    } else if (!merge.getTokens().empty()) {
      value = parts.gated(value, parts.trigger(merge.getTokens()));
    }
    if (!merge.getIndex().use_empty())
      replaceIndex(merge, inputs, value, parts);
    settled_[value] = deadness_.conditionOf(merge.getValue());
    if (!merge.getToken().use_empty())
      merge.getToken().replaceAllUsesWith(token ? token : parts.after(value));
    merge.getValue().replaceAllUsesWith(value);
    replaced_.push_back(merge);
  }

  static void replaceIndex(flow::MergeOp merge, ArrayRef<Input> inputs, Value value,
                           MergeParts &parts) {
    SmallVector<Value> indices;
    for (const Input &input : inputs)
      indices.push_back(indexOf(input, parts));
    Value index = parts.mergedIndices(indices);
    if (!merge.getTokens().empty()) // it waits for them as the value does
      index = parts.gated(index, parts.after(value));
    merge.getIndex().replaceAllUsesWith(index);
  }

  flow::TokenGraph graph_;
  const flow::FrameAnalysis &frames_;
  flow::DeadnessAnalysis deadness_;
  std::map<std::pair<unsigned, unsigned>, SmallVector<Decision>> predicates_; // by frame, literal
  DenseMap<Value, unsigned> settled_; // conditions of values that are new
  SmallVector<flow::MergeOp> replaced_;
};

struct SettleMerges : flow::GraphPass<impl::ImportSettleMergesBase<SettleMerges>> {
  void runOnGraph(flow::TokenGraph graph) override {
    FailureOr<uint64_t> settled = settleMerges(graph);
    if (failed(settled))
      return signalPassFailure();
    numSettled += *settled;
  }
};

} // namespace

FailureOr<uint64_t> settleMerges(flow::TokenGraph graph) {
  if (llvm::none_of(graph.getBody().getOps<flow::MergeOp>(), mayMeet))
    return 0;
  std::optional<flow::FrameAnalysis> frames = flow::FrameAnalysis::run(graph);
  if (!frames)
    return failure();
  return Settlement(graph, *frames).run();
}

} // namespace sluice::import
