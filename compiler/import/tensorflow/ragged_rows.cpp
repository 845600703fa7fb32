// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "ragged_row": rows of ragged tensors, chosen by their numbers or
// made of numbers that follow each other.
#include "compiler/import/tensorflow/RaggedTensors.h"

using namespace mlir;

namespace sluice::import {

namespace {

// Splits of rows of these lengths.
Value splitsOf(Expansion &e, Value lengths) {
  Value ends = e.like<nd::CumsumOp>({lengths, e.int32(0)},
                                    {e.flag("exclusive", false), e.flag("reverse", false)});
  return joined(e, {e.ints({0}, i64Of(e)), ends});
}
Value lastOf(Expansion &e, Value splits) {
  return single(e, part(e, splits, rowCountOf(e, splits), e.int32(1)));
}

// For each of so many values, the row that it is in, and where in it.
struct Places {
  Value row, at;
};
Places placesIn(Expansion &e, Value splits, Value count) {
  Value row = rowIds(e, splits, converted(e, count, e.builder().getI32Type()));
  return {row, sub(e, numbersBelow(e, count), rowsOf(e, splits, row))};
}

// ---- Numbers that follow each other: starts, limits, deltas

// How many there are from 0 to `distance`, which is 0 or more, by steps of `delta`.
Value stepsTo(Expansion &e, Value distance, Value delta) {
  if (isa<FloatType>(e.elementOf(distance)))
    return converted(e, e.like<nd::CeilOp>(div(e, distance, delta)), i64Of(e));
  Value one = constantLike(e, distance, 1);
  Value steps = e.like<nd::FloorDivOp>({add(e, distance, sub(e, delta, one)), delta});
  return converted(e, steps, i64Of(e));
}

void ranges(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Checks checks(e);
  Value rows = e.int32(1);
  for (auto [name, input] : llvm::zip_equal(ArrayRef{"starts", "limits", "deltas"}, inputs)) {
    checks.require(e.compare<nd::LessEqualOp>(rankOf(e, input), e.int32(1)),
                   std::string(name) + " must be a scalar or vector", dimsOf(e, input));
    // A scalar goes with all rows, a vector of one element with one.
    Value isScalar = e.compare<nd::EqualOp>(rankOf(e, input), e.int32(0));
    rows = selected(e, isScalar, rows, sizeOf(e, input));
  }
  for (Value input : inputs)
    checks.require(e.like<nd::LogicalOrOp>({e.compare<nd::EqualOp>(rankOf(e, input), e.int32(0)),
                                            e.compare<nd::EqualOp>(sizeOf(e, input), rows)}),
                   "starts, limits, and deltas must have the same shape", dimsOf(e, input));
  for (Value &input : inputs)
    input = e.like<nd::BroadcastToOp>({checks.checked(input), flat(e, rows)});
  Value start = inputs[0], limit = inputs[1], delta = inputs[2];
  Value zero = constantLike(e, delta, 0);
  checks.require(e.compare<nd::NotEqualOp>(delta, zero), "Requires delta != 0", delta);
  delta = checks.checked(delta);
  Value isUp = e.compare<nd::GreaterOp>(delta, zero);
  Value distance = select(e, isUp, sub(e, limit, start), sub(e, start, limit));
  distance = e.like<nd::MaximumOp>({distance, zero});
  Value splits = splitsOf(e, stepsTo(e, distance, e.like<nd::AbsOp>(delta)));
  auto [row, at] = placesIn(e, splits, lastOf(e, splits));
  Value step = mul(e, converted(e, at, e.elementOf(delta)), rowsOf(e, delta, row));
  e.result(0, converted(e, splits, e.resultElement(0)));
  e.result(1, add(e, rowsOf(e, start, row), step));
}

// ---- Rows by their numbers: splits of each level, values, indices

// Of rows [begin, end) of the next level, one behind the other: their numbers.
struct Rows {
  Value splits, numbers;
};
Rows rowsWithin(Expansion &e, Value begins, Value ends) {
  Value splits = splitsOf(e, sub(e, ends, begins));
  auto [owner, at] = placesIn(e, splits, lastOf(e, splits));
  return {splits, add(e, rowsOf(e, begins, owner), at)};
}

void gather(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  auto levels = static_cast<size_t>(e.intAttr("PARAMS_RAGGED_RANK"));
  int64_t rank = e.intAttr("OUTPUT_RAGGED_RANK") - static_cast<int64_t>(levels) + 1;
  if (rank < 0 || levels == 0)
    return e.unsupported("expected indices of a rank from 0 on, and a ragged tensor");
  Value values = inputs[levels], indices = inputs[levels + 1];
  Type i64 = i64Of(e);
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, indices), e.int32(rank)),
                 "indices must have as many dims as the result has more levels",
                 dimsOf(e, indices));
  SmallVector<Value> splits(levels);
  Value count = firstSize(e, values);
  for (size_t i = levels; i-- > 0; count = rowCountOf(e, splits[i]))
    splits[i] = checkedSplits(checks, e, inputs[i], count);
  Value number = converted(e, reshaped(e, checks.checked(indices), e.ints({-1})), i64);
  Value isInside =
      e.like<nd::LogicalAndOp>({e.compare<nd::GreaterEqualOp>(number, e.scalar(i64, 0)),
                                e.compare<nd::LessOp>(number, converted(e, count, i64))});
  checks.require(isInside, "indices must be those of rows", indices);
  number = checks.checked(number);
  uint32_t slot = 0;
  auto give = [&](Value level) {
    e.result(slot, converted(e, level, e.resultElement(slot)));
    ++slot;
  };
  // Dims of the indices but the first are levels whose rows are equally long.
  Value dims = converted(e, dimsOf(e, indices), i64);
  for (int64_t axis = 1; axis < rank; ++axis) {
    Value outer = product(e, part(e, dims, e.int32(0), e.int32(axis)));
    Value width = single(e, part(e, dims, e.int32(axis), e.int32(1)));
    Value ends = numbersBelow(e, add(e, outer, e.scalar(i64, 1)));
    give(mul(e, ends, width));
  }
  for (size_t i = 0; i < levels; ++i) {
    Value next = add(e, number, e.scalar(i64, 1));
    Rows rows = rowsWithin(e, rowsOf(e, splits[i], number), rowsOf(e, splits[i], next));
    number = rows.numbers;
    // One row alone is no level.
    if (rank > 0 || i > 0)
      give(rows.splits);
  }
  e.result(slot, rowsOf(e, values, number));
}

constexpr OpExpansion kOps[] = {
    {"RaggedRange", ranges},
    {"RaggedGather", gather, Style::kPure, "PARAMS_RAGGED_RANK OUTPUT_RAGGED_RANK"},
};

} // namespace

ArrayRef<OpExpansion> raggedRowOps() { return kOps; }

} // namespace sluice::import
