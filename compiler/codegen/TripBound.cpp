// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of loops that compare a counter.
#include "compiler/codegen/TripBound.h"

#include "dialects/flow/LoopCounters.h"
#include "dialects/nd/Nd.h"

#include <algorithm>

using namespace mlir;

namespace sluice::codegen {

// The first value of what a loop carries and counts down by 1.
static Value startOfCountDown(Value value, flow::WhileOp loop) {
  std::optional<unsigned> position = flow::carriedPosition(value, loop);
  if (!position)
    return nullptr;
  Value next = flow::originOf(loop.getBody().front().getTerminator()->getOperand(*position));
  auto sub = next.getDefiningOp<nd::SubOp>();
  bool counts = sub && flow::constantInt(sub.getRhs()) == 1 &&
                flow::carriedPosition(sub.getLhs(), loop) == position;
  return counts ? loop.getInits()[*position] : nullptr;
}

static bool isOutside(Value value, flow::WhileOp loop) {
  value = flow::originOf(value);
  return flow::constantInt(value) || !loop->isAncestor(value.getParentBlock()->getParentOp());
}

// `small` < `large`, or with `more` also while they are equal; then a counter must not wrap around.
static std::optional<TripBound> boundOf(Value small, Value large, int64_t more,
                                        flow::WhileOp loop) {
  auto mayWrap = [](Value end) {
    std::optional<int64_t> number = flow::constantInt(end);
    return !number || *number <= INT16_MIN || *number >= INT16_MAX;
  };
  if (more && mayWrap(large) && mayWrap(small))
    return std::nullopt;
  std::optional<flow::Counter> counter = flow::counterOf(small, loop);
  if (counter && counter->step == 1 && isOutside(large, loop))
    return TripBound{counter->start, flow::originOf(large), more};
  Value start = isOutside(small, loop) ? startOfCountDown(large, loop) : nullptr;
  return start ? std::optional(TripBound{flow::originOf(small), start, more}) : std::nullopt;
}

static std::optional<TripBound> boundOf(Operation *term, flow::WhileOp loop) {
  auto compare = [&](Value small, Value large, int64_t more) {
    auto type = dyn_cast<RankedTensorType>(small.getType());
    return type && type.getElementType().isSignlessInteger() && type.hasStaticShape() &&
                   type.getNumElements() == 1 && type.getElementTypeBitWidth() >= 16
               ? boundOf(small, large, more, loop)
               : std::nullopt;
  };
  if (auto less = dyn_cast_or_null<nd::LessOp>(term))
    return compare(less.getLhs(), less.getRhs(), 0);
  if (auto less = dyn_cast_or_null<nd::LessEqualOp>(term))
    return compare(less.getLhs(), less.getRhs(), 1);
  if (auto greater = dyn_cast_or_null<nd::GreaterOp>(term))
    return compare(greater.getRhs(), greater.getLhs(), 0);
  if (auto greater = dyn_cast_or_null<nd::GreaterEqualOp>(term))
    return compare(greater.getRhs(), greater.getLhs(), 1);
  return std::nullopt;
}

std::optional<int64_t> TripBound::known() const {
  std::optional<int64_t> first = flow::constantInt(start), last = flow::constantInt(end);
  int64_t trips = 0;
  if (!first || !last || __builtin_sub_overflow(*last, *first, &trips) ||
      __builtin_add_overflow(trips, more, &trips))
    return std::nullopt;
  return std::max<int64_t>(0, trips);
}

std::optional<TripBound> tripBoundOf(flow::WhileOp loop) {
  auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  SmallVector<Value> terms{condition.getPredicate()};
  std::optional<TripBound> best;
  bool isOnly = true;
  while (!terms.empty()) {
    Operation *term = flow::originOf(terms.pop_back_val()).getDefiningOp();
    if (auto both = dyn_cast_or_null<nd::LogicalAndOp>(term)) {
      terms.append({both.getLhs(), both.getRhs()});
      continue;
    }
    std::optional<TripBound> bound = boundOf(term, loop);
    isOnly &= bound && !best;
    if (bound && (!best || (bound->known() && !(best->known() < bound->known()))))
      best = bound;
  }
  if (best)
    best->isExact = isOnly;
  return best;
}

// ---- As code ------------------------------------------------------------------------------------

Value integer(OpBuilder &b, Location loc, int64_t value, unsigned width) {
  auto type = RankedTensorType::get({}, b.getIntegerType(width));
  return nd::ConstantOp::create(
      b, loc, type, DenseElementsAttr::get(type, b.getIntegerAttr(type.getElementType(), value)));
}

Value withElementOf(OpBuilder &b, Value number, Type like) {
  Type element = cast<RankedTensorType>(like).getElementType();
  return cast<RankedTensorType>(number.getType()).getElementType() == element
             ? number
             : Value(nd::CastOp::create(b, number.getLoc(), RankedTensorType::get({}, element),
                                        number));
}

Value atLeast(OpBuilder &b, Value number, int64_t least) {
  return nd::MaximumOp::create(b, number.getLoc(), number.getType(), number,
                               integer(b, number.getLoc(), least, 64));
}

static Value withoutDims(OpBuilder &b, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 0)
    return value;
  auto none = RankedTensorType::get({0}, b.getI32Type());
  Value shape = nd::ConstantOp::create(b, value.getLoc(), none,
                                       DenseElementsAttr::get(none, ArrayRef<int32_t>()));
  return nd::ReshapeOp::create(b, value.getLoc(), RankedTensorType::get({}, type.getElementType()),
                               value, shape);
}

Value tripsIn(OpBuilder &b, Location loc, const TripBound &bound) {
  if (std::optional<int64_t> known = bound.known())
    return integer(b, loc, *known, 64);
  Type i64 = RankedTensorType::get({}, b.getI64Type());
  auto wide = [&](Value value) {
    if (std::optional<int64_t> number = flow::constantInt(value))
      return integer(b, loc, *number, 64);
    return withElementOf(b, withoutDims(b, flow::originOf(value)), i64);
  };
  Value trips = nd::SubOp::create(b, loc, i64, wide(bound.end), wide(bound.start));
  if (bound.more)
    trips = nd::AddOp::create(b, loc, i64, trips, integer(b, loc, bound.more, 64));
  return atLeast(b, trips, 0);
}

} // namespace sluice::codegen
