// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flow.while becomes a frame:
//
//    init ──▶ enter ──▶ merge ──▶ before ──▶ switch ── on_false ──▶ exit ──▶ result
//                         ▲          │         ▲ │
//                         │    loop_cond ──────┘ └─ on_true ──▶ body ──▶ next_iteration ─┐
//                         └──────────────────────────────────────────────────────────────┘
//
// A capture is a constant enter, which needs no switch on its way to the body. Constants do not
// enter. Values of the loop's iterations that nobody uses do not go round.
//
// The start of an iteration is when a loop variable is there; the start of the body, when the
// condition has let a value through. Both are chosen among the values on which the condition
// depends, so that nothing waits for a variable that comes later.
#include "compiler/lower/RegionsToGraph.h"

#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::lower {

static flow::ConditionOp conditionOf(flow::WhileOp loop) {
  return cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
}

static flow::YieldOp yieldOf(flow::WhileOp loop) {
  return cast<flow::YieldOp>(loop.getBody().front().getTerminator());
}

// The values in `before` that are there when the condition is.
static DenseSet<Value> findDeciding(flow::WhileOp loop) {
  DenseSet<Value> found;
  SmallVector<Value> open{conditionOf(loop).getPredicate()};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!found.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (op && op->getNumRegions() == 0) // a branch does not wait for all of its operands
      open.append(op->operand_begin(), op->operand_end());
  }
  return found;
}

// Something has to go round, or there is no second iteration.
void RegionsToGraph::ensureVariable(flow::WhileOp loop) {
  if (!loop.getInits().empty())
    return;
  auto makeTrue = [&](OpBuilder builder) -> Value {
    auto type = RankedTensorType::get({}, builder.getI1Type());
    return nd::ConstantOp::create(builder, loop.getLoc(), type, DenseElementsAttr::get(type, true));
  };
  Value init = makeTrue(builder_);
  constants_.try_emplace(init.getDefiningOp()->getAttrDictionary(), init.getDefiningOp());
  loop.getInitsMutable().append(init);
  loop.getBefore().insertArgument(0u, init.getType(), loop.getLoc());
  yieldOf(loop).getValuesMutable().append(makeTrue(OpBuilder(yieldOf(loop))));
}

// What is forwarded to nobody becomes a use of nothing.
static void dropUnusedForwarded(flow::WhileOp loop) {
  flow::ConditionOp condition = conditionOf(loop);
  for (auto [i, result] : llvm::enumerate(loop.getResults()))
    if (result.use_empty() && loop.getBody().getArgument(i).use_empty())
      condition.getForwardedMutable()[i].set(condition.getPredicate());
}

StringAttr RegionsToGraph::uniqueFrame(flow::WhileOp loop, unsigned frame) {
  StringAttr name = loop.getFrameAttr();
  for (unsigned i = 1; !frameNames_.insert({frame, name}).second; ++i)
    name = builder_.getStringAttr(loop.getFrame() + "_" + Twine(i));
  return name;
}

Value RegionsToGraph::enter(flow::WhileOp loop, Value value, StringAttr frame, bool constant,
                            Location location) {
  return flow::EnterOp::create(builder_, location, value.getType(), value, frame,
                               builder_.getBoolAttr(constant), loop.getParallelIterationsAttr());
}

void RegionsToGraph::enterCaptures(flow::WhileOp loop, StringAttr frame,
                                   const wire::Steering &asked) {
  unsigned numInits = loop.getInits().size(), numForwarded = loop.getNumResults();
  for (auto [i, capture] : llvm::enumerate(loop.getCaptures())) {
    Value before = loop.getBefore().getArgument(numInits + i);
    Value body = loop.getBody().getArgument(numForwarded + i);
    if (before.use_empty() && body.use_empty())
      continue;
    Value here = capture;
    if (!flow::isConstantLike(capture)) {
      here = enter(loop, capture, frame, /*constant=*/true, before.getLoc());
      asked.giveTo(here.getDefiningOp(), wire::kInvariants, static_cast<unsigned>(i));
      loose_.insert(here);
    }
    before.replaceAllUsesWith(here);
    body.replaceAllUsesWith(here);
  }
}

SmallVector<RegionsToGraph::Variable>
RegionsToGraph::enterVariables(flow::WhileOp loop, StringAttr frame, const wire::Steering &asked,
                               const DenseSet<Value> &deciding) {
  SmallVector<Variable> variables;
  auto arguments = loop.getBefore().getArguments().take_front(loop.getInits().size());
  bool isUsed = llvm::any_of(arguments, [](Value argument) { return !argument.use_empty(); });
  for (auto [i, init] : llvm::enumerate(loop.getInits())) {
    BlockArgument argument = arguments[i];
    if (isUsed ? argument.use_empty() : i > 0)
      continue;
    Value entered = enter(loop, init, frame, /*constant=*/false, argument.getLoc());
    auto merge = flow::MergeOp::create(builder_, argument.getLoc(), argument.getType(), indexType_,
                                       tokenType_, entered);
    asked.giveTo(entered.getDefiningOp(), wire::kEnters, static_cast<unsigned>(i));
    asked.giveTo(merge, wire::kHeaders, static_cast<unsigned>(i));
    // The first one gives the start of an iteration.
    if (!variables.empty() && !deciding.contains(arguments[variables.front().position]) &&
        deciding.contains(argument))
      variables.insert(variables.begin(), {unsigned(i), merge});
    else
      variables.push_back({unsigned(i), merge});
  }
  for (Variable &variable : variables)
    arguments[variable.position].replaceAllUsesWith(variable.merge.getValue());
  return variables;
}

std::function<Value()> RegionsToGraph::leave(flow::WhileOp loop, Switches &switches,
                                             const DenseSet<Value> &deciding) {
  Value pilot = switches.predicate;
  DictionaryAttr pilotWishes;
  flow::ConditionOp condition = conditionOf(loop);
  for (OpResult result : loop->getResults()) {
    unsigned i = result.getResultNumber();
    BlockArgument argument = loop.getBody().getArgument(i);
    DictionaryAttr wishes = switches.asked.wishes(wire::kSwitches, i);
    Value value = condition.getForwarded()[i];
    if (result.use_empty() && argument.use_empty())
      continue;
    if (isLoose(value)) { // there without a switch
      argument.replaceAllUsesWith(value);
    } else {
      if (pilot == switches.predicate && deciding.contains(value)) {
        pilot = value;
        pilotWishes = wishes;
      }
      argument.replaceAllUsesWith(steer(switches, value, true, argument.getLoc(), wishes));
    }
    if (result.use_empty())
      continue;
    Value left = steer(switches, value, false, argument.getLoc(), wishes);
    auto exit = flow::ExitOp::create(builder_, loop.getLoc(), left.getType(), left);
    switches.asked.giveTo(exit, wire::kExits, i);
    result.replaceAllUsesWith(exit.getResult());
  }
  return [this, loop, &switches, pilot, pilotWishes]() mutable -> Value {
    return after(steer(switches, pilot, true, loop.getLoc(), pilotWishes), loop.getLoc());
  };
}

void RegionsToGraph::lowerLoop(flow::WhileOp loop, unsigned outer) {
  ++numLoops_;
  ensureVariable(loop);
  dropUnusedForwarded(loop);
  StringAttr frame = uniqueFrame(loop, outer);
  unsigned inner = numFrames_++;
  DenseSet<Value> deciding = findDeciding(loop);
  wire::Steering asked(loop);
  enterCaptures(loop, frame, asked);
  SmallVector<Variable> variables = enterVariables(loop, frame, asked, deciding);
  // What was a block argument has become the value of a merge.
  for (Variable &variable : variables)
    if (deciding.contains(loop.getBefore().getArgument(variable.position)))
      deciding.insert(variable.merge.getValue());

  Scope before{inner,
               [&]() -> Value { return after(variables.front().merge.getValue(), loop.getLoc()); }};
  moveOut(loop.getBefore().front(), before);
  flow::ConditionOp condition = conditionOf(loop);
  Value predicate = tied(condition.getPredicate(), before);
  auto pivot =
      flow::LoopCondOp::create(builder_, condition.getLoc(), predicate.getType(), predicate);
  asked.giveTo(pivot, wire::kPivot, 0);
  Switches switches{pivot, asked};

  Scope body{inner, leave(loop, switches, deciding)};
  moveOut(loop.getBody().front(), body);
  flow::YieldOp yield = yieldOf(loop);
  for (Variable &variable : variables) {
    Value next = tied(yield.getValues()[variable.position], body);
    Value again =
        flow::NextIterationOp::create(builder_, variable.merge.getLoc(), next.getType(), next);
    asked.giveTo(again.getDefiningOp(), wire::kBacks, variable.position);
    variable.merge->insertOperands(1, again);
  }
  loop.erase();
}

} // namespace sluice::lower
