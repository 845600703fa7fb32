// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of the nd ops of the family "index": what was chosen is placed, and what was placed
// is chosen.
#include "dialects/interfaces/Gradient.h"
#include "dialects/nd/Nd.h"
#include "dialects/nd/SizeArithmetic.h"

#include <set>

using namespace mlir;
using namespace sluice;
using namespace sluice::nd;

// ---- Slices along an axis -----------------------------------------------------------------------

static bool isConstant(Value size, int64_t number) {
  auto known = constantInts(size);
  return known && known->size() == 1 && known->front() == number;
}

static Value sumOfSegments(Gradient &gradient, Value rows, Value ids, Value count) {
  return gradient.like<UnsortedSegmentSumOp>({rows, ids, scalarOf(gradient, count)});
}
static Value transposed(Gradient &gradient, Value value, ArrayRef<int64_t> permutation) {
  return gradient.like<TransposeOp>({value, gradient.ints(permutation)},
                                    gradient.flag("conjugate", false));
}

namespace {

// The dims of a gather: `batch` of them run in step with those of the indices, `outer` ones lie
// between these and the axis.
struct GatherSizes {
  Value batch, outer, axis, inner, indices;

  GatherSizes(Gradient &gradient, Value params, Value indices, Value axis, Value batchDims) {
    Value dims = gradient.shapeOf(params), one = gradient.ints({1});
    batch = product(gradient, part(gradient, dims, gradient.ints({0}), batchDims));
    outer =
        product(gradient, part(gradient, dims, batchDims, difference(gradient, axis, batchDims)));
    this->axis = part(gradient, dims, axis, one);
    inner = product(gradient, part(gradient, dims, sum(gradient, axis, one), gradient.ints({-1})));
    this->indices = product(
        gradient, part(gradient, gradient.shapeOf(indices), batchDims, gradient.ints({-1})));
  }
};

} // namespace

// What each slice that was gathered gives to the slice that it was. `axis` and `batchDims` are
// sizes, counted from the front.
static Value toParams(Gradient &gradient, Value value, Value params, Value indices, Value axis,
                      Value batchDims) {
  bool hasBatch = !isConstant(batchDims, 0);
  if (isConstant(axis, 0) && !hasBatch)
    return sumOfSegments(gradient, value, indices,
                         part(gradient, gradient.shapeOf(params), axis, gradient.ints({1})));
  GatherSizes of(gradient, params, indices, axis, batchDims);
  Value slices = gradient.like<ReshapeOp>(
      {value, joined(gradient, {of.batch, of.outer, of.indices, of.inner})});
  Value ids = gradient.like<ReshapeOp>(
      {sizes(gradient, indices), joined(gradient, {of.batch, of.indices})});
  if (hasBatch) { // each has its own segments
    Value first = gradient.like<MulOp>({numbersBelow(gradient, of.batch), of.axis});
    first = gradient.like<ReshapeOp>({first, gradient.ints({-1, 1})});
    ids = gradient.like<AddOp>({ids, first});
  }
  Value count = product(gradient, joined(gradient, {of.batch, of.axis}));
  Value sums = sumOfSegments(gradient, transposed(gradient, slices, {0, 2, 1, 3}), ids, count);
  sums =
      gradient.like<ReshapeOp>({sums, joined(gradient, {of.batch, of.axis, of.outer, of.inner})});
  return gradient.reshapedLike(transposed(gradient, sums, {0, 2, 1, 3}), params);
}

static bool isScalar(Value value) {
  auto ranked = dyn_cast<RankedTensorType>(value.getType());
  return ranked && ranked.getRank() == 0;
}
static Value rowInZeros(Gradient &gradient, Value rows, Value index, Value row) {
  return gradient.like<SetRowOp>({gradient.zerosLike(rows), index, row});
}

void GatherOp::buildGradient(Gradient &gradient) {
  Value axis = fromFront(gradient, sizes(gradient, getAxis()), getParams());
  auto given = static_cast<int64_t>(getBatchDims());
  Value batchDims = fromFront(gradient, gradient.ints({given}), getIndices());
  Value value = gradient.ofResult();
  if (isScalar(getIndices()) && isConstant(axis, 0))
    gradient.set(0, rowInZeros(gradient, getParams(), getIndices(), value));
  else
    gradient.set(0, toParams(gradient, value, getParams(), getIndices(), axis, batchDims));
}

void GatherNdOp::buildGradient(Gradient &gradient) {
  Value shape = gradient.shapeOf(getParams());
  gradient.set(0, gradient.one<ScatterNdOp>(Gradient::elementOf(getParams()),
                                            {getIndices(), gradient.ofResult(), shape}));
}

// ---- Rows ---------------------------------------------------------------------------------------

void RowOp::buildGradient(Gradient &gradient) {
  gradient.set(0, rowInZeros(gradient, getRows(), getIndex(), gradient.ofResult()));
}

void SetRowOp::buildGradient(Gradient &gradient) {
  Value value = gradient.ofResult();
  if (gradient.wants(0))
    gradient.set(0, gradient.like<SetRowOp>({value, getIndex(), gradient.zerosLike(getRow())}));
  if (gradient.wants(2))
    gradient.set(2, gradient.like<RowOp>({value, getIndex()}));
}

// ---- Equal elements -----------------------------------------------------------------------------

// To the first of equal slices, which is the one that is taken.
void UniqueOp::buildGradient(Gradient &gradient) {
  Value value = gradient.ofResult(0);
  if (!value)
    return;
  Value all = gradient.shapeOf(getPositions()), kept = gradient.shapeOf(getCounts());
  Value first = gradient.one<UnsortedSegmentMinOp>(
      gradient.builder().getI64Type(),
      {numbersBelow(gradient, all), getPositions(), scalarOf(gradient, kept)});
  // The axis of a vector may be left out.
  auto given = constantInts(getAxis());
  Value axis = given ? gradient.ints({given->empty() ? 0 : given->front()})
                     : gradient.like<ReduceSumOp>({sizes(gradient, getAxis()), gradient.ints({0})},
                                                  gradient.flag("keep_dims", true));
  axis = fromFront(gradient, axis, getInput());
  gradient.set(0, toParams(gradient, value, getInput(), first, axis, gradient.ints({0})));
}

void ListDiffOp::buildGradient(Gradient &gradient) {
  if (gradient.wants(0) && gradient.ofResult(0))
    gradient.set(0, sumOfSegments(gradient, gradient.ofResult(0), getPositions(),
                                  gradient.shapeOf(getInput())));
}

// ---- One hot ------------------------------------------------------------------------------------

void OneHotOp::buildGradient(Gradient &gradient) {
  Type truth = gradient.builder().getI1Type();
  auto sumWhere = [&](bool hot) {
    Value on = gradient.scalar(truth, hot), off = gradient.scalar(truth, !hot);
    Value condition =
        gradient.one<OneHotOp>(truth, {getIndices(), getDepth(), on, off},
                               gradient.number("axis", static_cast<int64_t>(getAxis())));
    return sumOfAll(gradient, whereHolds(gradient, condition, gradient.ofResult()));
  };
  if (gradient.wants(2))
    gradient.set(2, sumWhere(true));
  if (gradient.wants(3))
    gradient.set(3, sumWhere(false));
}

// ---- Points -------------------------------------------------------------------------------------

void ScatterNdOp::buildGradient(Gradient &gradient) {
  gradient.set(1, gradient.like<GatherNdOp>({gradient.ofResult(), getIndices()}));
}

namespace {

// The derivative of one update.
class PointsGradient {
public:
  PointsGradient(Gradient &gradient, UpdatePointsOp op)
      : gradient_(gradient), op_(op), indices_(op.getIndices()), value_(gradient.ofResult()) {
    // The length of an index vector, which is the last dim.
    Value dims = gradient.shapeOf(indices_);
    Value last = difference(gradient, rankOf(gradient, indices_), gradient.ints({1}));
    points_ = part(gradient, dims, gradient.ints({0}), last);
    depth_ = part(gradient, dims, last, gradient.ints({1}));
  }

  void build() {
    StringRef how = op_.getHow();
    if (how == "max" || how == "min")
      return toLarger();
    bool replaces = how == "update";
    if (gradient_.wants(0))
      gradient_.set(0, replaces ? changed(value_, gradient_.zerosLike(op_.getUpdates()), how)
                                : value_);
    if (!gradient_.wants(2))
      return;
    Value updates = at(value_);
    if (replaces && mayRepeat())
      updates = whereLast(updates);
    gradient_.set(2, how == "sub" ? gradient_.like<NegOp>(updates) : updates);
  }

private:
  Value changed(Value input, Value updates, StringRef how) {
    return gradient_.like<UpdatePointsOp>(
        {input, indices_, updates},
        {gradient_.builder().getNamedAttr("how", gradient_.builder().getStringAttr(how)),
         gradient_.flag("ignore_bad_indices", op_.getIgnoreBadIndices())});
  }

  Value indexedDims() {
    return part(gradient_, gradient_.shapeOf(op_.getInput()), gradient_.ints({0}), depth_);
  }

  // The slices of `value` where the indices point to, zeros where they are bad.
  Value at(Value value) {
    if (!op_.getIgnoreBadIndices())
      return gradient_.like<GatherNdOp>({value, indices_});
    if (!shifted_)
      shifted_ = shiftedIndices();
    return gradient_.like<GatherNdOp>({zerosAhead(gradient_, value, depth_), shifted_});
  }
  // Counted from 1, with 0 for all of a vector that is out of range.
  Value shiftedIndices() {
    Type truth = gradient_.builder().getI1Type(), type = gradient_.builder().getI64Type();
    Value given = indices_, zero = gradient_.int64(0);
    if (Gradient::elementOf(given) != type)
      given = gradient_.one<CastOp>(type, given);
    Value dims = indexedDims();
    Value isGood =
        gradient_.one<LogicalAndOp>(truth, {gradient_.one<GreaterEqualOp>(truth, {given, zero}),
                                            gradient_.one<LessOp>(truth, {given, dims})});
    isGood = gradient_.like<ReduceAllOp>({isGood, gradient_.ints({-1})},
                                         gradient_.flag("keep_dims", true));
    return whereHolds(gradient_, isGood, gradient_.like<AddOp>({given, gradient_.int64(1)}));
  }

  // Whether two vectors may point to one place.
  bool mayRepeat() const {
    auto type = dyn_cast<RankedTensorType>(indices_.getType());
    if (!type || !type.hasStaticShape() || type.getRank() == 0)
      return true;
    int64_t depth = type.getShape().back();
    if (llvm::all_of(type.getShape().drop_back(), [](int64_t size) { return size == 1; }))
      return false;
    auto known = constantInts(indices_);
    if (!known || depth == 0 || static_cast<int64_t>(known->size()) != type.getNumElements())
      return true;
    std::set<std::vector<int64_t>> seen;
    for (auto at = known->begin(); at != known->end(); at += depth)
      if (!seen.emplace(at, at + depth).second)
        return true;
    return false;
  }

  // Only the last one of those that were put in one place is still there: each writes its number to
  // a board, and sees whether it stays.
  Value whereLast(Value updates) {
    Type type = gradient_.builder().getI64Type();
    Value count = product(gradient_, points_), none = gradient_.int64(-1);
    Value alone = gradient_.ints({1}); // of what an index vector points to, which needs a dim
    Value numbers = gradient_.like<ReshapeOp>(
        {numbersBelow(gradient_, count), joined(gradient_, {points_, alone})});
    Value dims = joined(gradient_, {indexedDims(), alone});
    Value board = changed(gradient_.one<FillOp>(type, {dims, none}), numbers, "update");
    Value isLast = gradient_.one<EqualOp>(gradient_.builder().getI1Type(), {at(board), numbers});
    Value rows =
        gradient_.like<ReshapeOp>({updates, joined(gradient_, {count, gradient_.ints({-1})})});
    rows = whereRowsHold(gradient_, flat(gradient_, isLast), rows);
    return gradient_.reshapedLike(rows, op_.getUpdates());
  }

  // Those that are equal to the result share, whether they were there or came.
  void toLarger() {
    Type truth = gradient_.builder().getI1Type(), type = Gradient::elementOf(value_);
    Value wasThere = gradient_.one<EqualOp>(truth, {op_.getInput(), op_.getResult()});
    Value came = gradient_.one<EqualOp>(truth, {op_.getUpdates(), at(op_.getResult())});
    Value count =
        changed(gradient_.one<CastOp>(type, wasThere), gradient_.one<CastOp>(type, came), "add");
    Value share = gradient_.like<DivNoNanOp>({value_, count});
    if (gradient_.wants(0))
      gradient_.set(0, whereHolds(gradient_, wasThere, share));
    if (gradient_.wants(2))
      gradient_.set(2, whereHolds(gradient_, came, at(share)));
  }

  Gradient &gradient_;
  UpdatePointsOp op_;
  Value indices_, value_, points_, depth_, shifted_;
};

} // namespace

void UpdatePointsOp::buildGradient(Gradient &gradient) { PointsGradient(gradient, *this).build(); }

// ---- Segments -----------------------------------------------------------------------------------

// The rows at `ids`, zeros where an id is negative.
static Value rowsAt(Gradient &gradient, Value rows, Value ids) {
  auto known = constantInts(ids);
  bool isDropped = !known || llvm::any_of(*known, [](int64_t id) { return id < 0; });
  if (isDropped) {
    Type type = gradient.builder().getI64Type();
    Value numbers = Gradient::elementOf(ids) == type ? ids : gradient.one<CastOp>(type, ids);
    numbers = gradient.like<AddOp>({numbers, gradient.int64(1)});
    ids = gradient.like<MaximumOp>({numbers, gradient.int64(0)});
    rows = zerosAhead(gradient, rows, gradient.ints({1}));
  }
  return gradient.like<GatherOp>({rows, ids, gradient.int64(0)}, gradient.number("batch_dims", 0));
}

void UnsortedSegmentSumOp::buildGradient(Gradient &gradient) {
  gradient.set(0, rowsAt(gradient, gradient.ofResult(), getIds()));
}

static Value conjugated(Gradient &gradient, Value value) {
  if (!isa<ComplexType>(Gradient::elementOf(value)))
    return value;
  Value conjugate = gradient.like<TransposeOp>({flat(gradient, value), gradient.ints({0})},
                                               gradient.flag("conjugate", true));
  return gradient.reshapedLike(conjugate, value);
}

// The product of the others of its segment: for a zero that of those that are none, unless there
// are two, for others the whole divided by it.
void UnsortedSegmentProdOp::buildGradient(Gradient &gradient) {
  Type truth = gradient.builder().getI1Type(), type = Gradient::elementOf(getData());
  auto choose = [&](Value condition, Value yes, Value no) {
    return gradient.one<SelectOp>(type, {condition, yes, no}, gradient.flag("leading", false));
  };
  Value zero = gradient.scalar(type, 0), one = gradient.scalar(type, 1);
  Value isZero = gradient.one<EqualOp>(truth, {getData(), zero});
  Value zeros =
      gradient.like<UnsortedSegmentSumOp>({choose(isZero, one, zero), getIds(), getCount()});
  Value others = choose(isZero, one, getData());
  Value product = gradient.like<UnsortedSegmentProdOp>({others, getIds(), getCount()});
  Value manyZeros = gradient.one<NotEqualOp>(
      truth, {gradient.like<MulOp>({zeros, gradient.like<SubOp>({zeros, one})}), zero});
  Value value = choose(manyZeros, zero, gradient.ofResult());
  Value rest = choose(isZero, rowsAt(gradient, product, getIds()),
                      gradient.like<DivOp>({rowsAt(gradient, getResult(), getIds()), others}));
  gradient.set(
      0, gradient.like<MulOp>({rowsAt(gradient, value, getIds()), conjugated(gradient, rest)}));
}

// Equal ones share.
static void buildGradientOfExtremum(Gradient &gradient, Value data, Value ids, Value count) {
  Type truth = gradient.builder().getI1Type(), type = Gradient::elementOf(data);
  Value extremum = rowsAt(gradient, gradient.op()->getResult(0), ids);
  Value isTaken = gradient.one<EqualOp>(truth, {data, extremum});
  Value taken =
      gradient.like<UnsortedSegmentSumOp>({gradient.one<CastOp>(type, isTaken), ids, count});
  Value share = gradient.like<DivNoNanOp>({gradient.ofResult(), taken});
  gradient.set(0, whereHolds(gradient, isTaken, rowsAt(gradient, share, ids)));
}
void UnsortedSegmentMaxOp::buildGradient(Gradient &gradient) {
  buildGradientOfExtremum(gradient, getData(), getIds(), getCount());
}
void UnsortedSegmentMinOp::buildGradient(Gradient &gradient) {
  buildGradientOfExtremum(gradient, getData(), getIds(), getCount());
}
