// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of the steps of a loop on a card.
#include "compiler/codegen/gpu/LoopSteps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace sluice::codegen {

static bool launches(Operation *op) {
  return op->walk([](gpu::LaunchFuncOp) { return WalkResult::interrupt(); }).wasInterrupted();
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
  void addLaunching(Operation *op) { stages_[op] = ++launches_; }

private:
  DenseMap<Operation *, unsigned> stages_;
  unsigned launches_ = 0, ofVariables_ = 0;
};

} // namespace

std::vector<LoopStep> LoopSteps::stepsOf(Range ops) {
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
  std::vector<LoopStep> steps;
  for (auto [i, group] : llvm::enumerate(groups)) {
    if (!group.ops.empty())
      addStep(steps, scalars(std::move(group)));
    if (i == launching.size())
      break;
    if (auto branch = dyn_cast<scf::IfOp>(launching[i])) {
      addBranch(branch, steps);
      continue;
    }
    LoopStep step;
    step.kind = LoopStep::Kind::kLaunch;
    step.launch = dyn_cast<gpu::LaunchFuncOp>(launching[i]);
    assert(step.launch && "expected nothing but branches around launches in a loop on a card");
    steps.push_back(std::move(step));
  }
  return steps;
}

void LoopSteps::addBranch(scf::IfOp branch, std::vector<LoopStep> &steps) {
  LoopAction choice;
  choice.kind = LoopAction::Kind::kBranch;
  choice.number = branch.getCondition();
  choice.yes = words_.add();
  choice.no = words_.add();
  addStep(steps, scalars(choice));
  for (auto [region, word] :
       {std::pair(&branch.getThenRegion(), choice.yes), {&branch.getElseRegion(), choice.no}}) {
    if (region->empty())
      continue;
    Block &block = region->front();
    LoopStep part;
    part.kind = LoopStep::Kind::kBranch;
    part.word = word;
    part.body = stepsOf(block.without_terminator());
    if (branch.getNumResults() > 0)
      addStep(part.body,
              scalars(moveOf(branch.getResults(), block.getTerminator()->getOperands())));
    if (!part.body.empty())
      steps.push_back(std::move(part));
  }
}

LoopSteps::LoopSteps(scf::WhileOp loop, LoopWords &words) : words_(words) {
  for (unsigned word = 0; word < kNumKnown; ++word)
    words.add();
  scf::ConditionOp condition = loop.getConditionOp();
  for (auto [argument, result, value] :
       llvm::zip_equal(loop.getAfterArguments(), loop.getResults(), condition.getArgs())) {
    words.alias(argument, value);
    words.alias(result, value);
  }
  std::vector<LoopStep> before = stepsOf(loop.getBeforeBody()->without_terminator());
  std::vector<LoopStep> after = stepsOf(loop.getAfterBody()->without_terminator());
  auto addEnd = [&](std::vector<LoopStep> &steps, bool isIteration) {
    LoopAction end;
    end.kind = LoopAction::Kind::kEnd;
    end.number = condition.getCondition();
    end.isIteration = isIteration;
    addStep(steps, scalars(end));
    if (after.empty() || after.front().kind != LoopStep::Kind::kScalars)
      return;
    for (LoopAction action : after.front().actions) {
      action.ifGoesOn = true;
      addStep(steps, scalars(action));
    }
  };
  enter = before;
  addEnd(enter, false);
  bool hasFirst = !after.empty() && after.front().kind == LoopStep::Kind::kScalars;
  body.assign(after.begin() + (hasFirst ? 1 : 0), after.end());
  addStep(body, scalars(moveOf(loop.getBeforeArguments(), loop.getYieldOp().getOperands())));
  addSteps(body, before);
  addEnd(body, true);
  exit =
      stepsOf({std::next(loop->getIterator()), loop->getBlock()->getTerminator()->getIterator()});
}

} // namespace sluice::codegen
