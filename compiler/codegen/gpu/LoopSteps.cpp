// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of the steps of a loop on a card.
#include "compiler/codegen/gpu/LoopSteps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace sluice::codegen {

// Whether it is steps of its own.
static bool launches(Operation *op) {
  return op
      ->walk([](Operation *inside) {
        return isa<gpu::LaunchFuncOp, scf::WhileOp>(inside) ? WalkResult::interrupt()
                                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

// Whether the card may stop in the middle of it.
static bool hasLoop(Operation *op) {
  return op->walk([](scf::WhileOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

// A load or store of a variable of the function, which kernels do not know.
static bool usesVariable(Operation *op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  auto store = dyn_cast<LLVM::StoreOp>(op);
  Value address = load ? load.getAddr() : store ? store.getAddr() : Value();
  return address && address.getDefiningOp<LLVM::AllocaOp>();
}

static LoopStep scalars(LoopAction action) {
  LoopStep step;
  step.actions.push_back(std::move(action));
  return step;
}

void addStep(std::vector<LoopStep> &steps, LoopStep step) {
  bool joins = !steps.empty() && step.kind == LoopStep::Kind::kScalars &&
               steps.back().kind == LoopStep::Kind::kScalars;
  if (joins)
    steps.back().actions.insert(steps.back().actions.end(), step.actions.begin(),
                                step.actions.end());
  else
    steps.push_back(std::move(step));
}

static void addSteps(std::vector<LoopStep> &steps, const std::vector<LoopStep> &more) {
  for (const LoopStep &step : more)
    addStep(steps, step);
}

static LoopStep settingOf(ArrayRef<std::pair<unsigned, bool>> words) {
  LoopAction action;
  action.kind = LoopAction::Kind::kSet;
  action.words.assign(words.begin(), words.end());
  return scalars(std::move(action));
}

static LoopAction moveOf(ValueRange targets, ValueRange values) {
  LoopAction action;
  action.kind = LoopAction::Kind::kMove;
  for (auto [target, value] : llvm::zip_equal(targets, values))
    action.moves.push_back({target, value});
  return action;
}

namespace {

// Finds the step after which an op can be computed at the earliest: the number of launches, or
// branches with launches, before it.
class Stages {
public:
  unsigned of(Operation *op) {
    unsigned stage = 0;
    auto follow = [&](Value value) {
      auto known = stages_.find(value.getDefiningOp());
      if (known != stages_.end())
        stage = std::max(stage, known->second);
    };
    for (Value operand : op->getOperands())
      follow(operand);
    llvm::SetVector<Value> above;
    getUsedValuesDefinedAbove(op->getRegions(), above);
    for (Value value : above)
      follow(value);
    if (usesVariable(op)) // in their order
      stage = ofVariables_ = std::max(stage, ofVariables_);
    else if (!isMemoryEffectFree(op)) // reads what kernels have written
      stage = std::max(stage, launches_);
    stages_[op] = stage;
    return stage;
  }
  // Of an op that launches; what follows from it comes behind it.
  void addLaunching(Operation *op) {
    stages_[op] = ++launches_;
    op->walk([&](Operation *inside) {
      if (usesVariable(inside))
        ofVariables_ = launches_;
    });
  }

private:
  DenseMap<Operation *, unsigned> stages_;
  unsigned launches_ = 0, ofVariables_ = 0;
};

} // namespace

unsigned LoopSteps::addWord(bool value) {
  initial.push_back({words_.add(), value});
  return initial.back().first;
}

void LoopSteps::beginSegment(Sequence &sequence, unsigned word) {
  LoopStep &segment = sequence.steps.emplace_back();
  segment.kind = LoopStep::Kind::kSegment;
  segment.word = word;
  sequence.segments.push_back(word);
}

LoopSteps::Sequence LoopSteps::sequenceOf(Range ops) {
  Stages stages;
  std::vector<LoopAction> groups(1);
  SmallVector<Operation *> launching;
  for (Operation &op : ops) {
    if (matchPattern(&op, m_Constant())) // each kernel has its own
      continue;
    if (launches(&op)) {
      stages.addLaunching(&op);
      launching.push_back(&op);
      groups.emplace_back();
    } else {
      groups[stages.of(&op)].ops.push_back(&op);
    }
  }
  Sequence sequence;
  if (llvm::any_of(launching, hasLoop))
    beginSegment(sequence, addWord(true));
  for (auto [i, group] : llvm::enumerate(groups)) {
    if (!group.ops.empty())
      addStep(sequence.back(), scalars(std::move(group)));
    if (i == launching.size())
      break;
    if (auto branch = dyn_cast<scf::IfOp>(launching[i])) {
      addBranch(branch, sequence);
    } else if (auto loop = dyn_cast<scf::WhileOp>(launching[i])) {
      addLoop(loop, sequence);
    } else {
      LoopStep step;
      step.kind = LoopStep::Kind::kLaunch;
      step.launch = dyn_cast<gpu::LaunchFuncOp>(launching[i]);
      assert(step.launch && "expected launches, branches and loops in a loop on a card");
      sequence.back().push_back(std::move(step));
    }
  }
  return sequence;
}

void LoopSteps::addBranch(scf::IfOp branch, Sequence &to) {
  bool stops = hasLoop(branch);
  LoopAction choice;
  choice.kind = LoopAction::Kind::kBranch;
  choice.number = branch.getCondition();
  choice.yes = addWord(false);
  choice.no = addWord(false);
  addStep(to.back(), scalars(choice));
  unsigned behind = stops ? addWord(false) : 0;
  if (stops)
    addStep(to.back(), settingOf({{to.segments.back(), false}}));
  bool hasOne = false;
  for (auto [region, word] :
       {std::pair(&branch.getThenRegion(), choice.yes), {&branch.getElseRegion(), choice.no}}) {
    Sequence part;
    if (!region->empty()) {
      Block &block = region->front();
      part = sequenceOf(block.without_terminator());
      if (branch.getNumResults() > 0)
        addStep(part.back(),
                scalars(moveOf(branch.getResults(), block.getTerminator()->getOperands())));
    }
    if (stops)
      addStep(part.back(), settingOf({{word, false}, {behind, true}}));
    if (!part.segments.empty())
      addStep(part.back(), settingOf({{part.segments.back(), false}, {part.segments[0], true}}));
    if (part.steps.empty())
      continue;
    LoopStep step;
    step.kind = LoopStep::Kind::kBranch;
    step.word = word;
    step.body = std::move(part.steps);
    step.isElse = std::exchange(hasOne, true);
    (stops ? to.steps : to.back()).push_back(std::move(step));
  }
  if (stops)
    beginSegment(to, behind);
}

void LoopSteps::addLoop(scf::WhileOp loop, Sequence &to) {
  LoopState state;
  state.goesOn = addWord(false);
  state.live = addWord(false);
  inner_.push_back(state);
  unsigned behind = addWord(false);
  std::vector<LoopStep> enterInner;
  addStep(enterInner, scalars(moveOf(loop.getBeforeArguments(), loop.getInits())));
  LoopStep step = makeLoop(loop, state, behind, enterInner);
  addSteps(to.back(), enterInner);
  addStep(to.back(), settingOf({{to.segments.back(), false}}));
  to.steps.push_back(std::move(step));
  beginSegment(to, behind);
}

LoopStep LoopSteps::makeLoop(scf::WhileOp loop, LoopState state, std::optional<unsigned> over,
                             std::vector<LoopStep> &enterIt) {
  scf::ConditionOp condition = loop.getConditionOp();
  for (auto [argument, result, value] :
       llvm::zip_equal(loop.getAfterArguments(), loop.getResults(), condition.getArgs())) {
    words_.alias(argument, value);
    words_.alias(result, value);
  }
  around_.push_back(state);
  Sequence before = sequenceOf(loop.getBeforeBody()->without_terminator());
  Sequence after = sequenceOf(loop.getAfterBody()->without_terminator());
  around_.pop_back();
  assert(before.segments.empty() && "expected no loop in the test of a loop on a card");
  std::vector<LoopAction> first;
  if (auto &steps = after.front();
      !steps.empty() && steps.front().kind == LoopStep::Kind::kScalars) {
    first = std::move(steps.front().actions);
    steps.erase(steps.begin());
  }
  for (LoopAction &action : first)
    action.onlyIf.push_back(state.goesOn);
  auto addEnd = [&](std::vector<LoopStep> &steps, bool isIteration) {
    addSteps(steps, before.steps);
    LoopAction end;
    end.kind = LoopAction::Kind::kEnd;
    end.number = condition.getCondition();
    end.loop = state;
    end.around = around_;
    end.over = over;
    end.isIteration = isIteration;
    addStep(steps, scalars(end));
    if (isIteration && !after.segments.empty())
      addStep(steps, settingOf({{after.segments.back(), false}, {after.segments[0], true}}));
    for (const LoopAction &action : first)
      addStep(steps, scalars(action));
  };
  addEnd(enterIt, false);
  addStep(after.back(),
          scalars(moveOf(loop.getBeforeArguments(), loop.getYieldOp().getOperands())));
  addEnd(after.back(), true);
  LoopStep iterations;
  iterations.kind = LoopStep::Kind::kLoop;
  iterations.word = state.live;
  iterations.body = std::move(after.steps);
  return iterations;
}

LoopSteps::LoopSteps(scf::WhileOp loop, LoopWords &words) : words_(words) {
  for (unsigned word = 0; word < kNumKnown; ++word)
    words.add();
  body = makeLoop(loop, {kGoesOn, kLive}, std::nullopt, enter).body;
  exit =
      sequenceOf({std::next(loop->getIterator()), loop->getBlock()->getTerminator()->getIterator()})
          .steps;
  if (inner_.empty())
    return;
  LoopAction action;
  action.kind = LoopAction::Kind::kResume;
  action.resumed = inner_;
  addStep(resume, scalars(action));
}

} // namespace sluice::codegen
