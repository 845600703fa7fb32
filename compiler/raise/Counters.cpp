// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of loops and the values that they count to, for indices of arrays.
#include "compiler/raise/Counters.h"

#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::raise {

namespace {

// What a block argument of a branch or loop is brought in from; null for values of the loop itself.
Value capturedFrom(BlockArgument argument) {
  Operation *op = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto cond = dyn_cast_or_null<flow::CondOp>(op))
    return cond.getCaptures()[number];
  auto loop = dyn_cast_or_null<flow::WhileOp>(op);
  if (!loop)
    return {};
  bool before = argument.getOwner()->getParent() == &loop.getBefore();
  unsigned own = before ? loop.getInits().size() : loop.getNumResults();
  return number < own ? Value() : loop.getCaptures()[number - own];
}

// The position among the loop's carried values of a value that is one of them, as it was at the
// start of the iteration.
std::optional<unsigned> carriedPosition(Value value, flow::WhileOp loop) {
  auto argument = dyn_cast<BlockArgument>(originOf(value));
  if (!argument || argument.getOwner()->getParentOp() != loop)
    return std::nullopt;
  if (argument.getOwner()->getParent() == &loop.getBody()) {
    auto condition = cast<flow::ConditionOp>(loop.getBefore().front().back());
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

bool sameValue(Value a, Value b) {
  a = originOf(a);
  b = originOf(b);
  std::optional<int64_t> x = constantInt(a), y = constantInt(b);
  return a == b || (x && x == y);
}

} // namespace

Value originOf(Value value) {
  while (true) {
    if (auto gate = value.getDefiningOp<flow::GateOp>()) {
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

bool isFullRange(Value indices, array::CreateOp create) {
  Value origin = originOf(indices);
  if (auto range = origin.getDefiningOp<nd::RangeOp>()) {
    if (constantInt(range.getStart()) != 0 || constantInt(range.getDelta()) != 1)
      return false;
    auto size = originOf(range.getLimit()).getDefiningOp<array::SizeOp>();
    return size ? originOf(size.getHandle()) == create.getHandle()
                : sameValue(range.getLimit(), create.getSize());
  }
  auto constant = origin.getDefiningOp<nd::ConstantOp>();
  if (!constant || !constantInt(create.getSize()))
    return false;
  rt::Result<rt::Tensor> values = tensorOf(constant.getValue());
  bool fits =
      values.ok() && values->rank() == 1 && values->elements() == *constantInt(create.getSize());
  for (int64_t i = 0; fits && i < values->elements(); ++i)
    fits = values->asInt(i) == i;
  return fits;
}

std::optional<Counter> counterOf(Value value, flow::WhileOp loop) {
  std::optional<unsigned> position = carriedPosition(value, loop);
  if (!position)
    return std::nullopt;
  auto yield = cast<flow::YieldOp>(loop.getBody().front().back());
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

bool runsOncePerElement(flow::WhileOp loop, Value size) {
  SmallVector<Value> terms{cast<flow::ConditionOp>(loop.getBefore().front().back()).getPredicate()};
  while (!terms.empty()) {
    Operation *term = originOf(terms.pop_back_val()).getDefiningOp();
    if (auto both = dyn_cast_or_null<nd::LogicalAndOp>(term)) {
      terms.append({both.getLhs(), both.getRhs()});
      continue;
    }
    auto less = dyn_cast_or_null<nd::LessOp>(term);
    std::optional<Counter> counter = less ? counterOf(less.getLhs(), loop) : std::nullopt;
    if (!counter || counter->step != 1 || constantInt(counter->start) != 0 ||
        !sameValue(less.getRhs(), size))
      return false;
  }
  return true;
}

} // namespace sluice::raise
