// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "encoded": ragged and sparse tensors as strings, so that there can
// be arrays of them.
//
// A graph calls some of these strings variants. One of a ragged tensor holds a vector of strings:
// the lengths of rows, for each level from the outermost on, and the values.
#include "compiler/import/tensorflow/RaggedTensors.h"
#include "dialects/nd/text/Text.h"

using namespace mlir;

namespace sluice::import {

namespace {

Type textOf(Expansion &e) { return nd::StringType::get(e.builder().getContext()); }

Value encoded(Expansion &e, Value x) { return e.tensor<nd::SerializeTensorOp>(textOf(e), x); }
Value encodedRows(Expansion &e, Value x, Value starts, Value ends, bool single = false) {
  return e.tensor<nd::SerializeRowsOp>(textOf(e), {x, starts, ends}, e.flag("single", single));
}
Value packed(Expansion &e, ValueRange parts, int64_t axis) {
  return e.like<nd::PackOp>(parts, e.number("axis", axis));
}
// Each row alone.
Value eachEncoded(Expansion &e, Value x) {
  Value rows = numbersBelow(e, converted(e, firstSize(e, x), i64Of(e)));
  return encodedRows(e, x, rows, add(e, rows, e.scalar(i64Of(e), 1)), /*single=*/true);
}

struct Rows {
  Value rows, sizes;
};
Rows decodedRows(Expansion &e, Value texts, Type element) {
  auto op = e.make<nd::ParseRowsOp>({unrankedOf(element), unrankedOf(i64Of(e))}, texts);
  return {op.getRows(), op.getSizes()};
}

Value runningSum(Expansion &e, Value x) {
  return e.like<nd::CumsumOp>({x, e.int32(0)},
                              {e.flag("exclusive", false), e.flag("reverse", false)});
}
Value splitsOf(Expansion &e, Value lengths) {
  return joined(e, {e.ints({0}, i64Of(e)), runningSum(e, lengths)});
}

// ---- Ragged tensors

struct Bounds {
  Value starts, ends;
};
// Of the rows of a level.
Bounds boundsOf(Expansion &e, Value splits) {
  return {part(e, splits, e.int32(0), rowCountOf(e, splits)), from(e, splits, e.int32(1))};
}
Value lengthsOf(Expansion &e, Value splits) {
  Bounds bounds = boundsOf(e, splits);
  return sub(e, bounds.ends, bounds.starts);
}

void raggedToVariant(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value values = inputs.pop_back_val();
  SmallVector<Value> levels, parts;
  for (Value splits : inputs)
    levels.push_back(converted(e, splits, i64Of(e)));
  if (!e.boolAttr("batched_input")) {
    for (Value splits : levels)
      parts.push_back(encoded(e, lengthsOf(e, splits)));
    parts.push_back(encoded(e, values));
    return e.result(0, encoded(e, packed(e, parts, 0)));
  }
  if (levels.empty()) {
    parts.push_back(eachEncoded(e, values));
  } else {
    Bounds bounds = boundsOf(e, levels.front());
    for (Value splits : ArrayRef(levels).drop_front()) {
      parts.push_back(encodedRows(e, lengthsOf(e, splits), bounds.starts, bounds.ends));
      bounds = {rowsOf(e, splits, bounds.starts), rowsOf(e, splits, bounds.ends)};
    }
    parts.push_back(encodedRows(e, values, bounds.starts, bounds.ends));
  }
  e.result(0, eachEncoded(e, packed(e, parts, 1)));
}

// A string is a ragged tensor of as many levels as the result; of a vector of strings, each is a
// row of the result and has a level less.
void raggedFromVariant(Expansion &e) {
  Value texts = e.input(0), rank = rankOf(e, texts);
  const int64_t levels = e.intAttr("output_ragged_rank"), inner = e.intAttr("input_ragged_rank");
  Checks checks(e);
  Value innerLevels = sub(e, e.int32(levels), rank);
  auto isWithin = [&](int64_t least, int64_t most) {
    return e.like<nd::LogicalAndOp>({e.compare<nd::GreaterEqualOp>(innerLevels, e.int32(least)),
                                     e.compare<nd::LessEqualOp>(innerLevels, e.int32(most))});
  };
  Value fits = isWithin(std::max<int64_t>(0, levels - 1), levels);
  if (inner >= 0)
    fits = e.like<nd::LogicalAndOp>({fits, isWithin(inner, inner)});
  checks.require(fits,
                 "encoded ragged tensors must be a scalar, or a vector of ones with a level less",
                 dimsOf(e, texts));
  Value all = reshaped(e, checks.checked(texts), e.ints({-1}));
  Rows strings = decodedRows(e, all, textOf(e));
  Value width = add(e, innerLevels, e.int32(1)), count = sizeOf(e, all);
  checks.require(e.compare<nd::EqualOp>(strings.sizes, converted(e, width, i64Of(e))),
                 "encoded ragged tensors have another number of levels", strings.sizes);
  Value parts =
      reshaped(e, checks.checked(strings.rows), joined(e, {flat(e, count), flat(e, width)}));
  auto column = [&](Value at, Value columns) {
    return reshaped(e, columnsOf(e, parts, at, columns), e.ints({-1}));
  };
  Type element = e.resultElement(static_cast<size_t>(levels));
  Value last = column(innerLevels, e.int32(1));
  if (levels == 0)
    return e.result(0, e.tensor<nd::ParseTensorOp>(element, single(e, last)));
  Rows values = decodedRows(e, last, element);
  e.result(static_cast<uint32_t>(levels), values.rows);
  for (int64_t i = levels; i-- > 0;) {
    Value lengths;
    if (i > 0) {
      lengths = decodedRows(e, column(sub(e, e.int32(i), rank), e.int32(1)), i64Of(e)).rows;
    } else {
      // The outermost level of one string, or the sizes of all.
      Value own = decodedRows(e, column(e.int32(0), sub(e, e.int32(1), rank)), i64Of(e)).rows;
      Value sizes = levels == 1 ? values.sizes
                                : decodedRows(e, column(e.int32(0), e.int32(1)), i64Of(e)).sizes;
      lengths = joined(e, {own, part(e, sizes, e.int32(0), mul(e, count, rank))});
    }
    e.result(static_cast<uint32_t>(i),
             converted(e, splitsOf(e, lengths), e.resultElement(static_cast<size_t>(i))));
  }
}

// ---- Sparse tensors: strings of the indices, the values and the dims

SparseTensor sparseInputs(Expansion &e, Checks &checks) {
  auto inputs = e.afterAllInputs(e.inputs());
  SparseTensor x{inputs[0], inputs[1], inputs[2]};
  requireSparse(checks, e, x);
  return checked(checks, x);
}

void serializeSparse(Expansion &e) {
  Checks checks(e);
  SparseTensor x = sparseInputs(e, checks);
  // As TensorFlow has it: strings among the values stand one behind the other.
  Value count = flat(e, converted(e, sizeOf(e, x.values), i64Of(e)));
  Value values = encodedRows(e, x.values, e.ints({0}, i64Of(e)), count);
  e.result(0, packed(e, {encoded(e, x.indices), single(e, values), encoded(e, x.dims)}, 0));
}

// A row of strings for each index of the first dim.
void serializeManySparse(Expansion &e) {
  Checks checks(e);
  SparseTensor x = sparseInputs(e, checks);
  Value first = columnOf(e, x.indices, 0), last = sub(e, sizeOf(e, first), e.int32(1));
  last = e.like<nd::MaximumOp>({last, e.int32(0)});
  checks.require(
      e.compare<nd::LessEqualOp>(part(e, first, e.int32(0), last), from(e, first, e.int32(1))),
      "indices must be in order", x.indices);
  Value count = single(e, part(e, x.dims, e.int32(0), e.int32(1)));
  Value rest = checks.checked(columnsOf(e, x.indices, e.int32(1), e.int32(-1)));
  Value lengths = segmentSum(e, ones(e, dimsOf(e, first), i64Of(e)), first, count);
  Value ends = runningSum(e, lengths), starts = sub(e, ends, lengths);
  Value dims = encoded(e, from(e, x.dims, e.int32(1)));
  e.result(0, packed(e,
                     {encodedRows(e, rest, starts, ends), encodedRows(e, x.values, starts, ends),
                      filled(e, flat(e, count), dims)},
                     1));
}

// The last dim has the three strings; all others become dims of the result.
void deserializeSparse(Expansion &e) {
  Value texts = e.input(0);
  Type i64 = i64Of(e);
  Checks checks(e);
  Value dims = dimsOf(e, texts);
  checks.require(e.compare<nd::GreaterEqualOp>(rankOf(e, texts), e.int32(1)),
                 "serialized sparse tensors must have three strings each", dims);
  Value three = sizeFromEnd(e, checks.checked(dims), -1);
  checks.require(e.compare<nd::EqualOp>(three, e.int32(3)),
                 "serialized sparse tensors must have three strings each", dims);
  Value outerRank = sub(e, rankOf(e, texts), e.int32(1));
  Value outer = converted(e, part(e, checks.checked(dims), e.int32(0), outerRank), i64);
  Value count = product(e, outer);
  checks.require(e.compare<nd::GreaterOp>(count, e.scalar(i64, 0)),
                 "expected at least one serialized sparse tensor", dims);
  Value parts = reshaped(e, checks.checked(texts), e.ints({-1, 3}));
  Rows indices = decodedRows(e, columnOf(e, parts, 0), i64);
  Rows values = decodedRows(e, columnOf(e, parts, 1), e.resultElement(1));
  Rows shapes = decodedRows(e, columnOf(e, parts, 2), i64);
  checks.require(e.compare<nd::EqualOp>(indices.sizes, values.sizes),
                 "serialized sparse tensors must have an index for each value", indices.sizes);
  Value rank = part(e, shapes.sizes, e.int32(0), e.int32(1));
  checks.require(e.compare<nd::EqualOp>(shapes.sizes, rank),
                 "serialized sparse tensors must have equally many dims", shapes.sizes);
  Value all = reshaped(e, checks.checked(shapes.rows), joined(e, {flat(e, count), rank}));
  Value largest = e.like<nd::ReduceMaxOp>({all, e.ints({0})}, e.flag("keep_dims", false));
  Value number = rowIds(e, splitsOf(e, indices.sizes), firstSize(e, checks.checked(values.rows)));
  Value places =
      e.like<nd::FloorDivOp>({reshaped(e, number, e.ints({-1, 1})), stridesOf(e, outer)});
  Value inner = reshaped(e, checks.checked(indices.rows), joined(e, {e.ints({-1}, i64), rank}));
  e.result(0, e.like<nd::ConcatOp>({e.like<nd::FloorModOp>({places, outer}), inner, e.int32(1)}));
  e.result(1, checks.checked(values.rows));
  e.result(2, joined(e, {outer, largest}));
}

constexpr OpExpansion kOps[] = {
    {"DeserializeManySparse", deserializeSparse},
    {"DeserializeSparse", deserializeSparse},
    {"RaggedTensorFromVariant", raggedFromVariant, Style::kPure,
     "input_ragged_rank output_ragged_rank"},
    {"RaggedTensorToVariant", raggedToVariant, Style::kPure, "batched_input"},
    {"SerializeManySparse", serializeManySparse},
    {"SerializeSparse", serializeSparse},
};

} // namespace

ArrayRef<OpExpansion> encodedOps() { return kOps; }

} // namespace sluice::import
