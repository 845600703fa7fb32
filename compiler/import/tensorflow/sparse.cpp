// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "sparse": the places of values in sparse tensors. All are made of
// ops on dense tensors, and of the order of rows.
#include "compiler/import/tensorflow/SparseTensors.h"

using namespace mlir;

namespace sluice::import {

namespace {

Value number(Expansion &e, int64_t value) { return e.scalar(i64Of(e), static_cast<double>(value)); }

Value quotient(Expansion &e, Value a, Value b) { return e.like<nd::FloorDivOp>({a, b}); }
Value remainder(Expansion &e, Value a, Value b) { return e.like<nd::FloorModOp>({a, b}); }
Value both(Expansion &e, Value a, Value b) { return e.like<nd::LogicalAndOp>({a, b}); }
Value either(Expansion &e, Value a, Value b) { return e.like<nd::LogicalOrOp>({a, b}); }

// ---- Reshape and order

// The new dims, of which one may follow from the others.
Value resolvedDims(Expansion &e, Checks &checks, Value before, Value wanted) {
  Value isOpen = e.compare<nd::EqualOp>(wanted, number(e, -1));
  Value open = sumOf(e, converted(e, isOpen, i64Of(e)), 0);
  checks.require(e.compare<nd::LessEqualOp>(open, number(e, 1)),
                 "only one output dimension may be -1", wanted);
  checks.require(either(e, isOpen, e.compare<nd::GreaterEqualOp>(wanted, number(e, 0))),
                 "sizes must be non-negative", wanted);
  Value total = product(e, before), known = product(e, select(e, isOpen, number(e, 1), wanted));
  Value isKnown = e.compare<nd::EqualOp>(open, number(e, 0));
  checks.require(either(e, isKnown, e.compare<nd::GreaterOp>(known, number(e, 0))),
                 "cannot infer the missing size of an empty tensor", wanted);
  Value missing = quotient(e, total, e.like<nd::MaximumOp>({known, number(e, 1)}));
  Value dims = select(e, isOpen, missing, wanted);
  checks.require(e.compare<nd::EqualOp>(product(e, dims), total),
                 "the new shape must have as many elements as the old one", wanted);
  return checks.checked(dims);
}

void sparseReshape(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value indices = inputs[0], before = inputs[1];
  Checks checks(e);
  for (Value dims : {inputs[1], inputs[2]})
    checks.require(e.compare<nd::EqualOp>(rankOf(e, dims), e.int32(1)),
                   "the shapes must be vectors", dimsOf(e, dims));
  Value dims = resolvedDims(e, checks, before, checks.checked(inputs[2]));
  Value places = placesOf(e, checks.checked(indices), checks.checked(before));
  Value at = reshaped(e, places, e.ints({-1, 1}));
  e.result(0, remainder(e, quotient(e, at, stridesOf(e, dims)), dims));
  e.result(1, dims);
}

void sparseReorder(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  SparseTensor x{inputs[0], inputs[1], inputs[2]};
  Checks checks(e);
  requireSparse(checks, e, x);
  SparseTensor sorted = inOrder(e, checked(checks, x));
  e.result(0, sorted.indices);
  e.result(1, sorted.values);
}

// ---- Parts and joins

// The dims, with one replaced.
Value replaced(Expansion &e, Value dims, Value at, Value size) {
  Value isHere =
      e.compare<nd::EqualOp>(numbersBelow(e, converted(e, sizeOf(e, dims), i64Of(e))), at);
  return select(e, isHere, size, dims);
}

// What is from `start` on, before `end`; places are counted from there.
SparseTensor between(Expansion &e, const SparseTensor &x, Value start, Value end, Value dims) {
  Value isInside = both(e, e.compare<nd::GreaterEqualOp>(x.indices, start),
                        e.compare<nd::LessOp>(x.indices, end));
  SparseTensor kept = onlyRows(e, x, positionsOf(e, allOf(e, isInside, 1)));
  return {sub(e, kept.indices, start), kept.values, dims};
}

// The first of the parts are larger by one where the dim is no multiple.
void sparseSplit(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  SparseTensor x{inputs[1], inputs[2], inputs[3]};
  auto count = static_cast<int64_t>(e.numResults() / 3);
  Checks checks(e);
  requireSparse(checks, e, x);
  checks.require(e.compare<nd::EqualOp>(sizeOf(e, inputs[0]), e.int32(1)),
                 "split_dim must be a scalar", dimsOf(e, inputs[0]));
  Value axis = single(e, checks.checked(inputs[0]));
  Value rank = converted(e, sizeOf(e, x.dims), i64Of(e));
  axis = selected(e, e.compare<nd::LessOp>(axis, number(e, 0)), add(e, axis, rank), axis);
  checks.require(
      both(e, e.compare<nd::GreaterEqualOp>(axis, number(e, 0)), e.compare<nd::LessOp>(axis, rank)),
      "split_dim must be in the range of dims", inputs[0]);
  Value size = single(e, rowsOf(e, x.dims, flat(e, checks.checked(axis))));
  checks.require(e.compare<nd::GreaterEqualOp>(size, number(e, count)),
                 "num_split must be in the interval (0, dim]", inputs[3]);
  x = checked(checks, x);
  Value least = quotient(e, size, number(e, count)), more = remainder(e, size, number(e, count));
  Value zeros = mul(e, x.dims, number(e, 0));
  auto startOf = [&](int64_t i) {
    return add(e, mul(e, least, number(e, i)), e.like<nd::MinimumOp>({more, number(e, i)}));
  };
  for (int64_t i = 0; i < count; ++i) {
    Value start = startOf(i), end = startOf(i + 1);
    SparseTensor part =
        between(e, x, replaced(e, zeros, axis, start), replaced(e, x.dims, axis, end),
                replaced(e, x.dims, axis, sub(e, end, start)));
    sparseResult(e, part, static_cast<uint32_t>(i), static_cast<uint32_t>(count));
  }
}

void sparseConcat(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  const size_t count = inputs.size() / 3;
  int64_t given = e.intAttr("concat_dim");
  Value first = inputs[2 * count];
  Value axis = number(e, given);
  if (given < 0)
    axis = add(e, axis, converted(e, sizeOf(e, first), i64Of(e)));
  Checks checks(e);
  Value rank = converted(e, sizeOf(e, first), i64Of(e));
  Value isInside = e.compare<nd::LessOp>(axis, rank);
  if (given < 0)
    isInside = both(e, isInside, e.compare<nd::GreaterEqualOp>(axis, number(e, 0)));
  checks.require(isInside, "concat_dim must be in the range of dims", first);
  SmallVector<Value> indices, values;
  Value zeros = mul(e, checks.checked(first), number(e, 0)), end = zeros;
  Value others = replaced(e, first, axis, number(e, 0));
  for (size_t i = 0; i < count; ++i) {
    SparseTensor x{inputs[i], inputs[count + i], inputs[2 * count + i]};
    requireSparse(checks, e, x);
    checks.require(e.compare<nd::EqualOp>(sizeOf(e, x.dims), sizeOf(e, first)),
                   "all shapes must have the same rank", x.dims);
    x = checked(checks, x);
    checks.require(e.compare<nd::EqualOp>(replaced(e, x.dims, axis, number(e, 0)), others),
                   "all shapes must match but in concat_dim", x.dims);
    x = checked(checks, x);
    indices.push_back(add(e, x.indices, end));
    values.push_back(x.values);
    end = add(e, end, sub(e, x.dims, replaced(e, x.dims, axis, number(e, 0))));
  }
  sparseResult(e, inOrder(e, {joined(e, indices), joined(e, values), add(e, others, end)}));
}

void sparseSlice(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  SparseTensor x{inputs[0], inputs[1], inputs[2]};
  Value start = inputs[3], size = inputs[4];
  Checks checks(e);
  requireSparse(checks, e, x);
  for (Value given : {start, size}) {
    checks.require(e.compare<nd::EqualOp>(dimsOf(e, given), dimsOf(e, x.dims)),
                   "start and size must have as many elements as dims", dimsOf(e, given));
    checks.require(e.compare<nd::GreaterEqualOp>(given, number(e, 0)),
                   "start and size must be non-negative", given);
  }
  x = checked(checks, x);
  start = checks.checked(start);
  Value left = e.like<nd::MaximumOp>({sub(e, x.dims, start), number(e, 0)});
  Value dims = e.like<nd::MinimumOp>({left, size});
  sparseResult(e, between(e, x, start, add(e, start, dims), dims));
}

// What came of the values that were kept; 0 for the others.
void sparseSliceGrad(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value gradient = inputs[0], indices = inputs[1], kept = add(e, inputs[3], inputs[2]);
  UniqueRows all = uniqueRows(e, joined(e, {indices, kept}));
  Value count = sizeOf(e, inputs[0]), before = sub(e, sizeOf(e, all.positions), count);
  Value sums = segmentSum(e, gradient, from(e, all.positions, before), all.count);
  e.result(0, rowsOf(e, sums, part(e, all.positions, e.int32(0), before)));
}

// ---- Rows without values

void sparseFillEmptyRows(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  SparseTensor x{inputs[0], inputs[1], inputs[2]};
  Checks checks(e);
  requireSparse(checks, e, x);
  checks.require(e.compare<nd::GreaterOp>(sizeOf(e, x.dims), e.int32(0)),
                 "the shape must have a dim", x.dims);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, inputs[3]), e.int32(0)),
                 "default_value must be a scalar", dimsOf(e, inputs[3]));
  x = checked(checks, x);
  Value rows = columnOf(e, x.indices, 0);
  Value counts = segmentSum(e, e.like<nd::BroadcastToOp>({number(e, 1), dimsOf(e, rows)}), rows,
                            single(e, part(e, x.dims, e.int32(0), e.int32(1))));
  Value isEmpty = e.compare<nd::EqualOp>(counts, number(e, 0));
  Value empty = positionsOf(e, isEmpty), count = flat(e, sizeOf(e, empty));
  Value more = e.like<nd::SubOp>({sizeOf(e, x.dims), e.int32(1)});
  Value points = e.like<nd::ConcatOp>(
      {reshaped(e, empty, e.ints({-1, 1})),
       e.like<nd::BroadcastToOp>({number(e, 0), joined(e, {count, flat(e, more)})}), e.int32(1)});
  Value fill = e.like<nd::BroadcastToOp>({checks.checked(inputs[3]), count});
  Value all = joined(e, {x.indices, points});
  Value order = e.tensor<sci::RowOrderOp>(i64Of(e), columnsOf(e, all, e.int32(0), e.int32(1)));
  e.result(0, rowsOf(e, all, order));
  e.result(1, rowsOf(e, joined(e, {x.values, fill}), order));
  e.result(2, isEmpty);
  e.result(3, part(e, e.like<nd::InvertPermutationOp>(order), e.int32(0), sizeOf(e, rows)));
}

// The default value has the gradient of all places that no value went to.
void sparseFillEmptyRowsGrad(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value map = inputs[0], gradient = inputs[1];
  Value count = sizeOf(e, gradient);
  Value used = segmentSum(e, e.like<nd::BroadcastToOp>({number(e, 1), dimsOf(e, map)}), map, count);
  Value left = select(e, e.compare<nd::GreaterOp>(used, number(e, 0)), constantLike(e, gradient, 0),
                      gradient);
  e.result(0, rowsOf(e, gradient, map));
  e.result(1, sumOf(e, left, 0));
}

constexpr OpExpansion kOps[] = {
    {"SparseReshape", sparseReshape},
    {"SparseReorder", sparseReorder},
    {"SparseSplit", sparseSplit},
    {"SparseConcat", sparseConcat, Style::kPure, "concat_dim"},
    {"SparseSlice", sparseSlice},
    {"SparseSliceGrad", sparseSliceGrad},
    {"SparseFillEmptyRows", sparseFillEmptyRows},
    {"SparseFillEmptyRowsGrad", sparseFillEmptyRowsGrad},
};

} // namespace

ArrayRef<OpExpansion> sparseOps() { return kOps; }

} // namespace sluice::import
