// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "sparse_segment": rows that are looked up and put together in
// segments, and counts in sparse and ragged tensors.
#include "compiler/import/tensorflow/RaggedTensors.h"

using namespace mlir;

namespace sluice::import {

namespace {

enum class How : uint8_t { kSum, kMean, kSqrtN };

// ---- Segments

// A vector that broadcasts with rows: one number for each of them.
Value asColumn(Expansion &e, Value vector, Value rows) {
  Value more = e.like<nd::SubOp>({rankOf(e, rows), e.int32(1)});
  return reshaped(e, vector, joined(e, {e.ints({-1}), filled(e, flat(e, more), e.int32(1))}));
}

// What the sum of a segment with so many rows is divided by.
Value divisor(Expansion &e, How how, Value counts, Type type) {
  Value least = converted(e, e.like<nd::MaximumOp>({counts, e.int32(1)}), type);
  return how == How::kMean ? least : e.like<nd::SqrtOp>(least);
}

Value countsOf(Expansion &e, Value ids, Value segments) {
  return segmentSum(e, ones(e, dimsOf(e, ids), e.builder().getI32Type()), ids, segments);
}

void requireVectors(Checks &checks, Expansion &e, Value indices, Value ids) {
  for (Value v : {indices, ids})
    checks.require(e.compare<nd::EqualOp>(rankOf(e, v), e.int32(1)),
                   "indices and segment_ids should be vectors", dimsOf(e, v));
  checks.require(e.compare<nd::EqualOp>(sizeOf(e, indices), sizeOf(e, ids)),
                 "segment_ids and indices should have same size", dimsOf(e, ids));
}

void requireBelow(Checks &checks, Expansion &e, Value numbers, Value limit, StringRef text) {
  Value list = converted(e, flat(e, numbers), i64Of(e)), end = converted(e, limit, i64Of(e));
  checks.require(
      e.like<nd::LogicalAndOp>({e.compare<nd::GreaterEqualOp>(list, e.scalar(i64Of(e), 0)),
                                e.compare<nd::LessOp>(list, checks.checked(end))}),
      text, numbers);
}

// With an input more, this is the number of segments.
template <How how> void sparseSegment(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value data = inputs[0], indices = inputs[1], ids = inputs[2];
  Checks checks(e);
  requireVectors(checks, e, indices, ids);
  checks.require(e.compare<nd::GreaterEqualOp>(rankOf(e, data), e.int32(1)),
                 "data must not be a scalar", dimsOf(e, data));
  requireBelow(checks, e, indices, firstSize(e, checks.checked(data)),
               "indices must be in the range of rows");
  Value list = flat(e, ids);
  Value before =
      part(e, joined(e, {e.ints({0}, e.elementOf(ids)), list}), e.int32(0), sizeOf(e, ids));
  checks.require(e.compare<nd::GreaterEqualOp>(list, before),
                 "segment ids must not be negative, and not decrease", ids);
  Value last = e.like<nd::ReduceMaxOp>(
      {joined(e, {e.ints({-1}, e.elementOf(ids)), checks.checked(list)}), e.ints({0})},
      e.flag("keep_dims", false));
  Value count = add(e, last, constantLike(e, last, 1));
  if (inputs.size() > 3) {
    requireBelow(checks, e, ids, single(e, inputs[3]), "segment ids should be < num_segments");
    checks.require(e.compare<nd::GreaterEqualOp>(inputs[3], constantLike(e, inputs[3], 0)),
                   "num_segments must not be negative", inputs[3]);
    count = single(e, checks.checked(inputs[3]));
  }
  list = checks.checked(list);
  Value sums = segmentSum(e, rowsOf(e, checks.checked(data), checks.checked(indices)), list, count);
  if (how != How::kSum) {
    Value counts = countsOf(e, list, firstSize(e, sums));
    sums = div(e, sums, asColumn(e, divisor(e, how, counts, e.elementOf(sums)), sums));
  }
  e.result(0, sums);
}

// The gradient of each row that was looked up, and its index.
struct RowGradients {
  Value rows, indices, size;
};

RowGradients rowGradients(Expansion &e, How how) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value gradient = inputs[0], indices = inputs[1], ids = inputs[2];
  Checks checks(e);
  requireVectors(checks, e, indices, ids);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, inputs[3]), e.int32(0)),
                 "output_dim0 should be a scalar", dimsOf(e, inputs[3]));
  Value size = single(e, checks.checked(inputs[3]));
  requireBelow(checks, e, indices, size, "indices must be below output_dim0");
  requireBelow(checks, e, ids, firstSize(e, gradient), "segment ids must be in the range of rows");
  ids = checks.checked(ids);
  Value rows = rowsOf(e, checks.checked(gradient), ids);
  if (how != How::kSum) {
    Type type = e.elementOf(rows);
    Value counts = rowsOf(e, countsOf(e, ids, firstSize(e, gradient)), ids);
    Value scale = div(e, e.scalar(type, 1), divisor(e, how, counts, type));
    rows = mul(e, rows, asColumn(e, scale, rows));
  }
  return {rows, checks.checked(indices), size};
}

template <How how> void sparseSegmentGrad(Expansion &e) {
  RowGradients all = rowGradients(e, how);
  e.result(0, segmentSum(e, all.rows, all.indices, all.size));
}

// Only of the rows that were looked up, in order.
template <How how> void sparseSegmentGradV2(Expansion &e) {
  RowGradients all = rowGradients(e, how);
  Value wide = converted(e, reshaped(e, all.indices, e.ints({-1, 1})), i64Of(e));
  UniqueRows unique = uniqueRows(e, wide);
  e.result(0, segmentSum(e, all.rows, unique.positions, unique.count));
  e.result(1, converted(e, reshaped(e, unique.rows, e.ints({-1})), e.elementOf(all.indices)));
}

// ---- Counts

// For each row, how often each number below `size` is among its values, or the sum of the weights.
Value countedInRows(Expansion &e, Value values, Value rows, Value rowCount, Value size,
                    Value weights) {
  Type i64 = i64Of(e);
  Value limit = converted(e, size, i64), width = add(e, limit, e.scalar(i64, 1));
  Value ids = e.like<nd::MinimumOp>({converted(e, values, i64), limit});
  Value given = converted(e, sizeOf(e, weights), i64);
  Value each = joined(e, {flat(e, weights), ones(e, dimsOf(e, values), e.elementOf(weights))});
  if (e.boolAttr("binary_output"))
    each = from(e, each, converted(e, given, e.builder().getI32Type()));
  Value counted = part(e, each, e.int32(0), sizeOf(e, values));
  Value sums = segmentSum(e, counted, add(e, mul(e, rows, width), ids), mul(e, rowCount, width));
  Value table = reshaped(e, sums, joined(e, {flat(e, rowCount), flat(e, width)}));
  Value kept = columnsOf(e, table, e.int32(0), converted(e, limit, e.builder().getI32Type()));
  if (!e.boolAttr("binary_output"))
    return kept;
  return converted(e, e.compare<nd::GreaterOp>(kept, constantLike(e, kept, 0)), e.elementOf(kept));
}

// The size as a scalar that is all right.
Value checkCounts(Checks &checks, Expansion &e, Value values, Value size, Value weights) {
  auto isAtLeast0 = [&](Value v) {
    return e.compare<nd::GreaterEqualOp>(v, e.scalar(e.elementOf(v), 0));
  };
  checks.require(e.compare<nd::EqualOp>(rankOf(e, size), e.int32(0)), "size must be a scalar",
                 dimsOf(e, size));
  checks.require(isAtLeast0(size), "size must be non-negative", size);
  checks.require(isAtLeast0(values), "values must be non-negative", values);
  Value given = sizeOf(e, weights);
  checks.require(e.like<nd::LogicalOrOp>({e.compare<nd::EqualOp>(given, sizeOf(e, values)),
                                          e.compare<nd::EqualOp>(given, e.int32(0))}),
                 "weights must have the shape of values, or no elements", dimsOf(e, weights));
  return single(e, checks.checked(size));
}

void sparseBincount(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Type i64 = i64Of(e);
  SparseTensor x{inputs[0], inputs[1], inputs[2]};
  Checks checks(e);
  requireSparse(checks, e, x);
  Value rank = sizeOf(e, x.dims), size = checkCounts(checks, e, x.values, inputs[3], inputs[4]);
  checks.require(e.like<nd::LogicalAndOp>({e.compare<nd::GreaterEqualOp>(rank, e.int32(1)),
                                           e.compare<nd::LessEqualOp>(rank, e.int32(2))}),
                 "the shape must have 1 or 2 dims", x.dims);
  x = checked(checks, x);
  // A vector is one row.
  Value leading = part(e, x.dims, e.int32(0), e.like<nd::SubOp>({rank, e.int32(1)}));
  Value isMatrix = converted(e, e.compare<nd::EqualOp>(rank, e.int32(2)), i64);
  Value rows = mul(e, columnOf(e, x.indices, 0), isMatrix);
  Value table =
      countedInRows(e, x.values, rows, product(e, leading), size, checks.checked(inputs[4]));
  e.result(0, reshaped(e, table, joined(e, {leading, flat(e, converted(e, size, i64))})));
}

// ---- Ragged tensors

void raggedBincount(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value values = inputs[1];
  Checks checks(e);
  Value size = checkCounts(checks, e, values, inputs[2], inputs[3]);
  Value splits = checkedSplits(checks, e, inputs[0], sizeOf(e, values));
  values = checks.checked(values);
  Value rows = rowIds(e, splits, sizeOf(e, values));
  e.result(0, countedInRows(e, values, rows, converted(e, rowCountOf(e, splits), i64Of(e)), size,
                            checks.checked(inputs[3])));
}

constexpr llvm::StringLiteral kSparseGradient = "sparse_gradient";

constexpr OpExpansion kOps[] = {
    {"SparseSegmentSum", sparseSegment<How::kSum>, Style::kPure, kSparseGradient},
    {"SparseSegmentMean", sparseSegment<How::kMean>, Style::kPure, kSparseGradient},
    {"SparseSegmentSqrtN", sparseSegment<How::kSqrtN>, Style::kPure, kSparseGradient},
    {"SparseSegmentSumWithNumSegments", sparseSegment<How::kSum>, Style::kPure, kSparseGradient},
    {"SparseSegmentMeanWithNumSegments", sparseSegment<How::kMean>, Style::kPure, kSparseGradient},
    {"SparseSegmentSqrtNWithNumSegments", sparseSegment<How::kSqrtN>, Style::kPure,
     kSparseGradient},
    {"SparseSegmentSumGrad", sparseSegmentGrad<How::kSum>},
    {"SparseSegmentMeanGrad", sparseSegmentGrad<How::kMean>},
    {"SparseSegmentSqrtNGrad", sparseSegmentGrad<How::kSqrtN>},
    {"SparseSegmentSumGradV2", sparseSegmentGradV2<How::kSum>},
    {"SparseSegmentMeanGradV2", sparseSegmentGradV2<How::kMean>},
    {"SparseSegmentSqrtNGradV2", sparseSegmentGradV2<How::kSqrtN>},
    {"SparseBincount", sparseBincount, Style::kPure, "binary_output"},
    {"RaggedBincount", raggedBincount, Style::kPure, "binary_output"},
};

} // namespace

ArrayRef<OpExpansion> sparseSegmentOps() { return kOps; }

} // namespace sluice::import
