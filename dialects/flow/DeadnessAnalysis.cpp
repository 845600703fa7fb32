// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One walk, operands first, evaluates each op once. Loops are assumed to be regular; when a walk
// shows that some are not, another one evaluates all ops again without that assumption.
#include "dialects/flow/DeadnessAnalysis.h"

#include "dialects/flow/GraphOrder.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace sluice::flow {

// Walks before all loops count as irregular. Each takes back what the one before got wrong.
static constexpr unsigned kMaxWalks = 8;

DeadnessAnalysis::DeadnessAnalysis(const FrameAnalysis &frames) : frames_(&frames) {
  condition({}); // kAlways
  irregular_.resize(frames.frames().size());
  entries_.resize(frames.frames().size());
}

bool DeadnessAnalysis::isLoopHeader(MergeOp merge) {
  OperandRange values = merge.getValues();
  if (values.size() != 2)
    return false;
  auto enter = values[0].getDefiningOp<EnterOp>();
  Value back = values[1];
  if (!enter) {
    enter = values[1].getDefiningOp<EnterOp>();
    back = values[0];
  }
  return enter && !enter.getConstant() && back.getDefiningOp<NextIterationOp>();
}

//===-- Values --------------------------------------------------------------------------------===//

DeadnessAnalysis::Source DeadnessAnalysis::sourceOf(Value value) const {
  auto it = sources_.find(value);
  return it == sources_.end() ? Source{value} : it->second;
}

void DeadnessAnalysis::forward(Value from, Value to, bool negated) {
  Source source = sourceOf(from);
  sources_[to] = {source.value, source.negated != negated};
}

unsigned DeadnessAnalysis::literalOf(Value predicate, bool way) {
  Source source = sourceOf(predicate);
  Operation *op = source.value.getDefiningOp();
  unsigned home = op ? frames_->resultFrameOf(op) : FrameAnalysis::kRoot;
  return numberOf({Literal::kPredicate, source.negated == way, home, source.value});
}

unsigned DeadnessAnalysis::decided(Value predicate, bool way) {
  return conjunction(conditionOf(predicate), condition({literalOf(predicate, way)}));
}

unsigned DeadnessAnalysis::operandsOf(Operation *op) {
  unsigned all = kAlways;
  for (Value operand : op->getOperands())
    all = conjunction(all, conditionOf(operand));
  return all;
}

void DeadnessAnalysis::setResults(Operation *op, unsigned condition) {
  for (Value result : op->getResults())
    conditionOf_[result] = condition;
}

void DeadnessAnalysis::setUnknown(Operation *op) {
  for (Value result : op->getResults())
    conditionOf_[result] = unknown(homeOf(op), result);
}

// The frame of an op's results. Of ops in regions it is not known here.
unsigned DeadnessAnalysis::homeOf(Operation *op) const {
  return isa<TokenGraph>(op->getParentOp()) ? frames_->resultFrameOf(op) : kNowhere;
}

//===-- Ops -----------------------------------------------------------------------------------===//

void DeadnessAnalysis::evaluateSwitch(SwitchOp op) {
  unsigned fired = operandsOf(op);
  conditionOf_[op.getToken()] = fired;
  conditionOf_[op.getOnTrue()] = conjunction(fired, decided(op.getPredicate(), true));
  conditionOf_[op.getOnFalse()] = conjunction(fired, decided(op.getPredicate(), false));
}

void DeadnessAnalysis::evaluateMerge(MergeOp merge) {
  unsigned frame = frames_->frameOf(merge);
  SmallVector<unsigned> conditions;
  bool isBackEdge = false, isConstant = false;
  for (Value value : merge.getValues()) {
    isBackEdge |= value.getDefiningOp<NextIterationOp>() != nullptr;
    auto enter = value.getDefiningOp<EnterOp>();
    if (enter && isLoopHeader(merge) && isRegular(frame)) {
      unsigned entered = numberOf({Literal::kFrame, false, frame, Value()});
      unsigned around = entries_[frame].value_or(conditionOf(enter.getData()));
      return setResults(merge, conjunction(around, condition({entered})));
    }
    isConstant |= isConstantLike(value);
    conditions.push_back(conditionOf(value));
  }
  if (isBackEdge)
    return setUnknown(merge);
  if (isConstant) // which is taken when all others are dead
    return setWhereverArrives(merge, merge.getValues());
  setResults(merge, disjunction(conditions, frame));
}

void DeadnessAnalysis::evaluateEnter(EnterOp enter) {
  unsigned frame = frames_->resultFrameOf(enter);
  unsigned entered = condition({numberOf({Literal::kFrame, false, frame, Value()})});
  unsigned live = conjunction(conditionOf(enter.getData()), entered);
  if (enter.getConstant())
    forward(enter.getData(), enter.getResult());
  else
    live = conjunction(live, condition({numberOf({Literal::kFirst, false, frame, Value()})}));
  conditionOf_[enter.getResult()] = live;
}

// Of a value that is live in the last iteration, and under which condition from outside.
void DeadnessAnalysis::evaluateExit(ExitOp exit) {
  unsigned frame = frames_->frameOf(exit);
  LoopCondOp pivot = frames_->frames()[frame].pivot;
  Literals outer;
  bool isLast = false, isLocal = !isRegular(frame);
  for (unsigned number : literalsOf(conditionOf(exit.getData()))) {
    const Literal &literal = literals_[number];
    Source last = pivot ? sourceOf(pivot.getResult()) : Source();
    if (literal.kind == Literal::kPredicate && literal.source == last.value &&
        literal.negated != last.negated)
      isLast = true;
    else if (literal.kind == Literal::kFrame && literal.home == frame)
      continue;
    else if (literal.home == frame || literal.home == kNowhere)
      isLocal = true;
    else
      outer.push_back(number);
  }
  if (isLast && !isLocal)
    conditionOf_[exit.getResult()] = condition(outer);
  else
    setUnknown(exit);
}

// Live whether the operands are or not, but only in the iterations in which they arrive.
void DeadnessAnalysis::setWhereverArrives(Operation *op, ValueRange operands) {
  unsigned places = kAlways;
  for (Value operand : operands)
    for (unsigned number : literalsOf(conditionOf(operand))) {
      if (literals_[number].kind == Literal::kUnknown)
        return setUnknown(op);
      if (literals_[number].kind != Literal::kPredicate)
        places = conjunction(places, condition({number}));
    }
  setResults(op, places);
}

// Live as the predicate, and as the captures that a result depends on, if these are alike either
// way.
void DeadnessAnalysis::evaluateCond(CondOp cond) {
  unsigned decided = conditionOf(cond.getPredicate());
  for (Region *region : {&cond.getOnTrue(), &cond.getOnFalse()})
    evaluateRegion(region->front(), decided, cond.getCaptures());
  Operation *onTrue = cond.getOnTrue().front().getTerminator();
  Operation *onFalse = cond.getOnFalse().front().getTerminator();
  unsigned home = homeOf(cond);
  for (OpResult result : cond->getResults()) {
    unsigned number = result.getResultNumber();
    unsigned live = conditionOf(onTrue->getOperand(number));
    bool isAlike = live == conditionOf(onFalse->getOperand(number));
    conditionOf_[result] = isAlike ? live : conjunction(decided, unknown(home, result));
  }
}

// Ops of a region run, dead or alive, when the region does. It holds no primitives.
void DeadnessAnalysis::evaluateRegion(Block &block, unsigned around, ValueRange captures) {
  for (auto [argument, capture] : llvm::zip_equal(block.getArguments(), captures))
    conditionOf_[argument] = conjunction(around, conditionOf(capture));
  for (Operation &op : block.without_terminator()) {
    evaluate(&op);
    for (Value result : op.getResults())
      conditionOf_[result] = isa<TriggerOp>(op) ? around : conjunction(around, conditionOf(result));
  }
  for (Value result : block.getTerminator()->getOperands()) // constants
    conditionOf_[result] = conjunction(around, conditionOf(result));
}

// A dead initial value makes all results dead, a dead capture perhaps some.
void DeadnessAnalysis::evaluateWhile(WhileOp loop) {
  unsigned all = operandsOf(loop), entered = kAlways;
  for (Value init : loop.getInits())
    entered = conjunction(entered, conditionOf(init));
  unsigned home = homeOf(loop);
  for (Value result : loop.getResults())
    conditionOf_[result] = all == entered ? all : conjunction(entered, unknown(home, result));
}

void DeadnessAnalysis::evaluate(Operation *op) {
  if (auto switchOp = dyn_cast<SwitchOp>(op))
    return evaluateSwitch(switchOp);
  if (auto merge = dyn_cast<MergeOp>(op))
    return evaluateMerge(merge);
  if (auto enter = dyn_cast<EnterOp>(op))
    return evaluateEnter(enter);
  if (auto exit = dyn_cast<ExitOp>(op))
    return evaluateExit(exit);
  if (auto trigger = dyn_cast<TriggerOp>(op))
    return setWhereverArrives(trigger, trigger.getTokens());
  if (auto cond = dyn_cast<CondOp>(op); cond && !isCollapsed(op))
    return evaluateCond(cond);
  if (auto loop = dyn_cast<WhileOp>(op); loop && !isCollapsed(op))
    return evaluateWhile(loop);
  // What a message brings is known to its sender. Only merges read next_iteration.
  if (isa<NextIterationOp>(op) || op->hasTrait<CrossesDevices>())
    return setUnknown(op);
  setResults(op, operandsOf(op));
  if (isa<LoopCondOp, GateOp>(op))
    forward(op->getOperand(0), op->getResult(0));
  else if (op->hasTrait<IsNegation>())
    forward(op->getOperand(0), op->getResult(0), /*negated=*/true);
}

// Of one frame.
struct DeadnessAnalysis::Headers {
  SmallVector<MergeOp> merges;
  SmallVector<unsigned> entries; // of each: when its first value is live
};

// Whether the op gives nothing when this operand is dead.
static bool needs(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto loop = dyn_cast<WhileOp>(op))
    return operand.getOperandNumber() < loop.getInits().size();
  if (isa<CondOp>(op))
    return operand.getOperandNumber() == 0;
  return !isa<MergeOp, TriggerOp, NextIterationOp, ExitOp>(op);
}

// All that waits for one of the values, in the frame and in those within it.
static DenseSet<Operation *> findWaiting(ArrayRef<MergeOp> headers) {
  DenseSet<Operation *> waiting;
  SmallVector<Operation *> open(headers.begin(), headers.end());
  while (!open.empty())
    for (OpOperand &use : open.pop_back_val()->getUses())
      if (needs(use) && waiting.insert(use.getOwner()).second)
        open.push_back(use.getOwner());
  return waiting;
}

// Whether these values are just handed on to what waits for others.
static bool areIdle(ArrayRef<MergeOp> headers, const DenseSet<Operation *> &waiting) {
  DenseSet<Operation *> seen;
  SmallVector<Operation *> open(headers.begin(), headers.end());
  while (!open.empty())
    for (Operation *user : open.pop_back_val()->getUsers()) {
      if (waiting.contains(user) || !seen.insert(user).second)
        continue;
      if (!user->hasTrait<Steers>() || user->getNumRegions() > 0)
        return false; // it might fail, too
      open.push_back(user);
    }
  return true;
}

// Finds out when all first values of a loop are live. Returns false where no one of them says so,
// where the loop's condition does not wait for those that do, or where others do something alone.
// A nest has all that is in it looked at once for each loop, at worst.
bool DeadnessAnalysis::alignEntries(unsigned frame, const Headers &headers) {
  unsigned all = kAlways;
  for (unsigned entry : headers.entries)
    all = conjunction(all, entry);
  SmallVector<MergeOp> early, late;
  for (auto [merge, entry] : llvm::zip_equal(headers.merges, headers.entries))
    (entry == all ? late : early).push_back(merge);
  DenseSet<Operation *> waiting = findWaiting(late);
  if (!waiting.contains(frames_->frames()[frame].pivot) || !areIdle(early, waiting))
    return false;
  entries_[frame] = all;
  return true;
}

// Marks the loops whose headers are not live as assumed. Returns whether another walk is needed.
bool DeadnessAnalysis::findIrregular(TokenGraph graph) {
  ArrayRef<Frame> frames = frames_->frames();
  SmallVector<Headers> all(frames.size());
  SmallVector<std::optional<unsigned>> headers(frames.size());
  SmallVector<bool> irregular(frames.size());
  for (size_t frame = 1; frame < frames.size(); ++frame)
    irregular[frame] = irregular_[frame] || !frames[frame].pivot;
  for (auto merge : graph.getBody().getOps<MergeOp>())
    if (unsigned frame = frames_->frameOf(merge); isLoopHeader(merge)) {
      auto enter = merge.getValues()[0].getDefiningOp<EnterOp>();
      if (!enter)
        enter = merge.getValues()[1].getDefiningOp<EnterOp>();
      all[frame].merges.push_back(merge);
      all[frame].entries.push_back(conditionOf(enter.getData()));
      headers[frame] = conditionOf(merge.getValue());
    }
  bool isMore = false;
  for (size_t frame = 1; frame < frames.size(); ++frame) {
    if (irregular[frame])
      continue;
    std::optional<unsigned> before = std::exchange(entries_[frame], std::nullopt);
    if (!llvm::all_equal(all[frame].entries))
      irregular[frame] = !alignEntries(static_cast<unsigned>(frame), all[frame]);
    if (!irregular[frame] && before != entries_[frame]) {
      isMore = true;
      headers[frame].reset(); // the next walk will tell
    }
  }
  for (auto back : graph.getBody().getOps<NextIterationOp>()) {
    unsigned frame = frames_->frameOf(back);
    if (irregular[frame] || !headers[frame])
      continue;
    LoopCondOp pivot = frames[frame].pivot;
    unsigned goesOn = conjunction(*headers[frame], decided(pivot.getResult(), true));
    irregular[frame] = conditionOf(back.getData()) != goesOn;
  }
  for (size_t frame = 1; frame < frames.size(); ++frame)
    irregular[frame] = irregular[frame] || all[frame].merges.empty();
  isMore |= irregular != irregular_;
  irregular_ = std::move(irregular);
  return isMore;
}

DeadnessAnalysis DeadnessAnalysis::run(TokenGraph graph, const FrameAnalysis &frames) {
  DeadnessAnalysis analysis(frames);
  std::vector<Operation *> order = operandsFirst(graph);
  for (unsigned walk = 1;; ++walk) {
    analysis.conditionOf_.clear();
    analysis.sources_.clear();
    for (Operation *op : order)
      analysis.evaluate(op);
    if (!analysis.findIrregular(graph))
      return analysis;
    if (walk == kMaxWalks) {
      analysis.irregular_.assign(frames.frames().size(), true);
      analysis.irregular_[FrameAnalysis::kRoot] = false;
    }
  }
}

} // namespace sluice::flow
