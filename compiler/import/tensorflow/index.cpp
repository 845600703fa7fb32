// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "index": elements chosen or placed by indices.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/Expansion.h"
#include "compiler/import/tensorflow/Lists.h"
#include "compiler/import/tensorflow/PointUpdates.h"
#include "compiler/import/tensorflow/SharedObjects.h"

using namespace mlir;

namespace sluice::import {

namespace {

void gatherRows(Expansion &e) {
  e.result(0,
           e.like<nd::GatherOp>({e.input(0), e.input(1), e.int32(0)}, e.number("batch_dims", 0)));
}

void gatherAxis(Expansion &e) {
  e.result(0, e.like<nd::GatherOp>(e.inputs(), e.number("batch_dims", e.intAttr("batch_dims"))));
}

void gatherRowsOfLists(Expansion &e) {
  if (Value gathered = gatherLists(e, e.input(0), e.input(1)))
    e.result(0, gathered);
}

void gatherAxisOfLists(Expansion &e) {
  auto axis = constantOf(e.input(2));
  if (!axis || axis->front() != 0 || e.intAttr("batch_dims") != 0)
    return e.unsupported("lists are gathered along axis 0 only");
  gatherRowsOfLists(e);
}

void gatherHandles(Expansion &e) { chooseHandle(e, e.input(0), e.input(1)); }

// For each row of indices, along their last dim, whether it is inside a tensor of these dims. The
// last dim stays, with size 1.
Value rowsInside(Expansion &e, Value rows, Value dims) {
  Type i32 = e.builder().getI32Type();
  Value sizes = e.tensor<nd::ShapeOp>(i32, rows);
  Value depth = e.like<nd::GatherOp>(
      {sizes, e.like<nd::SubOp>({e.tensor<nd::RankOp>(i32, rows), e.ints({1})}), e.int32(0)},
      e.number("batch_dims", 0));
  Value limits = e.like<nd::SliceOp>({dims, e.ints({0}), depth});
  Value below = e.compare<nd::LessOp>(rows, limits);
  Value notNegative = e.compare<nd::GreaterEqualOp>(rows, e.scalar(e.elementOf(rows), 0));
  Value inside = e.like<nd::LogicalAndOp>({below, notNegative});
  return e.like<nd::ReduceAllOp>({inside, e.ints({-1})}, e.flag("keep_dims", true));
}

// The elements where their row of indices is inside, else 0.
Value zeroOutside(Expansion &e, Value rows, Value inside, Value elements) {
  Type i32 = e.builder().getI32Type();
  Value rowRank = e.like<nd::SubOp>({e.tensor<nd::RankOp>(i32, rows), e.ints({1})});
  Value places = e.like<nd::SliceOp>({e.tensor<nd::ShapeOp>(i32, rows), e.ints({0}), rowRank});
  Value more = e.like<nd::SubOp>({e.tensor<nd::RankOp>(i32, elements), rowRank});
  Value ones = e.like<nd::FillOp>({more, e.int32(1)});
  Value mask = e.like<nd::ReshapeOp>({inside, e.like<nd::ConcatOp>({places, ones, e.int32(0)})});
  return select(e, mask, elements, e.scalar(e.elementOf(elements), 0));
}

Value zeroRowsOutside(Expansion &e, Value rows, Value inside) {
  return select(e, inside, rows, e.scalar(e.elementOf(rows), 0));
}

void gatherNd(Expansion &e) {
  Value params = e.input(0), rows = e.input(1);
  if (!ignoresBadIndices(e))
    return e.result(0, e.like<nd::GatherNdOp>({params, rows}));
  Value dims = e.tensor<nd::ShapeOp>(e.builder().getI64Type(), params);
  Value inside = rowsInside(e, rows, e.tensor<nd::CastOp>(e.elementOf(rows), dims));
  Value picked = e.like<nd::GatherNdOp>({params, zeroRowsOutside(e, rows, inside)});
  e.result(0, zeroOutside(e, rows, inside, picked));
}

// What is scattered outside adds 0 to the first element instead.
void scatterNd(Expansion &e) {
  Value rows = e.input(0), updates = e.input(1), dims = e.input(2);
  if (ignoresBadIndices(e)) {
    Value inside = rowsInside(e, rows, dims);
    updates = zeroOutside(e, rows, inside, updates);
    rows = zeroRowsOutside(e, rows, inside);
  }
  Type element = e.elementOf(updates), i32 = e.builder().getI32Type();
  if (isa<nd::StringType>(element))
    return e.unsupported("strings are not supported by this op");
  bool isBool = element.isInteger(1); // of which a sum is true if one of them is
  if (isBool)
    updates = e.tensor<nd::CastOp>(i32, updates);
  Value sums = e.tensor<nd::ScatterNdOp>(isBool ? i32 : element, {rows, updates, dims});
  e.result(0, isBool ? e.compare<nd::NotEqualOp>(sums, e.int32(0)) : sums);
}

template <PointUpdate kHow> void updatePoints(Expansion &e) {
  e.result(0, e.like<nd::UpdatePointsOp>(e.inputs(), attributesOfPointUpdate(e, kHow)));
}

// The axis of the first version is not said: its input is a vector. Only the versions with counts
// have a third output.
template <bool kHasAxis> void unique(Expansion &e) {
  Type index = e.resultElement(1);
  Value axis = kHasAxis ? e.input(1) : e.ints({});
  auto op = e.make<nd::UniqueOp>(
      {unrankedOf(e.elementOf(e.input(0))), unrankedOf(index), unrankedOf(index)},
      {e.input(0), axis});
  for (uint32_t i = 0; i < e.numResults(); ++i)
    e.result(i, op->getResult(i));
}

void listDiff(Expansion &e) {
  auto op = e.make<nd::ListDiffOp>(
      {unrankedOf(e.elementOf(e.input(0))), unrankedOf(e.resultElement(1))}, e.inputs());
  e.result(0, op.getValues());
  e.result(1, op.getPositions());
}

void oneHot(Expansion &e) {
  e.result(0, e.tensor<nd::OneHotOp>(e.elementOf(e.input(2)), e.inputs(),
                                     e.number("axis", e.intAttr("axis"))));
}

void where(Expansion &e) {
  e.result(0, e.tensor<nd::WhereOp>(e.builder().getI64Type(), e.inputs()));
}

// The first elements along an axis backwards, a number of them for each slice of another axis.
void reverseSequence(Expansion &e) {
  for (const char *name : {"batch_dim", "seq_dim"})
    if (!llvm::isUInt<8>(e.intAttr(name)))
      return e.fail(ExitCode::kBadGraph, std::string("attribute '") + name +
                                             "': expected an axis but got " +
                                             std::to_string(e.intAttr(name)));
  auto inputs = e.afterAllInputs(e.inputs());
  Value x = inputs[0];
  Type type = e.elementOf(inputs[1]);
  Value chosen = e.ints({e.intAttr("batch_dim"), e.intAttr("seq_dim")});
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, inputs[1]), e.int32(1)),
                 "seq_lengths must be 1-dim", dimsOf(e, inputs[1]));
  Type i32 = e.builder().getI32Type();
  Value others = e.make<nd::ListDiffOp>({unrankedOf(i32), unrankedOf(i32)},
                                        {numbersBelow(e, rankOf(e, x)), chosen})
                     .getValues();
  Value order = joined(e, {chosen, others});
  Value turned = transposed(e, x, order);
  Value steps = part(e, dimsOf(e, turned), e.int32(1), e.int32(1));
  Value most = converted(e, single(e, steps), type), given = checks.checked(inputs[1]);
  Value fits = e.like<nd::LogicalAndOp>({e.compare<nd::GreaterEqualOp>(given, e.scalar(type, 0)),
                                         e.compare<nd::LessEqualOp>(given, most)});
  checks.require(fits, "seq_lengths must be from 0 to the size of seq_dim", given);
  turned = checks.checked(turned);
  Value places = numbersBelow(e, most);
  Value lengths = reshaped(e, given, e.ints({-1, 1}));
  Value fromEnd = e.like<nd::SubOp>({e.like<nd::SubOp>({lengths, e.scalar(type, 1)}), places});
  Value at = select(e, e.compare<nd::LessOp>(places, lengths), fromEnd, places);
  Value reversed = gathered(e, turned, at, e.int32(1), 1);
  e.result(0, transposed(e, reversed, e.like<nd::InvertPermutationOp>(order)));
}

// Axes below 0 count from the end.
Value axisFromStart(Expansion &e, Value x, Value axis) {
  axis = converted(e, axis, e.builder().getI32Type());
  auto known = constantOf(axis);
  if (known && known->front() >= 0)
    return axis;
  Value fromEnd = e.like<nd::AddOp>({axis, rankOf(e, x)});
  return known ? fromEnd : select(e, e.compare<nd::LessOp>(axis, e.int32(0)), fromEnd, axis);
}

// What is shifted out at one end comes in at the other.
void roll(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value x = inputs[0], shifts = flat(e, inputs[1]);
  // How many there are is known of a constant, and else of the shape of either.
  int64_t count = ShapedType::kDynamic;
  for (uint32_t i = 1; i < 3; ++i)
    if (auto type = dyn_cast<RankedTensorType>(e.input(i).getType()); type && type.hasStaticShape())
      count = type.getNumElements();
  auto known = constantOf(e.input(2));
  if (known)
    count = static_cast<int64_t>(known->size());
  constexpr int64_t kMost = 254; // as many dims as a tensor may have
  if (ShapedType::isDynamic(count))
    return e.unsupported("operand 'axis': expected a known number of elements");
  if (count > kMost)
    return e.unsupported("operand 'axis': expected at most " + std::to_string(kMost) +
                         " elements but got " + std::to_string(count));
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(sizeOf(e, inputs[1]), sizeOf(e, inputs[2])),
                 "shift and axis must have the same size", inputs[1]);
  x = checks.checked(x);
  for (int64_t i = 0; i < count; ++i) {
    Value at =
        axisFromStart(e, x,
                      known ? e.int32((*known)[static_cast<size_t>(i)])
                            : single(e, part(e, flat(e, inputs[2]), e.int32(i), e.int32(1))));
    Value size = converted(e, gathered(e, dimsOf(e, x), at, e.int32(0)), e.elementOf(shifts));
    Value shift = single(e, part(e, shifts, e.int32(i), e.int32(1)));
    Value some = e.like<nd::MaximumOp>({size, e.scalar(e.elementOf(size), 1)});
    Value less = e.like<nd::FloorModOp>({shift, some}); // the difference below always fits
    Value from = e.like<nd::SubOp>({numbersBelow(e, size), less});
    x = gathered(e, x, e.like<nd::FloorModOp>({from, size}), at);
  }
  e.result(0, x);
}

template <typename OpT> void unsortedSegment(Expansion &e) { e.result(0, e.like<OpT>(e.inputs())); }

// As many as a scalar says.
Value ones32(Expansion &e, Value count) { return filled(e, flat(e, count), e.int32(1)); }

// The indices along each dim of positions among all elements.
void unravelIndex(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value positions = inputs[0], dims = inputs[1];
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, dims), e.int32(1)),
                 "The indices can only be unraveled into a vector of dims", dimsOf(e, dims));
  checks.require(e.compare<nd::LessEqualOp>(rankOf(e, positions), e.int32(1)),
                 "The indices can only be scalar or vector", dimsOf(e, positions));
  dims = checks.checked(dims);
  Value all = product(e, dims);
  checks.require(e.like<nd::LogicalAndOp>(
                     {e.compare<nd::GreaterEqualOp>(positions, constantLike(e, positions, 0)),
                      e.compare<nd::LessOp>(positions, all)}),
                 "index is out of bound as with dims", positions);
  checks.require(e.compare<nd::NotEqualOp>(dims, constantLike(e, dims, 0)),
                 "The input dims cannot contain a dim of zero", dims);
  positions = checks.checked(positions);
  dims = checks.checked(dims);
  Value below = e.like<nd::CumprodOp>({dims, e.int32(0)},
                                      {e.flag("exclusive", true), e.flag("reverse", true)});
  // A column for each position, or none for a scalar.
  Value column = joined(e, {e.ints({-1}), ones32(e, rankOf(e, positions))});
  Value quotient = e.like<nd::FloorDivOp>({positions, reshaped(e, below, column)});
  e.result(0, e.like<nd::FloorModOp>({quotient, reshaped(e, dims, column)}));
}

constexpr OpExpansion kOps[] = {
    moving({"Gather", handlesOr<gatherHandles, firstListOrTensor<gatherRowsOfLists, gatherRows>>,
            Style::kLists}),
    moving({"GatherV2", handlesOr<gatherHandles, firstListOrTensor<gatherAxisOfLists, gatherAxis>>,
            Style::kLists, "batch_dims"}),
    moving({"GatherNd", gatherNd, Style::kPure, "bad_indices_policy"}),
    {"UnravelIndex", unravelIndex},
    {"ScatterNd", scatterNd, Style::kPure, "bad_indices_policy"},
    {"TensorScatterUpdate", updatePoints<PointUpdate::kUpdate>, Style::kPure, "bad_indices_policy"},
    {"TensorScatterAdd", updatePoints<PointUpdate::kAdd>, Style::kPure, "bad_indices_policy"},
    {"TensorScatterSub", updatePoints<PointUpdate::kSub>, Style::kPure, "bad_indices_policy"},
    {"TensorScatterMax", updatePoints<PointUpdate::kMax>, Style::kPure, "bad_indices_policy"},
    {"TensorScatterMin", updatePoints<PointUpdate::kMin>, Style::kPure, "bad_indices_policy"},
    {"ScatterNdNonAliasingAdd", updatePoints<PointUpdate::kAdd>, Style::kPure,
     "bad_indices_policy"},
    {"Unique", unique<false>},
    {"UniqueV2", unique<true>},
    {"UniqueWithCounts", unique<false>},
    {"UniqueWithCountsV2", unique<true>},
    {"ListDiff", listDiff},
    {"OneHot", oneHot, Style::kPure, "axis"},
    {"Where", where},
    {"ReverseSequence", reverseSequence, Style::kPure, "seq_dim batch_dim"},
    moving({"Roll", roll}),
    {"UnsortedSegmentSum", unsortedSegment<nd::UnsortedSegmentSumOp>},
    {"UnsortedSegmentProd", unsortedSegment<nd::UnsortedSegmentProdOp>},
    {"UnsortedSegmentMax", unsortedSegment<nd::UnsortedSegmentMaxOp>},
    {"UnsortedSegmentMin", unsortedSegment<nd::UnsortedSegmentMinOp>},
};

} // namespace

ArrayRef<OpExpansion> indexOps() { return kOps; }

} // namespace sluice::import
