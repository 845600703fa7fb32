// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels and shape rules read axes, sizes and indices that come as tensors, and name them in
// messages.
#pragma once

#include "runtime/kernels/kernel.h"

#include <optional>

namespace sluice::rt {

// Makes a negative axis count from the front. False if it is out of [-rank, rank).
inline bool normalizeAxis(int64_t &axis, int rank) {
  if (axis < -rank || axis >= rank)
    return false;
  if (axis < 0)
    axis += rank;
  return true;
}

// INVALID_ARGUMENT unless a tensor of this rank can exist.
Status checkRank(int64_t rank);

// A shape given by an integer tensor, each dim at least 0 and the element count within 64 bits.
Status readShape(const Tensor &sizes, Shape &shape);

// Output shape of an op whose operand `i` gives it: exact when the value is known, else of the
// rank that the operand's length implies.
Status shapeFromOperand(const ShapeCall &call, size_t i, const char *name, Shape &shape);

// The shape with one more dim at `axis`, or with the dim there left out.
Shape insertDim(const Shape &shape, int64_t axis, int64_t size);
Shape removeDim(const Shape &shape, int64_t axis);

// Product of the dims [from, to) of the shape of a tensor. Meaningless, without harm, if it exceeds
// 64 bits: then another dim of the tensor is 0 and it has no elements.
inline int64_t elementsBetween(const Shape &shape, int from, int to) {
  int64_t n = 1;
  for (int i = from; i < to; ++i)
    (void)__builtin_mul_overflow(n, shape.dim(i), &n);
  return n;
}

// Stores into a tensor of any integer type; the value is cut to its width.
void putInt(Tensor &tensor, int64_t index, int64_t value);

// "[1,2]" for the element at this row-major position, "" in a scalar.
std::string positionText(const Shape &shape, int64_t position);

// The row-major position in the first `depth` dims of `shape` of the point that row `row` of a
// matrix of indices names; nothing if it is outside.
std::optional<int64_t> positionOfPoint(const Tensor &indices, int64_t row, int depth,
                                       const Shape &shape);
// "[7,1]": row `row` of a matrix of indices with `depth` columns.
std::string indexRowText(const Tensor &indices, int64_t row, int depth);

// "[3 5]": the elements of an integer tensor.
std::string valuesText(const Tensor &tensor);

// One axis or size operand: a tensor of exactly one element, if its shape is known.
Status checkOneElement(const Shape &shape, const char *what);

} // namespace sluice::rt
