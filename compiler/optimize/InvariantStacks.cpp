// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-invariant-stacks: what one loop pushes in each iteration and another one pops in
// each is known without the stack if it is always the same value.
//
// Such a pair of loops is one that was differentiated and its derivative. The stack says one thing
// more: pops may be more than pushes, which is an error. So another stack of the two loops stays
// that says the same.
#include "compiler/optimize/FirstTurn.h"
#include "compiler/optimize/ListFacts.h"
#include "compiler/optimize/Passes.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/flow/LoopCounters.h"
#include "dialects/list/List.h"
#include "dialects/wire/Restructure.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEINVARIANTSTACKS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

// A list that a loop carries round, and to which one op of the body happens in each iteration.
struct Round {
  unsigned init, result;
  Operation *change;
};

// The use that is no wait; null if there are several, or if there is none.
OpOperand *onlyUse(Value value) {
  OpOperand *found = nullptr;
  for (OpOperand &use : value.getUses()) {
    if (isa<flow::AfterOp>(use.getOwner()))
      continue;
    if (found)
      return nullptr;
    found = &use;
  }
  return found;
}

// Gates say when, and not what.
OpOperand *onlyUseBehindGates(Value value) {
  OpOperand *use = onlyUse(value);
  while (use && isa<flow::GateOp>(use->getOwner()))
    use = onlyUse(use->getOwner()->getResult(0));
  return use;
}

template <typename Change> std::optional<Round> roundOf(flow::WhileOp loop, unsigned result) {
  auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  auto argument = dyn_cast<BlockArgument>(condition.getForwarded()[result]);
  if (!argument || argument.getOwner() != &loop.getBefore().front() ||
      argument.getArgNumber() >= loop.getInits().size() || !onlyUse(argument))
    return std::nullopt;
  Block &body = loop.getBody().front();
  OpOperand *use = onlyUse(body.getArgument(result));
  auto change = use ? dyn_cast<Change>(use->getOwner()) : Change();
  if (!change || use->getOperandNumber() != 0 || change->getBlock() != &body)
    return std::nullopt;
  Value changed = change.getResult();
  if (!changed.hasOneUse() || changed.use_begin()->getOwner() != body.getTerminator() ||
      changed.use_begin()->getOperandNumber() != argument.getArgNumber())
    return std::nullopt;
  return Round{argument.getArgNumber(), result, change};
}

// What says when a push is too much.
struct Limits {
  Value declared;
  int64_t pushed;
  bool operator==(const Limits &other) const {
    return declared == other.declared && pushed == other.pushed;
  }
};

struct Stack {
  Round pushes, pops;
  Limits limits;
  Type elements; // what the list says of them
  Value value;   // that is pushed in each iteration, outside the loop or a constant; or null
};

bool says(Type said, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto more = dyn_cast<TensorType>(said);
  if (!tensor || !more || more.getElementType() != tensor.getElementType())
    return false;
  if (!more.hasRank())
    return true;
  if (more.getRank() != tensor.getRank())
    return false;
  for (auto [known, dim] : llvm::zip_equal(more.getShape(), tensor.getShape()))
    if (!ShapedType::isDynamic(known) && known != dim)
      return false;
  return true;
}

// What is popped comes in the order of a stack, which may be the only order of effects.
bool hasEffects(Operation *loop) {
  return loop
      ->walk([](Operation *op) {
        bool isEffect = op->hasTrait<HasEffect>() && !op->hasTrait<OnlyReads>();
        return isEffect ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool isOnlyAwaited(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) { return isa<flow::AfterOp>(user); });
}

class StackFinder {
public:
  // Those that the loop fills, by the loop that empties them.
  llvm::MapVector<Operation *, SmallVector<Stack>> of(flow::WhileOp loop) {
    llvm::MapVector<Operation *, SmallVector<Stack>> found;
    for (OpResult result : loop->getResults()) {
      if (!isa<list::OfType>(result.getType()))
        continue;
      OpOperand *use = onlyUseBehindGates(result);
      auto other = use ? dyn_cast<flow::WhileOp>(use->getOwner()) : flow::WhileOp();
      if (!other || other->getBlock() != loop->getBlock() ||
          use->getOperandNumber() >= other.getInits().size())
        continue;
      if (std::optional<Stack> stack = find(loop, result, other, use->getOperandNumber()))
        found[other].push_back(*stack);
    }
    return found;
  }

  static std::optional<Stack> filled(flow::WhileOp loop, OpResult result) {
    std::optional<Round> pushes = roundOf<list::PushOp>(loop, result.getResultNumber());
    if (!pushes)
      return std::nullopt;
    Stack stack{*pushes, {}, {}, {}, {}};
    stack.limits.pushed = cast<list::PushOp>(pushes->change).getLimit();
    Value list = flow::originOf(loop.getInits()[pushes->init]);
    if (auto limit = list.getDefiningOp<list::DeclareLimitOp>()) {
      stack.limits.declared = limit.getLimit();
      list = flow::originOf(limit.getList());
    }
    auto make = list.getDefiningOp<list::MakeOp>();
    if (!make || optimize::constantNumber(make.getSize()) != 0)
      return std::nullopt;
    stack.elements = make.getElementShape();
    Value value = cast<list::PushOp>(pushes->change).getValue();
    if (says(stack.elements, value.getType()))
      stack.value = invariantOf(loop, value);
    return stack;
  }

private:
  std::optional<Stack> find(flow::WhileOp loop, OpResult result, flow::WhileOp other,
                            unsigned init) {
    std::optional<Stack> stack = filled(loop, result);
    if (!stack)
      return std::nullopt;
    std::optional<Round> pops;
    for (unsigned i = 0; i < other->getNumResults() && !pops; ++i)
      if (auto round = isa<list::OfType>(other->getResult(i).getType())
                           ? roundOf<list::PopOp>(other, i)
                           : std::nullopt;
          round && round->init == init)
        pops = round;
    if (!pops || !isOnlyAwaited(other->getResult(pops->result)))
      return std::nullopt;
    stack->pops = *pops;
    auto pop = cast<list::PopOp>(pops->change);
    bool isAwaited = llvm::any_of(pop.getValue().getUsers(),
                                  [](Operation *user) { return isa<flow::AfterOp>(user); });
    if (isAwaited || pop.getShape() || !stack->value ||
        stack->value.getType() != pop.getValue().getType() ||
        !says(pop.getElementShape(), stack->value.getType()))
      stack->value = {};
    return stack;
  }

  static Value invariantOf(flow::WhileOp loop, Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      bool isCapture = argument.getOwner() == &loop.getBody().front() &&
                       argument.getArgNumber() >= loop.getNumResults();
      return isCapture ? optimize::operandOf(loop, argument).get() : Value();
    }
    return flow::isConstantLike(value) ? value : Value();
  }
};

struct InvariantStacks
    : flow::GraphPass<optimize::impl::OptimizeInvariantStacksBase<InvariantStacks>> {
  void runOnGraph(flow::TokenGraph graph) override {
    SmallVector<flow::WhileOp> loops;
    graph.walk([&](flow::WhileOp loop) { loops.push_back(loop); });
    for (flow::WhileOp loop : loops) {
      for (auto &[other, stacks] : StackFinder().of(loop))
        if (!hasEffects(loop) && !hasEffects(other))
          dropFrom(loop, cast<flow::WhileOp>(other), stacks);
      dropUnpopped(loop);
    }
  }

  // One that says when there are too many pushes or pops stays for each that goes.
  void dropFrom(flow::WhileOp loop, flow::WhileOp other, ArrayRef<Stack> stacks) {
    SmallVector<Limits> stay;
    auto staysLike = [&](const Stack &stack) { return llvm::is_contained(stay, stack.limits); };
    for (const Stack &stack : stacks)
      if (!stack.value && !staysLike(stack))
        stay.push_back(stack.limits);
    for (const Stack &stack : stacks) {
      if (!stack.value)
        continue;
      if (staysLike(stack))
        drop(loop, other, stack);
      else
        stay.push_back(stack.limits);
    }
  }

  // Nobody pops, but somebody waits for the loop.
  void dropUnpopped(flow::WhileOp loop) {
    SmallVector<Stack> filled;
    for (OpResult result : loop->getResults())
      if (isa<list::OfType>(result.getType()))
        if (std::optional<Stack> stack = StackFinder::filled(loop, result))
          filled.push_back(*stack);
    for (auto *stack = filled.begin(); stack != filled.end();) {
      bool staysAnother = llvm::any_of(filled, [&](const Stack &other) {
        return &other != stack && other.limits == stack->limits;
      });
      if (!staysAnother || !stack->value || !isOnlyAwaited(loop->getResult(stack->pushes.result))) {
        ++stack;
        continue;
      }
      leaveAsItIs(loop, stack->pushes, stack->value);
      stack = filled.erase(stack);
      ++numStacks;
    }
  }

  void drop(flow::WhileOp loop, flow::WhileOp other, const Stack &stack) {
    auto pop = cast<list::PopOp>(stack.pops.change);
    OpBuilder builder(pop);
    Value pushed = stack.value;
    Value value = pushed.getParentBlock() == loop->getBlock()
                      ? wire::captureIn(other, other.getBody(), pushed)
                      : builder.clone(*pushed.getDefiningOp())->getResult(0);
    pop.getValue().replaceAllUsesWith(value);
    leaveAsItIs(loop, stack.pushes, pushed);
    leaveAsItIs(other, stack.pops, pushed);
    ++numStacks;
  }

  // The list goes round. Who waits for it has waited for the value, too.
  static void leaveAsItIs(flow::WhileOp loop, const Round &round, Value pushed) {
    round.change->getResults().back().replaceAllUsesWith(round.change->getOperand(0));
    round.change->erase();
    if (flow::isConstantLike(pushed))
      return;
    for (Operation *user : llvm::make_early_inc_range(loop->getResult(round.result).getUsers())) {
      auto after = dyn_cast<flow::AfterOp>(user);
      if (!after)
        continue;
      OpBuilder builder(after->getContext());
      builder.setInsertionPointAfter(after);
      Type tokenType = after->getResult(0).getType();
      Value there = flow::AfterOp::create(builder, after.getLoc(), tokenType, pushed);
      auto both = flow::JoinOp::create(builder, after.getLoc(), tokenType,
                                       ValueRange{after->getResult(0), there});
      after->getResult(0).replaceAllUsesExcept(both, both);
    }
  }
};

} // namespace
