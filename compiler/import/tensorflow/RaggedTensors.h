// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ragged tensors: for each level the splits, which say where its rows begin and end, and the
// values.
#pragma once

#include "compiler/import/tensorflow/SparseTensors.h"

namespace sluice::import {

inline Value ones(Expansion &e, Value dims, Type type) {
  return e.like<nd::BroadcastToOp>({e.scalar(type, 1), dims});
}

inline Value firstSize(Expansion &e, Value x) {
  return single(e, part(e, dimsOf(e, x), e.int32(0), e.int32(1)));
}

// Splits that begin with 0, do not decrease, and end with the number of rows that they are of.
inline Value checkedSplits(Checks &checks, Expansion &e, Value splits, Value rows) {
  checks.require(e.compare<nd::EqualOp>(rankOf(e, splits), e.int32(1)), "splits must be a vector",
                 dimsOf(e, splits));
  checks.require(e.compare<nd::GreaterOp>(sizeOf(e, splits), e.int32(0)),
                 "splits must not be empty", dimsOf(e, splits));
  Value list = converted(e, checks.checked(splits), i64Of(e));
  Value end = e.like<nd::SubOp>({sizeOf(e, list), e.int32(1)});
  checks.require(
      e.compare<nd::EqualOp>(part(e, list, e.int32(0), e.int32(1)), e.scalar(i64Of(e), 0)),
      "the first split must be 0", splits);
  checks.require(
      e.compare<nd::GreaterEqualOp>(from(e, list, e.int32(1)), part(e, list, e.int32(0), end)),
      "splits must not decrease", splits);
  checks.require(
      e.compare<nd::EqualOp>(part(e, list, end, e.int32(1)), converted(e, rows, i64Of(e))),
      "the last split must be the number of values", splits);
  return checks.checked(list);
}

inline Value rowCountOf(Expansion &e, Value splits) {
  return e.like<nd::SubOp>({sizeOf(e, splits), e.int32(1)});
}

// For each of the values, the row that it is in.
inline Value rowIds(Expansion &e, Value splits, Value count) {
  Value inner = part(e, splits, e.int32(1), rowCountOf(e, splits));
  Value marks = segmentSum(e, ones(e, dimsOf(e, inner), i64Of(e)), inner,
                           e.like<nd::AddOp>({count, e.int32(1)}));
  Value sums = e.like<nd::CumsumOp>({marks, e.int32(0)},
                                    {e.flag("exclusive", false), e.flag("reverse", false)});
  return part(e, sums, e.int32(0), count);
}

} // namespace sluice::import
