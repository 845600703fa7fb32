// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of the ops of the family "reduce": TensorFlow's, in its order of operations.
#include "dialects/nd/Formulas.h"
#include "dialects/nd/Nd.h"

#include <algorithm>

using namespace mlir;

namespace sluice::nd {

using formula::conjugate, formula::div, formula::mul;

// ---- Axes ---------------------------------------------------------------------------------------

// The axes as numbers from 0 on; nothing where types and constants do not tell.
static std::optional<SmallVector<int64_t>> knownAxes(Value input, Value axes) {
  auto type = dyn_cast<RankedTensorType>(input.getType());
  auto constant = axes.getDefiningOp<ConstantOp>();
  auto values = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  if (!type || !values)
    return std::nullopt;
  bool isUnsigned = cast<IntegerType>(values.getElementType()).isUnsigned();
  SmallVector<int64_t> known;
  for (const APInt &value : values.getValues<APInt>()) {
    int64_t axis = isUnsigned ? static_cast<int64_t>(value.getZExtValue()) : value.getSExtValue();
    if (axis < 0)
      axis += type.getRank();
    if (axis < 0 || axis >= type.getRank())
      return std::nullopt; // fails if it runs
    known.push_back(axis);
  }
  return known;
}

// The axes as a vector of i64, none of which counts from the end.
static Value axesFromStart(Gradient &g, Value input, Value axes) {
  if (auto known = knownAxes(input, axes))
    return g.ints(*known);
  Type i64 = g.builder().getI64Type();
  if (Gradient::elementOf(axes) != i64)
    axes = g.one<CastOp>(i64, axes);
  Value list = g.like<ReshapeOp>({axes, g.ints({-1})});
  Value fromEnd = g.one<LessOp>(g.builder().getI1Type(), {list, g.int64(0)});
  Value counted = g.like<AddOp>({list, g.one<RankOp>(i64, input)});
  return g.one<SelectOp>(i64, {fromEnd, counted, list}, g.flag("leading", false));
}

// The dims of `input`, but 1 along the axes.
static Value keptDims(Gradient &g, Value input, Value axes) {
  Type i1 = g.builder().getI1Type(), i64 = g.builder().getI64Type();
  Value rank = g.one<RankOp>(i64, input);
  Value marks =
      g.one<OneHotOp>(i1, {axesFromStart(g, input, axes), rank, g.scalar(i1, 1), g.scalar(i1, 0)},
                      g.number("axis", -1));
  Value isReduced = g.like<ReduceAnyOp>({marks, g.ints({0})}, g.flag("keep_dims", false));
  return g.one<SelectOp>(i64, {isReduced, g.int64(1), g.shapeOf(input)}, g.flag("leading", false));
}

namespace formula {

Value withKeptDims(Gradient &g, Value reduced, Value input, Value axes, bool keepDims) {
  if (keepDims)
    return reduced;
  auto known = knownAxes(input, axes);
  if (!known)
    return g.like<ReshapeOp>({reduced, keptDims(g, input, axes)});
  llvm::sort(*known);
  for (int64_t axis : *known)
    reduced = g.like<ExpandDimsOp>({reduced, g.int64(axis)});
  return reduced;
}

} // namespace formula

// ---- Reductions ---------------------------------------------------------------------------------

// The derivative of what is reduced for each element that went into it.
template <typename OpT> static Value spread(Gradient &g, OpT op) {
  Value kept =
      formula::withKeptDims(g, g.ofResult(), op.getInput(), op.getAxes(), op.getKeepDims());
  return g.like<BroadcastToOp>({kept, g.shapeOf(op.getInput())});
}

void ReduceSumOp::buildGradient(Gradient &g) { g.set(0, spread(g, *this)); }

// How many elements of `input` became one of `reduced`, in the element type of both.
static Value countOfReduced(Gradient &g, Value input, Value reduced) {
  Type element = Gradient::elementOf(input), i64 = g.builder().getI64Type();
  auto from = dyn_cast<RankedTensorType>(input.getType());
  auto to = dyn_cast<RankedTensorType>(reduced.getType());
  if (from && to && from.hasStaticShape() && to.hasStaticShape()) {
    int64_t count = from.getNumElements() / std::max<int64_t>(to.getNumElements(), 1);
    return g.scalar(element, static_cast<double>(count));
  }
  Value results = g.like<MaximumOp>({g.one<SizeOp>(i64, reduced), g.int64(1)});
  Value count = g.like<FloorDivOp>({g.one<SizeOp>(i64, input), results});
  return g.one<CastOp>(element, count);
}

void ReduceMeanOp::buildGradient(Gradient &g) {
  g.set(0, div(g, spread(g, *this), countOfReduced(g, getInput(), getResult())));
}

// For each element the product of all others along the axis. Unlike a quotient it is right if some
// are 0.
static Value productOfOthers(Gradient &g, Value x, Value axis) {
  auto running = [&](bool reverse) {
    return conjugate(
        g, g.like<CumprodOp>({x, axis}, {g.flag("exclusive", true), g.flag("reverse", reverse)}));
  };
  Value before = running(false);
  return mul(g, before, running(true));
}

// The same along several axes: their dims are brought to the front and become one.
static Value productOfOthersInGroups(Gradient &g, Value x, Value reduced) {
  Type i64 = g.builder().getI64Type();
  Value dims = g.shapeOf(x), first = g.int64(0);
  Value all = g.like<RangeOp>({first, g.one<RankOp>(i64, x), g.int64(1)});
  Value others = g.make<ListDiffOp>({i64, i64}, {all, reduced}).getValues();
  Value order = g.like<ConcatOp>({reduced, others, first});
  auto sizeOf = [&](Value axes) {
    Value sizes = g.like<GatherOp>({dims, axes, first}, g.number("batch_dims", 0));
    return g.like<ReduceProdOp>({sizes, g.ints({0})}, g.flag("keep_dims", true));
  };
  Value front = g.like<TransposeOp>({x, order}, g.flag("conjugate", false));
  Value matrixDims = g.like<ConcatOp>({sizeOf(reduced), sizeOf(others), first});
  Value matrix = g.like<ReshapeOp>({front, matrixDims});
  Value product = g.reshapedLike(productOfOthers(g, matrix, first), front);
  return g.like<TransposeOp>({product, g.like<InvertPermutationOp>(order)},
                             g.flag("conjugate", false));
}

void ReduceProdOp::buildGradient(Gradient &g) {
  auto known = knownAxes(getInput(), getAxes());
  Value others =
      known && known->size() == 1
          ? productOfOthers(g, getInput(), g.int64(known->front()))
          : productOfOthersInGroups(g, getInput(), axesFromStart(g, getInput(), getAxes()));
  g.set(0, mul(g, spread(g, *this), others));
}

// Equal extrema share what comes back.
template <typename OpT> static void buildOfExtremum(Gradient &g, OpT op) {
  Value input = op.getInput(), axes = op.getAxes();
  auto withKeptDims = [&](Value reduced) {
    return formula::withKeptDims(g, reduced, input, axes, op.getKeepDims());
  };
  Value isExtreme = g.one<EqualOp>(g.builder().getI1Type(), {withKeptDims(op.getResult()), input});
  Value marks = g.one<CastOp>(Gradient::elementOf(input), isExtreme);
  Value count = g.like<ReduceSumOp>({marks, axes}, g.flag("keep_dims", true));
  g.set(0, mul(g, div(g, marks, count), withKeptDims(g.ofResult())));
}

void ReduceMaxOp::buildGradient(Gradient &g) { buildOfExtremum(g, *this); }

void ReduceMinOp::buildGradient(Gradient &g) { buildOfExtremum(g, *this); }

void L2LossOp::buildGradient(Gradient &g) { g.set(0, mul(g, getInput(), g.ofResult())); }

// ---- Scans --------------------------------------------------------------------------------------

// A sum the other way round, of what each element went into.
template <typename OpT> static Value sumBackwards(Gradient &g, OpT op, Value summand) {
  return g.like<CumsumOp>({summand, op.getAxis()}, {g.flag("exclusive", op.getExclusive()),
                                                    g.flag("reverse", !op.getReverse())});
}

void CumsumOp::buildGradient(Gradient &g) { g.set(0, sumBackwards(g, *this, g.ofResult())); }

// As TensorFlow's: 0 where an element is 0, and without conjugates.
void CumprodOp::buildGradient(Gradient &g) {
  Value sum = sumBackwards(g, *this, mul(g, getResult(), g.ofResult()));
  g.set(0, g.like<DivNoNanOp>({sum, getInput()}));
}

// ---- Top k --------------------------------------------------------------------------------------

// Where the elements of each row of `input` begin, as numbers of elements, with a last dim of 1.
static Value startsOfRows(Gradient &g, Value dims) {
  Value before = g.like<SubOp>({g.shapeOf(dims), g.ints({1})}); // a vector of one number
  Value outer = g.like<SliceOp>({dims, g.ints({0}), before});
  Value length = g.like<SliceOp>({dims, before, g.ints({1})});
  Value count = g.like<ReduceProdOp>({outer, g.ints({0})}, g.flag("keep_dims", false));
  Value rows = g.like<RangeOp>({g.int64(0), count, g.int64(1)});
  Value shape = g.like<ConcatOp>({outer, g.ints({1}), g.int64(0)});
  return g.like<ReshapeOp>({g.like<MulOp>({rows, length}), shape});
}

// Each element goes back to where it was.
void TopKOp::buildGradient(Gradient &g) {
  if (!g.ofResult(0))
    return;
  Value dims = g.shapeOf(getInput());
  Value inRow = g.one<CastOp>(g.builder().getI64Type(), getIndices());
  Value positions = g.like<AddOp>({inRow, startsOfRows(g, dims)});
  Value points = g.like<ReshapeOp>({positions, g.ints({-1, 1})});
  Value updates = g.like<ReshapeOp>({g.ofResult(0), g.ints({-1})});
  Value size = g.like<ReduceProdOp>({dims, g.ints({0})}, g.flag("keep_dims", true));
  Value flat = g.one<ScatterNdOp>(Gradient::elementOf(updates), {points, updates, size});
  g.set(0, g.like<ReshapeOp>({flat, dims}));
}

} // namespace sluice::nd
