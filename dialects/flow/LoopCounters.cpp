// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where values in the regions of a loop come from, and what counts its iterations.
#include "dialects/flow/LoopCounters.h"

#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::flow {

// What a block argument of a branch or loop is brought in from; null for values of the loop itself.
static Value capturedFrom(BlockArgument argument) {
  Operation *op = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto cond = dyn_cast_or_null<CondOp>(op))
    return cond.getCaptures()[number];
  auto loop = dyn_cast_or_null<WhileOp>(op);
  if (!loop)
    return {};
  bool before = argument.getOwner()->getParent() == &loop.getBefore();
  unsigned own = before ? loop.getInits().size() : loop.getNumResults();
  return number < own ? Value() : loop.getCaptures()[number - own];
}

Value originOf(Value value) {
  while (true) {
    if (auto gate = value.getDefiningOp<GateOp>()) {
      value = gate.getValue();
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(value);
    Value outside = argument ? capturedFrom(argument) : Value();
    if (!outside)
      return value;
    value = outside;
  }
}

std::optional<int64_t> constantInt(Value value) {
  auto constant = originOf(value).getDefiningOp<nd::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || elements.getNumElements() != 1)
    return std::nullopt;
  return (*elements.begin()).getSExtValue();
}

bool isSame(Value a, Value b) {
  a = originOf(a);
  b = originOf(b);
  std::optional<int64_t> x = constantInt(a), y = constantInt(b);
  return a == b || (x && x == y);
}

std::optional<unsigned> carriedPosition(Value value, WhileOp loop) {
  auto argument = dyn_cast<BlockArgument>(originOf(value));
  if (!argument || argument.getOwner()->getParentOp() != loop)
    return std::nullopt;
  if (argument.getOwner()->getParent() == &loop.getBody()) {
    auto condition = cast<ConditionOp>(loop.getBefore().front().back());
    if (argument.getArgNumber() >= condition.getForwarded().size())
      return std::nullopt;
    argument = dyn_cast<BlockArgument>(originOf(condition.getForwarded()[argument.getArgNumber()]));
    if (!argument || argument.getOwner() != &loop.getBefore().front())
      return std::nullopt;
  }
  if (argument.getArgNumber() >= loop.getInits().size())
    return std::nullopt;
  return argument.getArgNumber();
}

Value unchangedInit(Value value, WhileOp loop) {
  std::optional<unsigned> position = carriedPosition(value, loop);
  if (!position)
    return {};
  auto yield = cast<YieldOp>(loop.getBody().front().back());
  bool isUnchanged = carriedPosition(yield.getValues()[*position], loop) == position;
  return isUnchanged ? loop.getInits()[*position] : Value();
}

std::optional<Counter> counterOf(Value value, WhileOp loop) {
  std::optional<unsigned> position = carriedPosition(value, loop);
  if (!position)
    return std::nullopt;
  auto yield = cast<YieldOp>(loop.getBody().front().back());
  auto add = originOf(yield.getValues()[*position]).getDefiningOp<nd::AddOp>();
  if (!add)
    return std::nullopt;
  for (auto [counter, step] :
       {std::pair(add.getLhs(), add.getRhs()), {add.getRhs(), add.getLhs()}}) {
    std::optional<int64_t> by = constantInt(step);
    if (by && *by > 0 && carriedPosition(counter, loop) == position)
      return Counter{loop.getInits()[*position], *by};
  }
  return std::nullopt;
}

SmallVector<Value> iterationLimits(WhileOp loop) {
  auto condition = cast<ConditionOp>(loop.getBefore().front().back());
  SmallVector<Value> terms{condition.getPredicate()}, limits;
  while (!terms.empty()) {
    Operation *term = originOf(terms.pop_back_val()).getDefiningOp();
    if (auto both = dyn_cast_or_null<nd::LogicalAndOp>(term)) {
      terms.append({both.getLhs(), both.getRhs()});
      continue;
    }
    auto less = dyn_cast_or_null<nd::LessOp>(term);
    std::optional<Counter> counter = less ? counterOf(less.getLhs(), loop) : std::nullopt;
    if (!counter || !counter->isIterationNumber())
      return {};
    limits.push_back(less.getRhs());
  }
  return limits;
}

} // namespace sluice::flow
