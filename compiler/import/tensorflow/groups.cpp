// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "group": elements that are put into groups, counted in them, and
// joined from them.
//
// What an op asks of values is asserted, and its results wait for that.
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/SizeVectors.h"

using namespace mlir;

namespace sluice::import {

namespace {

// ---- Partitions

// The elements of `x`, or the slices of it, that stand at the elements of `positions`, as rows.
Value rowsAt(Expansion &e, Value x, Value positions) {
  Value inner = from(e, dimsOf(e, x), rankOf(e, positions));
  return reshaped(e, x, joined(e, {flat(e, sizeOf(e, positions)), inner}));
}

void dynamicPartition(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value data = inputs[0], partitions = inputs[1];
  Checks checks(e);
  checks.requirePrefix(data, partitions, "data.shape must start with partitions.shape");
  Value ids = flat(e, partitions), count = e.int32(static_cast<int64_t>(e.numResults()));
  Value inside = e.like<nd::LogicalAndOp>(
      {e.compare<nd::GreaterEqualOp>(ids, e.int32(0)), e.compare<nd::LessOp>(ids, count)});
  checks.require(inside, "partitions must be in [0, num_partitions)", partitions);
  Value rows = rowsAt(e, checks.checked(data), partitions);
  for (uint32_t i = 0; i < e.numResults(); ++i) {
    Value mine = e.compare<nd::EqualOp>(ids, e.int32(i));
    Value at = flat(e, e.tensor<nd::WhereOp>(e.builder().getI64Type(), mine));
    e.result(i, e.like<nd::GatherOp>({rows, at, e.int32(0)}, e.number("batch_dims", 0)));
  }
}

// One more than the largest index; 0 if there is none.
Value beyond(Expansion &e, Value indices) {
  Type type = e.elementOf(indices);
  Value largest = e.like<nd::ReduceMaxOp>({indices, e.ints({0})}, e.flag("keep_dims", false));
  return e.like<nd::AddOp>(
      {e.like<nd::MaximumOp>({largest, e.scalar(type, -1)}), e.scalar(type, 1)});
}

// Places that no index names are 0. Of equal indices the last one counts.
void dynamicStitch(Expansion &e) {
  size_t count = e.numInputs() / 2;
  auto inputs = e.afterAllInputs(e.inputs());
  SmallVector<Value> indices, rows;
  Checks checks(e);
  for (size_t i = 0; i < count; ++i) {
    Value data = inputs[count + i];
    checks.requirePrefix(data, inputs[i], "data.shape must start with indices.shape");
    indices.push_back(flat(e, inputs[i]));
    rows.push_back(rowsAt(e, checks.checked(data), inputs[i]));
  }
  Value at = joined(e, indices), data = joined(e, rows);
  Value dims = joined(e, {flat(e, beyond(e, at)), from(e, dimsOf(e, data), e.int32(1))});
  Value places = filled(e, dims, e.scalar(e.elementOf(data), 0));
  Value points = reshaped(e, at, e.ints({-1, 1}));
  e.result(0, checks.checked(e.like<nd::UpdatePointsOp>(
                  {places, points, data},
                  {e.text("how", "update"), e.flag("ignore_bad_indices", false)})));
}

// ---- Counts

// How often each number below `size` occurs in each row of `x`, or the sum of their weights.
Value counted(Expansion &e, Value x, Value size, Value weights) {
  Type i64 = e.builder().getI64Type();
  Value dims = dimsOf(e, x);
  Value one = e.int32(1);
  Value leading = e.like<nd::MaximumOp>({e.like<nd::SubOp>({rankOf(e, x), one}), e.int32(0)});
  Value rowDims = part(e, dims, e.int32(0), leading);
  Value rows = product(e, rowDims), columns = product(e, from(e, dims, leading));
  // Numbers that are too large go to a group of their own behind the others.
  Value wide = converted(e, size, i64);
  Value width = e.like<nd::AddOp>({wide, e.scalar(i64, 1)});
  Value ids = e.like<nd::MinimumOp>({converted(e, x, i64), wide});
  Value matrix = reshaped(e, ids, joined(e, {flat(e, rows), flat(e, columns)}));
  Value numbers =
      e.tensor<nd::RangeOp>(i64, {e.scalar(i64, 0), converted(e, rows, i64), e.scalar(i64, 1)});
  Value starts = e.like<nd::MulOp>({reshaped(e, numbers, e.ints({-1, 1})), width});
  Value places = e.like<nd::MulOp>({converted(e, rows, i64), width});
  Value sums = e.like<nd::UnsortedSegmentSumOp>(
      {flat(e, weights), flat(e, e.like<nd::AddOp>({matrix, starts})), places});
  Value last = converted(e, size, e.builder().getI32Type());
  Value all = reshaped(
      e, sums, joined(e, {flat(e, rows), converted(e, flat(e, width), e.builder().getI32Type())}));
  Value kept = e.like<nd::SliceOp>({all, e.ints({0, 0}), joined(e, {e.ints({-1}), flat(e, last)})});
  return reshaped(e, kept, joined(e, {rowDims, flat(e, last)}));
}

void checkCounts(Checks &checks, Expansion &e, Value x, Value size, Value weights) {
  auto isAtLeast0 = [&](Value v) {
    return e.compare<nd::GreaterEqualOp>(v, e.scalar(e.elementOf(v), 0));
  };
  auto areEqual = [&](Value a, Value b) { return e.compare<nd::EqualOp>(a, b); };
  checks.require(areEqual(rankOf(e, size), e.int32(0)), "size must be a scalar", size);
  checks.require(isAtLeast0(size), "size must be non-negative", size);
  checks.require(isAtLeast0(x), "input must be non-negative", x);
  checks.require(e.compare<nd::LessEqualOp>(rankOf(e, x), e.int32(2)),
                 "the shape of input must be at most rank 2", dimsOf(e, x));
  Value given = sizeOf(e, weights);
  Value sameShape = e.like<nd::LogicalAndOp>(
      {areEqual(given, sizeOf(e, x)), areEqual(rankOf(e, weights), rankOf(e, x))});
  checks.require(e.like<nd::LogicalOrOp>({sameShape, areEqual(given, e.int32(0))}),
                 "weights must have the shape of input, or no elements", dimsOf(e, weights));
}

void countNumbers(Expansion &e, Value x, Value size, Value weights, bool isBinary) {
  Checks checks(e);
  checkCounts(checks, e, x, size, weights);
  x = checks.checked(x);
  size = reshaped(e, checks.checked(size), e.ints({}));
  Type type = e.elementOf(weights);
  Value count = sizeOf(e, x), ones = filled(e, flat(e, count), e.scalar(type, 1));
  // No weights are as many ones.
  if (!isBinary)
    ones = part(e, joined(e, {flat(e, weights), ones}), e.int32(0), count);
  Value sums = counted(e, x, size, ones);
  if (isBinary)
    sums = converted(e, e.compare<nd::GreaterOp>(sums, e.scalar(type, 0)), type);
  e.result(0, sums);
}

void denseBincount(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  countNumbers(e, inputs[0], inputs[1], inputs[2], e.boolAttr("binary_output"));
}

void bincount(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  countNumbers(e, flat(e, inputs[0]), inputs[1], flat(e, inputs[2]), /*isBinary=*/false);
}

// ---- Segments with sorted ids

// The data, ids that are all right, and how many segments there are.
struct Segments {
  Value data, ids, count;
};

Segments sortedSegments(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value data = inputs[0], ids = inputs[1];
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, ids), e.int32(1)),
                 "segment_ids should be a vector", dimsOf(e, ids));
  Value rows = part(e, dimsOf(e, data), e.int32(0), e.int32(1));
  checks.require(e.compare<nd::EqualOp>(rows, sizeOf(e, ids)),
                 "segment_ids should be the same size as dimension 0 of input", dimsOf(e, ids));
  Value list = flat(e, ids);
  Value before =
      part(e, joined(e, {e.ints({0}, e.elementOf(ids)), list}), e.int32(0), sizeOf(e, ids));
  checks.require(e.compare<nd::GreaterEqualOp>(list, before),
                 "segment ids must not be negative, and not decrease", ids);
  Value checked = checks.checked(list);
  return {data, checked, beyond(e, checked)};
}

template <typename OpT> void segment(Expansion &e) {
  auto [data, ids, count] = sortedSegments(e);
  e.result(0, e.like<OpT>({data, ids, count}));
}

// How many rows each of the segments has, as a tensor that broadcasts with them. It waits for them:
// where there are too many, it is they that fail.
Value rowsOfSegments(Expansion &e, Value ids, Value segments) {
  Value ones = filled(e, dimsOf(e, ids), e.int32(1));
  Value count = part(e, dimsOf(e, segments), e.int32(0), e.int32(1));
  Value rows = e.like<nd::UnsortedSegmentSumOp>({ones, ids, reshaped(e, count, e.ints({}))});
  Value more = e.like<nd::SubOp>({rankOf(e, segments), e.int32(1)});
  return reshaped(e, rows, joined(e, {e.ints({-1}), filled(e, flat(e, more), e.int32(1))}));
}

void segmentMean(Expansion &e) {
  auto [data, ids, count] = sortedSegments(e);
  Value sums = e.like<nd::UnsortedSegmentSumOp>({data, ids, count});
  Value rows = e.like<nd::MaximumOp>({rowsOfSegments(e, ids, sums), e.int32(1)});
  e.result(0, e.like<nd::DivOp>({sums, converted(e, rows, e.elementOf(sums))}));
}

// A segment without rows is 0.
template <typename OpT> void segmentExtreme(Expansion &e) {
  auto [data, ids, count] = sortedSegments(e);
  Value extremes = e.like<OpT>({data, ids, count});
  Value rows = rowsOfSegments(e, ids, extremes);
  e.result(0, selected(e, e.compare<nd::GreaterOp>(rows, e.int32(0)), extremes,
                       e.scalar(e.elementOf(extremes), 0)));
}

// ---- Sparse tensors

// Coordinates as rows, also those that stand for a vector or for one point.
void sparseToDense(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value indices = inputs[0], dims = inputs[1], values = inputs[2];
  Value rank = sizeOf(e, dims);
  Value first = e.like<nd::MinimumOp>({rankOf(e, indices), e.int32(1)});
  Value count = product(e, part(e, dimsOf(e, indices), e.int32(0), first));
  Value rows = reshaped(e, indices, joined(e, {flat(e, count), flat(e, rank)}));
  Checks checks(e);
  if (e.boolAttr("validate_indices")) {
    Value strides = e.like<nd::CumprodOp>({flat(e, dims), e.int32(0)},
                                          {e.flag("exclusive", true), e.flag("reverse", true)});
    Value places = e.like<nd::ReduceSumOp>({e.like<nd::MulOp>({rows, strides}), e.ints({1})},
                                           e.flag("keep_dims", false));
    Value before =
        part(e, joined(e, {e.ints({-1}, e.elementOf(places)), places}), e.int32(0), count);
    checks.require(e.compare<nd::GreaterOp>(places, before),
                   "indices must be in order, none twice, and not negative", indices);
  }
  Value each = e.like<nd::BroadcastToOp>({values, flat(e, count)});
  Value places = filled(e, dims, inputs[3]);
  e.result(0, checks.checked(e.like<nd::UpdatePointsOp>(
                  {places, rows, each},
                  {e.text("how", "update"), e.flag("ignore_bad_indices", false)})));
}

constexpr OpExpansion kOps[] = {
    {"DynamicPartition", dynamicPartition},
    {"DynamicStitch", dynamicStitch},
    {"ParallelDynamicStitch", dynamicStitch},
    {"Bincount", bincount},
    {"DenseBincount", denseBincount, Style::kPure, "binary_output"},
    {"SegmentSum", segment<nd::UnsortedSegmentSumOp>},
    {"SegmentProd", segment<nd::UnsortedSegmentProdOp>},
    {"SegmentMax", segmentExtreme<nd::UnsortedSegmentMaxOp>},
    {"SegmentMin", segmentExtreme<nd::UnsortedSegmentMinOp>},
    {"SegmentMean", segmentMean},
    {"SparseToDense", sparseToDense, Style::kPure, "validate_indices"},
};

} // namespace

ArrayRef<OpExpansion> groupOps() { return kOps; }

} // namespace sluice::import
