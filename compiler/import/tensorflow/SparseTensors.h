// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse tensors: a matrix of indices with a row for each value, the values, and the dims.
#pragma once

#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"
#include "dialects/sci/Sci.h"

namespace sluice::import {

struct SparseTensor {
  Value indices, values, dims;
};

inline Type i64Of(Expansion &e) { return e.builder().getI64Type(); }

// Columns from `from` on, `count` of them; all that follow if it is -1.
inline Value columnsOf(Expansion &e, Value matrix, Value from, Value count) {
  Value zero = e.ints({0}), all = e.ints({-1});
  return e.like<nd::SliceOp>(
      {matrix, joined(e, {zero, flat(e, from)}), joined(e, {all, flat(e, count)})});
}
// As a vector.
inline Value columnOf(Expansion &e, Value matrix, int64_t column) {
  return reshaped(e, columnsOf(e, matrix, e.int32(column), e.int32(1)), e.ints({-1}));
}
inline Value rowsOf(Expansion &e, Value matrix, Value rows) {
  return gathered(e, matrix, rows, e.int32(0));
}
inline Value sumOf(Expansion &e, Value x, int64_t axis, bool keeps = false) {
  return e.like<nd::ReduceSumOp>({x, e.ints({axis})}, e.flag("keep_dims", keeps));
}
// The positions at which the elements of a vector of bools hold.
inline Value positionsOf(Expansion &e, Value condition) {
  return reshaped(e, e.tensor<nd::WhereOp>(i64Of(e), condition), e.ints({-1}));
}
inline Value allOf(Expansion &e, Value condition, int64_t axis) {
  return e.like<nd::ReduceAllOp>({condition, e.ints({axis})}, e.flag("keep_dims", false));
}

// How far apart neighbours along each dim are in row-major order.
inline Value stridesOf(Expansion &e, Value dims) {
  return e.like<nd::CumprodOp>({dims, e.int32(0)},
                               {e.flag("exclusive", true), e.flag("reverse", true)});
}
// The row-major positions of rows of indices.
inline Value placesOf(Expansion &e, Value indices, Value dims) {
  return sumOf(e, mul(e, indices, stridesOf(e, dims)), 1);
}

inline void requireSparse(Checks &checks, Expansion &e, const SparseTensor &x) {
  auto hasRank = [&](Value v, int64_t rank) {
    return e.compare<nd::EqualOp>(rankOf(e, v), e.int32(rank));
  };
  checks.require(hasRank(x.indices, 2), "indices must be a matrix", dimsOf(e, x.indices));
  checks.require(hasRank(x.dims, 1), "the shape must be a vector", dimsOf(e, x.dims));
  Value expected = joined(e, {flat(e, sizeOf(e, x.values)), flat(e, sizeOf(e, x.dims))});
  checks.require(e.compare<nd::EqualOp>(dimsOf(e, checks.checked(x.indices)), expected),
                 "indices must have a row for each value, and a column for each dim",
                 dimsOf(e, x.indices));
  Value isInside = e.like<nd::LogicalAndOp>(
      {e.compare<nd::GreaterEqualOp>(checks.checked(x.indices), e.scalar(i64Of(e), 0)),
       e.compare<nd::LessOp>(checks.checked(x.indices), x.dims)});
  checks.require(isInside, "indices are out of bounds", x.indices);
}
// Waits for what was required.
inline SparseTensor checked(Checks &checks, const SparseTensor &x) {
  return {checks.checked(x.indices), checks.checked(x.values), checks.checked(x.dims)};
}
// The same with its rows in order.
inline SparseTensor inOrder(Expansion &e, const SparseTensor &x) {
  Value order = e.tensor<sci::RowOrderOp>(i64Of(e), x.indices);
  return {rowsOf(e, x.indices, order), rowsOf(e, x.values, order), x.dims};
}
// The rows at these positions.
inline SparseTensor onlyRows(Expansion &e, const SparseTensor &x, Value rows) {
  return {rowsOf(e, x.indices, rows), rowsOf(e, x.values, rows), x.dims};
}

// Each of some rows once, in order; and for each row its position among these.
struct UniqueRows {
  Value rows, positions, count;
};

inline UniqueRows uniqueRows(Expansion &e, Value matrix) {
  Type i64 = i64Of(e);
  auto unique = e.make<nd::UniqueOp>({unrankedOf(i64), unrankedOf(i64), unrankedOf(i64)},
                                     {matrix, e.ints({0})});
  Value order = e.tensor<sci::RowOrderOp>(i64, unique.getValues());
  Value places = e.like<nd::InvertPermutationOp>(order);
  return {rowsOf(e, unique.getValues(), order), rowsOf(e, places, unique.getPositions()),
          sizeOf(e, order)};
}

inline Value segmentSum(Expansion &e, Value values, Value ids, Value count) {
  return e.like<nd::UnsortedSegmentSumOp>({values, ids, count});
}

inline void sparseResult(Expansion &e, const SparseTensor &x, uint32_t first = 0,
                         uint32_t step = 1) {
  e.result(first, x.indices);
  e.result(first + step, x.values);
  e.result(first + 2 * step, x.dims);
}

} // namespace sluice::import
