// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "ragged": ragged tensors as sparse and as dense ones.
#include "compiler/import/tensorflow/RaggedTensors.h"

using namespace mlir;

namespace sluice::import {

namespace {

// How long the longest row is, as a vector of one element.
Value longestRow(Expansion &e, Value splits) {
  Value end = rowCountOf(e, splits);
  Value lengths = sub(e, from(e, splits, e.int32(1)), part(e, splits, e.int32(0), end));
  return e.like<nd::ReduceMaxOp>({joined(e, {e.ints({0}, i64Of(e)), lengths}), e.ints({0})},
                                 e.flag("keep_dims", true));
}

// ---- Sparse

// Every element of the inner dims of the values, as a row of the whole index.
Value withInnerDims(Expansion &e, Value outer, Value innerDims) {
  Type i64 = i64Of(e);
  Value everywhere = filled(e, innerDims, e.scalar(e.builder().getI1Type(), 1));
  Value inner = e.tensor<nd::WhereOp>(i64, everywhere);
  Value rows = part(e, dimsOf(e, outer), e.int32(0), e.int32(1));
  Value points = part(e, dimsOf(e, inner), e.int32(0), e.int32(1));
  Value left = part(e, dimsOf(e, outer), e.int32(1), e.int32(1));
  Value right = part(e, dimsOf(e, inner), e.int32(1), e.int32(1));
  Value a = e.like<nd::BroadcastToOp>(
      {reshaped(e, outer, joined(e, {rows, e.ints({1}), left})), joined(e, {rows, points, left})});
  Value b = e.like<nd::BroadcastToOp>({inner, joined(e, {rows, points, right})});
  Value both = e.like<nd::ConcatOp>({a, b, e.int32(2)});
  Value columns = part(e, dimsOf(e, both), e.int32(2), e.int32(1));
  return reshaped(e, both, joined(e, {mul(e, rows, points), columns}));
}

void raggedToSparse(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Type i64 = i64Of(e);
  const size_t rank = inputs.size() - 1;
  Value values = inputs[rank];
  Checks checks(e);
  checks.require(e.compare<nd::GreaterEqualOp>(rankOf(e, values), e.int32(1)),
                 "rt_dense_values must not be a scalar", dimsOf(e, values));
  SmallVector<Value> splits(rank);
  Value count = firstSize(e, checks.checked(values));
  for (size_t i = rank; i-- > 0; count = rowCountOf(e, splits[i]))
    splits[i] = checkedSplits(checks, e, inputs[i], count);
  values = checks.checked(values);
  // From the innermost level on: where each value is in its row, and which row this is.
  Value at = numbersBelow(e, converted(e, firstSize(e, values), i64));
  SmallVector<Value> columns, sizes;
  for (size_t i = rank; i-- > 0;) {
    Value level = i + 1 < rank ? rowCountOf(e, splits[i + 1]) : firstSize(e, values);
    Value row = rowsOf(e, rowIds(e, splits[i], level), at);
    columns.push_back(sub(e, at, rowsOf(e, splits[i], row)));
    at = row;
    sizes.push_back(longestRow(e, splits[i]));
  }
  columns.push_back(at);
  sizes.push_back(flat(e, converted(e, rowCountOf(e, splits[0]), i64)));
  std::reverse(columns.begin(), columns.end());
  std::reverse(sizes.begin(), sizes.end());
  Value innerDims = from(e, dimsOf(e, values), e.int32(1));
  sizes.push_back(converted(e, innerDims, i64));
  Value outer = e.like<nd::PackOp>(columns, e.number("axis", 1));
  e.result(0, withInnerDims(e, outer, innerDims));
  e.result(1, reshaped(e, values, e.ints({-1})));
  e.result(2, joined(e, sizes));
}

// ---- Dense

// Splits of rows of which each entry names its own.
Value splitsOfIds(Checks &checks, Expansion &e, Value ids, Value rows) {
  Type i64 = i64Of(e);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, ids), e.int32(1)), "row ids must be a vector",
                 dimsOf(e, ids));
  Value list = converted(e, checks.checked(ids), i64);
  Value last = e.like<nd::MaximumOp>({sub(e, rows, e.scalar(i64, 1)), e.scalar(i64, 0)});
  Value bound = joined(e, {list, flat(e, last)});
  checks.require(e.compare<nd::GreaterEqualOp>(bound, joined(e, {e.ints({0}, i64), list})),
                 "row ids must be sorted, and below the number of rows", ids);
  list = checks.checked(list);
  Value counts = segmentSum(e, ones(e, dimsOf(e, list), i64), list, rows);
  Value ends = e.like<nd::CumsumOp>({counts, e.int32(0)},
                                    {e.flag("exclusive", false), e.flag("reverse", false)});
  return joined(e, {e.ints({0}, i64), ends});
}

// As many values as the last partition has entries: more are of no row.
Value withoutRest(Checks &checks, Expansion &e, Value values, Value count) {
  checks.require(e.compare<nd::LessEqualOp>(count, firstSize(e, values)),
                 "there must be a value for each entry of a row", dimsOf(e, values));
  Value numbers = numbersBelow(e, checks.checked(count));
  return rowsOf(e, values, numbers);
}

// Of each level, from the outermost on; none after a diagnostic. Shortens the values.
SmallVector<Value> splitsOfLevels(Checks &checks, Expansion &e, ArrayRef<Value> partitions,
                                  Value &values) {
  SmallVector<StringRef> kinds;
  for (const std::string &kind : e.attribute("row_partition_types")->list().s())
    kinds.push_back(kind);
  bool namesRows = !kinds.empty() && kinds.front() == "FIRST_DIM_SIZE";
  StringRef kind = namesRows ? "VALUE_ROWIDS" : "ROW_SPLITS";
  ArrayRef<StringRef> levels = ArrayRef(kinds).drop_front(namesRows);
  if (kinds.size() != partitions.size() || levels.empty() || !llvm::all_equal(levels) ||
      levels.front() != kind) {
    e.unsupported("attribute 'row_partition_types': expected ROW_SPLITS for each partition, or "
                  "FIRST_DIM_SIZE and VALUE_ROWIDS for all others");
    return {};
  }
  SmallVector<Value> splits(levels.size());
  if (namesRows) {
    Value rows = converted(e, partitions[0], i64Of(e));
    for (auto [i, ids] : llvm::enumerate(partitions.drop_front())) {
      splits[i] = splitsOfIds(checks, e, ids, rows);
      rows = converted(e, sizeOf(e, ids), i64Of(e));
    }
    values = withoutRest(checks, e, values, converted(e, rows, e.builder().getI32Type()));
    return splits;
  }
  Value end = rowCountOf(e, partitions.back());
  Value count = single(e, part(e, partitions.back(), end, e.int32(1)));
  values = withoutRest(checks, e, values, converted(e, count, e.builder().getI32Type()));
  for (size_t i = splits.size(); i-- > 0; count = rowCountOf(e, splits[i]))
    splits[i] = checkedSplits(checks, e, partitions[i], count);
  return splits;
}

// What the shape leaves open is as large as the ragged tensor; a scalar leaves all open.
Value denseDims(Checks &checks, Expansion &e, Value shape, Value natural) {
  Value open = e.scalar(i64Of(e), -1);
  Value wanted = converted(e, shape, i64Of(e));
  Value isScalar = e.compare<nd::EqualOp>(rankOf(e, shape), e.int32(0));
  Value fits = e.like<nd::LogicalOrOp>(
      {isScalar, e.compare<nd::EqualOp>(sizeOf(e, shape), sizeOf(e, natural))});
  checks.require(fits, "the shape must have a size for each dim", dimsOf(e, shape));
  Value isOpen = e.compare<nd::EqualOp>(wanted, open);
  checks.require(e.like<nd::LogicalOrOp>(
                     {isOpen, e.compare<nd::GreaterEqualOp>(wanted, e.scalar(i64Of(e), 0))}),
                 "sizes must be -1 or more", shape);
  wanted = e.like<nd::BroadcastToOp>({checks.checked(wanted), dimsOf(e, natural)});
  return select(e, e.compare<nd::EqualOp>(wanted, open), natural, wanted);
}

// For each value the place of its row in the dense tensor, -1 if this has none.
Value densePlaces(Expansion &e, ArrayRef<Value> splits, Value values, Value dims) {
  Value none = e.scalar(i64Of(e), -1);
  auto sizeAt = [&](size_t i) {
    return single(e, part(e, dims, e.int32(static_cast<int64_t>(i)), e.int32(1)));
  };
  Value places = numbersBelow(e, converted(e, rowCountOf(e, splits[0]), i64Of(e)));
  places = select(e, e.compare<nd::LessOp>(places, sizeAt(0)), places, none);
  for (size_t i = 0; i < splits.size(); ++i) {
    Value count = i + 1 < splits.size() ? rowCountOf(e, splits[i + 1]) : firstSize(e, values);
    Value ids = rowIds(e, splits[i], count), size = sizeAt(i + 1);
    Value at = sub(e, numbersBelow(e, converted(e, count, i64Of(e))), rowsOf(e, splits[i], ids));
    Value row = rowsOf(e, places, ids);
    Value isInside = e.like<nd::LogicalAndOp>(
        {e.compare<nd::NotEqualOp>(row, none), e.compare<nd::LessOp>(at, size)});
    places = select(e, isInside, add(e, mul(e, row, size), at), none);
  }
  return places;
}

void raggedToTensor(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value values = inputs[1], fill = inputs[2];
  Type i64 = i64Of(e);
  Checks checks(e);
  checks.require(e.compare<nd::GreaterEqualOp>(rankOf(e, values), e.int32(1)),
                 "values must not be a scalar", dimsOf(e, values));
  values = checks.checked(values);
  SmallVector<Value> splits =
      splitsOfLevels(checks, e, ArrayRef<Value>(inputs).drop_front(3), values);
  if (splits.empty())
    return;
  Value innerDims = converted(e, from(e, dimsOf(e, values), e.int32(1)), i64);
  SmallVector<Value> sizes{flat(e, converted(e, rowCountOf(e, splits[0]), i64))};
  for (Value level : splits)
    sizes.push_back(longestRow(e, level));
  Value outer = e.int32(static_cast<int64_t>(sizes.size()));
  sizes.push_back(innerDims);
  Value dims = denseDims(checks, e, inputs[0], joined(e, sizes));
  checks.require(e.compare<nd::EqualOp>(from(e, dims, outer), innerDims),
                 "inner sizes must be those of the values", dims);
  values = checks.checked(values);
  // Number 0 is what fills, and the values follow.
  Value places = densePlaces(e, splits, values, dims);
  Value numbers = numbersBelow(e, converted(e, firstSize(e, values), i64));
  Value sources = segmentSum(e, add(e, numbers, e.scalar(i64, 1)), places,
                             product(e, part(e, dims, e.int32(0), outer)));
  Value filling =
      e.like<nd::BroadcastToOp>({checks.checked(fill), joined(e, {e.ints({1}, i64), innerDims})});
  e.result(0, reshaped(e, rowsOf(e, joined(e, {filling, values}), sources), dims));
}

constexpr OpExpansion kOps[] = {
    {"RaggedTensorToSparse", raggedToSparse},
    {"RaggedTensorToTensor", raggedToTensor, Style::kPure, "row_partition_types"},
};

} // namespace

ArrayRef<OpExpansion> raggedOps() { return kOps; }

} // namespace sluice::import
