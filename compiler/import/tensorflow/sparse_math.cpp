// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "sparse_math": arithmetic of sparse tensors, with each other and
// with dense ones.
#include "compiler/import/tensorflow/SparseTensors.h"

using namespace mlir;

namespace sluice::import {

namespace {

// ---- Two sparse tensors

// Two sparse tensors that have all places of both, and how many of the two had each.
struct Union {
  Value indices, a, b, times;
};

Union unionOf(Expansion &e, const SparseTensor &a, const SparseTensor &b) {
  UniqueRows all = uniqueRows(e, joined(e, {a.indices, b.indices}));
  Value count = sizeOf(e, a.values);
  Value first = part(e, all.positions, e.int32(0), count), second = from(e, all.positions, count);
  Value ones = e.like<nd::BroadcastToOp>({e.int32(1), dimsOf(e, all.positions)});
  return {all.rows, segmentSum(e, a.values, first, all.count),
          segmentSum(e, b.values, second, all.count),
          segmentSum(e, ones, all.positions, all.count)};
}

// Inputs 0 to 5, once they are known to be sparse tensors of the same dims.
std::pair<SparseTensor, SparseTensor> twoSparse(Expansion &e, ArrayRef<Value> inputs) {
  SparseTensor a{inputs[0], inputs[1], inputs[2]}, b{inputs[3], inputs[4], inputs[5]};
  Checks checks(e);
  requireSparse(checks, e, a);
  requireSparse(checks, e, b);
  checks.require(e.compare<nd::EqualOp>(sizeOf(e, a.dims), sizeOf(e, b.dims)),
                 "operands do not have the same ranks", b.dims);
  a = checked(checks, a);
  checks.require(e.compare<nd::EqualOp>(a.dims, checks.checked(b.dims)),
                 "operands' shapes do not match", b.dims);
  return {checked(checks, a), checked(checks, b)};
}

// Sums of two below the threshold are left out; what only one has stays, as in TensorFlow.
void sparseAdd(Expansion &e) {
  Type element = e.elementOf(e.input(1));
  if (isa<ComplexType>(element))
    return e.unsupported("expected real elements but got complex ones");
  auto inputs = e.afterAllInputs(e.inputs());
  auto [a, b] = twoSparse(e, inputs);
  Union all = unionOf(e, a, b);
  Value sums = add(e, all.a, all.b);
  Value size = element.isUnsignedInteger() ? sums : e.like<nd::AbsOp>(sums);
  Value isLarge = e.compare<nd::GreaterEqualOp>(converted(e, size, e.elementOf(inputs[6])),
                                                reshaped(e, inputs[6], e.ints({})));
  Value isSingle = e.compare<nd::LessOp>(all.times, e.int32(2));
  Value isKept = e.like<nd::LogicalOrOp>({isLarge, isSingle});
  sparseResult(e, onlyRows(e, {all.indices, sums, a.dims}, positionsOf(e, isKept)));
}

template <typename OpT> void sparseExtreme(Expansion &e) {
  if (isa<ComplexType>(e.elementOf(e.input(1))))
    return e.unsupported("expected real elements but got complex ones");
  auto inputs = e.afterAllInputs(e.inputs());
  auto [a, b] = twoSparse(e, inputs);
  Union all = unionOf(e, a, b);
  e.result(0, all.indices);
  e.result(1, e.like<OpT>({all.a, all.b}));
}

// ---- A sparse tensor and a dense one

void addToDense(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Type i64 = i64Of(e);
  SparseTensor a{converted(e, inputs[0], i64), inputs[1], converted(e, inputs[2], i64)};
  Checks checks(e);
  requireSparse(checks, e, a);
  Value dims = converted(e, dimsOf(e, inputs[3]), i64);
  checks.require(e.compare<nd::EqualOp>(sizeOf(e, dims), sizeOf(e, a.dims)),
                 "operands must have the same ranks", dims);
  checks.require(e.compare<nd::EqualOp>(checks.checked(dims), checks.checked(a.dims)),
                 "operands must have the same shapes", dims);
  a = checked(checks, a);
  e.result(0,
           e.like<nd::UpdatePointsOp>({checks.checked(inputs[3]), a.indices, a.values},
                                      {e.text("how", "add"), e.flag("ignore_bad_indices", false)}));
}

// The elements of a dense tensor, which may have to be broadcast, at the places of a sparse one.
Value denseAt(Expansion &e, Checks &checks, const SparseTensor &x, Value dense) {
  Type i64 = i64Of(e);
  Value missing = e.like<nd::SubOp>({sizeOf(e, x.dims), rankOf(e, dense)});
  checks.require(e.compare<nd::GreaterEqualOp>(missing, e.int32(0)),
                 "the dense side must not have more dims than the sparse one", dimsOf(e, dense));
  Value ones = e.like<nd::BroadcastToOp>({e.scalar(i64, 1), flat(e, checks.checked(missing))});
  Value dims = joined(e, {ones, converted(e, dimsOf(e, dense), i64)});
  Value repeats = e.compare<nd::EqualOp>(dims, e.scalar(i64, 1));
  checks.require(e.like<nd::LogicalOrOp>({repeats, e.compare<nd::EqualOp>(dims, x.dims)}),
                 "the dense side must broadcast to the sparse one", dims);
  Value at = select(e, repeats, e.scalar(i64, 0), checks.checked(x.indices));
  return e.like<nd::GatherNdOp>({reshaped(e, dense, dims), at});
}

template <typename OpT> void withDense(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  SparseTensor x{inputs[0], inputs[1], inputs[2]};
  Checks checks(e);
  requireSparse(checks, e, x);
  x = checked(checks, x);
  e.result(0, e.like<OpT>({x.values, denseAt(e, checks, x, inputs[3])}));
}

Value adjoint(Expansion &e, Value x, ArrayRef<int64_t> order) {
  return e.like<nd::TransposeOp>({x, e.ints(order)}, e.flag("conjugate", true));
}

void sparseMatMul(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Type i64 = i64Of(e);
  SparseTensor a{converted(e, inputs[0], i64), inputs[1], inputs[2]};
  bool turnsA = e.boolAttr("adjoint_a");
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(sizeOf(e, a.dims), e.int32(2)), "a must be a matrix",
                 a.dims);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, inputs[3]), e.int32(2)), "b must be a matrix",
                 dimsOf(e, inputs[3]));
  requireSparse(checks, e, {checks.checked(a.indices), a.values, a.dims});
  a = checked(checks, a);
  Value b = checks.checked(inputs[3]), values = a.values;
  if (e.boolAttr("adjoint_b"))
    b = adjoint(e, b, {1, 0});
  auto sizeOfA = [&](int64_t axis) {
    return single(e, part(e, a.dims, e.int32(axis), e.int32(1)));
  };
  checks.require(e.compare<nd::EqualOp>(
                     sizeOfA(turnsA ? 0 : 1),
                     converted(e, single(e, part(e, dimsOf(e, b), e.int32(0), e.int32(1))), i64)),
                 "the inner sizes must be equal", dimsOf(e, b));
  if (turnsA && isa<ComplexType>(e.elementOf(values)))
    values = adjoint(e, values, {0});
  Value rows = columnOf(e, a.indices, turnsA ? 1 : 0);
  Value others = columnOf(e, a.indices, turnsA ? 0 : 1);
  Value products =
      mul(e, reshaped(e, values, e.ints({-1, 1})), rowsOf(e, checks.checked(b), others));
  e.result(0, segmentSum(e, products, rows, sizeOfA(turnsA ? 1 : 0)));
}

// ---- Reductions

// Over the last dim, of what is there.
void sparseSoftmax(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  SparseTensor x{inputs[0], inputs[1], inputs[2]};
  Checks checks(e);
  requireSparse(checks, e, x);
  checks.require(e.compare<nd::GreaterEqualOp>(sizeOf(e, x.dims), e.int32(2)),
                 "the shape must have at least 2 dims", x.dims);
  x = checked(checks, x);
  Value leading = e.like<nd::SubOp>({sizeOf(e, x.dims), e.int32(1)});
  UniqueRows groups = uniqueRows(e, columnsOf(e, x.indices, e.int32(0), leading));
  Value largest = e.like<nd::UnsortedSegmentMaxOp>({x.values, groups.positions, groups.count});
  Value shifted = sub(e, x.values, rowsOf(e, largest, groups.positions));
  Value powers = e.like<nd::ExpOp>(shifted);
  Value sums = segmentSum(e, powers, groups.positions, groups.count);
  e.result(0, div(e, powers, rowsOf(e, sums, groups.positions)));
}

// The reduced dims are 1; without axes, whatever TensorFlow's page says, none is reduced.
Value keptDims(Expansion &e, Checks &checks, Value dims, Value axes, Value &isReduced) {
  Type i64 = i64Of(e);
  Value rank = converted(e, sizeOf(e, dims), i64), list = converted(e, flat(e, axes), i64);
  checks.require(e.like<nd::LogicalAndOp>({e.compare<nd::GreaterEqualOp>(list, neg(e, rank)),
                                           e.compare<nd::LessOp>(list, rank)}),
                 "reduction axes must be in the range of dims", axes);
  list = e.like<nd::FloorModOp>({checks.checked(list), rank});
  Value ones = e.like<nd::BroadcastToOp>({e.scalar(i64, 1), dimsOf(e, list)});
  Value marks = segmentSum(e, ones, list, rank);
  isReduced = e.compare<nd::GreaterOp>(marks, e.scalar(i64, 0));
  return select(e, isReduced, e.scalar(i64, 1), dims);
}

template <typename OpT> void sparseReduce(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Type i64 = i64Of(e);
  SparseTensor x{inputs[0], inputs[1], inputs[2]};
  Checks checks(e);
  requireSparse(checks, e, x);
  x = checked(checks, x);
  Value isReduced, dims = keptDims(e, checks, x.dims, inputs[3], isReduced);
  Value at = select(e, isReduced, e.scalar(i64, 0), x.indices);
  Value places = placesOf(e, at, dims), count = product(e, dims);
  Value results = e.like<OpT>({x.values, places, count});
  if (!std::is_same_v<OpT, nd::UnsortedSegmentSumOp>) { // a place without values is 0
    Value ones = e.like<nd::BroadcastToOp>({e.scalar(i64, 1), dimsOf(e, places)});
    Value values = segmentSum(e, ones, places, count);
    results = select(e, e.compare<nd::GreaterOp>(values, e.scalar(i64, 0)), results,
                     constantLike(e, results, 0));
  }
  if (!e.boolAttr("keep_dims"))
    dims = rowsOf(e, dims, positionsOf(e, e.like<nd::LogicalNotOp>(isReduced)));
  e.result(0, reshaped(e, results, dims));
}

// ---- Samples

// A matrix of classes, so many in each row.
void requireClasses(Checks &checks, Expansion &e, Value classes, int64_t perRow) {
  checks.require(e.compare<nd::EqualOp>(rankOf(e, classes), e.int32(2)),
                 "true_classes must be a matrix", dimsOf(e, classes));
  Value width = part(e, dimsOf(e, checks.checked(classes)), e.int32(1), e.int32(1));
  checks.require(e.compare<nd::EqualOp>(width, e.int32(perRow)),
                 "true_classes must have num_true columns", width);
}

// A class that is among the candidates: its row, the last place there, and what makes it unlikely.
void accidentalHits(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Type i64 = i64Of(e);
  int64_t perRow = e.intAttr("num_true");
  Checks checks(e);
  requireClasses(checks, e, inputs[0], perRow);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, inputs[1]), e.int32(1)),
                 "sampled_candidates must be a vector", dimsOf(e, inputs[1]));
  Value classes = reshaped(e, checks.checked(inputs[0]), e.ints({-1, 1}));
  Value candidates = checks.checked(inputs[1]);
  Value places = numbersBelow(e, converted(e, sizeOf(e, candidates), i64));
  Value found = select(e, e.compare<nd::EqualOp>(classes, candidates), places, e.scalar(i64, -1));
  Value none = e.like<nd::BroadcastToOp>(
      {e.scalar(i64, -1), joined(e, {flat(e, sizeOf(e, classes)), e.ints({1})})});
  Value last = e.like<nd::ReduceMaxOp>(
      {e.like<nd::ConcatOp>({none, found, e.int32(1)}), e.ints({1})}, e.flag("keep_dims", false));
  Value hits = positionsOf(e, e.compare<nd::GreaterEqualOp>(last, e.scalar(i64, 0)));
  Value rows = e.like<nd::FloorDivOp>({hits, e.scalar(i64, static_cast<double>(perRow))});
  Type f32 = e.builder().getF32Type();
  Value least = e.scalar(f32, -static_cast<double>(std::numeric_limits<float>::max()));
  e.result(0, converted(e, rows, e.builder().getI32Type()));
  e.result(1, rowsOf(e, last, hits));
  e.result(2, e.like<nd::BroadcastToOp>({least, dimsOf(e, hits)}));
}

// Every class is drawn once.
void allCandidates(Expansion &e) {
  Value classes = e.input(0);
  Type f32 = e.builder().getF32Type();
  Value count = e.scalar(i64Of(e), static_cast<double>(e.intAttr("num_sampled")));
  Checks checks(e);
  requireClasses(checks, e, classes, e.intAttr("num_true"));
  checks.require(e.compare<nd::GreaterEqualOp>(classes, e.scalar(i64Of(e), 0)),
                 "expected classes of 0 and more", classes);
  checks.require(e.compare<nd::LessOp>(classes, count), "expected classes below num_sampled",
                 classes);
  Value all = numbersBelow(e, checks.checked(count)), one = e.scalar(f32, 1);
  e.result(0, all);
  e.result(1, filled(e, dimsOf(e, checks.checked(classes)), one));
  e.result(2, filled(e, dimsOf(e, all), one));
}

constexpr OpExpansion kOps[] = {
    {"SparseAdd", sparseAdd},
    {"SparseSparseMaximum", sparseExtreme<nd::MaximumOp>},
    {"SparseSparseMinimum", sparseExtreme<nd::MinimumOp>},
    {"SparseTensorDenseAdd", addToDense},
    {"SparseDenseCwiseAdd", withDense<nd::AddOp>},
    {"SparseDenseCwiseMul", withDense<nd::MulOp>},
    {"SparseDenseCwiseDiv", withDense<nd::DivOp>},
    {"SparseTensorDenseMatMul", sparseMatMul, Style::kPure, "adjoint_a adjoint_b"},
    {"SparseSoftmax", sparseSoftmax},
    {"SparseReduceSum", sparseReduce<nd::UnsortedSegmentSumOp>, Style::kPure, "keep_dims"},
    {"SparseReduceMax", sparseReduce<nd::UnsortedSegmentMaxOp>, Style::kPure, "keep_dims"},
    {"ComputeAccidentalHits", accidentalHits, Style::kPure, "num_true seed seed2"},
    {"AllCandidateSampler", allCandidates, Style::kPure, "num_true num_sampled unique seed seed2"},
};

} // namespace

ArrayRef<OpExpansion> sparseMathOps() { return kOps; }

} // namespace sluice::import
