// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices in the last two dims of tensors, as Eigen takes them.
//
// Eigen adds in an order that depends on where memory begins. So matrices are copied into its own
// memory, which is aligned: results depend on values and sizes alone. A matrix is worked on by one
// thread, from begin to end; many of them by several.
#pragma once

#define EIGEN_DONT_PARALLELIZE
#define EIGEN_MPL2_ONLY
#define EIGEN_NO_DEBUG // sizes are checked before

#include "runtime/base/pieces.h"
#include "runtime/kernels/kernel.h"

#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <type_traits>

namespace sluice::rt {

// What matrices of such elements are computed in.
template <typename T>
using MatrixElement = std::conditional_t<sizeof(T) == 2, float, T>; // of 16-bit floats
template <typename T>
using Matrix = Eigen::Matrix<MatrixElement<T>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct MatrixSizes {
  int64_t rows, columns;
  // Of a shape of rank 2 or more.
  explicit MatrixSizes(const Shape &shape)
      : rows(shape.dim(shape.rank() - 2)), columns(shape.dim(shape.rank() - 1)) {}
  int64_t elements() const { return rows * columns; }
  int64_t shorter() const { return std::min(rows, columns); }
  int64_t longer() const { return std::max(rows, columns); }
};

// How many matrices there are. Of matrices without elements, too.
inline int64_t matrixCount(const Shape &shape) {
  int64_t count = 1;
  for (int i = 0; i + 2 < shape.rank(); ++i)
    (void)__builtin_mul_overflow(count, shape.dim(i), &count);
  return count;
}

// The matrix with this number.
template <typename T> Matrix<T> matrixAt(const Tensor &tensor, int64_t number) {
  const MatrixSizes sizes(tensor.shape());
  Matrix<T> matrix(sizes.rows, sizes.columns);
  const T *from = tensor.data<T>() + number * sizes.elements();
  std::transform(from, from + sizes.elements(), matrix.data(),
                 [](const T &x) { return static_cast<MatrixElement<T>>(x); });
  return matrix;
}

// Stores matrix or vector number `number` of a tensor that has nothing but such.
template <typename T> void storeMatrix(Tensor &tensor, int64_t number, const Matrix<T> &matrix) {
  T *to = tensor.data<T>() + number * matrix.size();
  std::transform(matrix.data(), matrix.data() + matrix.size(), to,
                 [](const MatrixElement<T> &x) { return static_cast<T>(x); });
}

// About what it costs to decompose a matrix, in quarters of a nanosecond, and as work.
inline int64_t cubicCost(int64_t rows, int64_t columns, int64_t more = 0) {
  return costOfAll(rows, costOfAll(columns, std::clamp<int64_t>(std::min(rows, columns) + more, 1,
                                                                kCostOfPiece)));
}

// function(i) for all matrices: whether it has a result.
template <typename Function>
bool forMatrices(int64_t count, int64_t cost, const Function &function) {
  std::atomic<bool> all = true;
  forPieces(count, cost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && !Cancellation::requestedHere(); ++i)
      if (!function(i))
        all.store(false, std::memory_order_relaxed);
  });
  return all;
}

// … of input 0, for decompositions, which cost more than elimination.
template <typename Function> bool decomposeInputs(KernelCall &call, const Function &function) {
  const Shape &shape = call.input(0).shape();
  const MatrixSizes sizes(shape);
  return forMatrices(matrixCount(shape), cubicCost(sizes.rows, sizes.columns, sizes.longer()),
                     function);
}

// Matrices of rank 2 or more, if the rank is known.
inline Status checkMatrices(const Shape &shape, bool areSquare) {
  if (!shape.hasRank())
    return okStatus();
  if (shape.rank() < 2)
    return invalidArgument("Input tensor must have rank >= 2, got " + std::to_string(shape.rank()));
  const MatrixSizes sizes(shape);
  if (areSquare && sizes.rows >= 0 && sizes.columns >= 0 && sizes.rows != sizes.columns)
    return invalidArgument("Input matrix must be square, but got shape " + shape.toString());
  return okStatus();
}

// The dims before the matrices, and behind them others.
inline Shape withDims(const Shape &matrices, std::initializer_list<int64_t> dims) {
  if (!matrices.hasRank())
    return Shape::unknownRank();
  Shape shape(matrices.dims().first(static_cast<size_t>(matrices.rank() - 2)));
  for (int64_t dim : dims)
    shape.append(dim);
  return shape;
}
// The smaller of two sizes, if that follows from what is known.
inline int64_t shorterOf(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  return a < 0 || b < 0 ? Shape::kUnknown : std::min(a, b);
}
// The side of square matrices, of which either may be known.
inline int64_t sideOf(const Shape &shape) {
  const MatrixSizes sizes(shape);
  return sizes.rows >= 0 ? sizes.rows : sizes.columns;
}

// A matrix for each square one.
inline Status squareShape(ShapeCall &call) {
  const Shape &input = call.input(0);
  SLUICE_RETURN_IF_ERROR(checkMatrices(input, true));
  call.output(0) = Shape::unknownRank();
  if (input.hasRank())
    call.output(0) = withDims(input, {sideOf(input), sideOf(input)});
  return okStatus();
}
// Eigenvalues of square ones, and vectors or nothing.
inline Status eigenShape(ShapeCall &call, bool withVectors) {
  const Shape &input = call.input(0);
  SLUICE_RETURN_IF_ERROR(checkMatrices(input, true));
  call.output(0) = Shape::unknownRank();
  call.output(1) = withVectors ? Shape::unknownRank() : Shape{};
  if (!input.hasRank())
    return okStatus();
  call.output(0) = withDims(input, {sideOf(input)});
  if (withVectors)
    call.output(1) = withDims(input, {sideOf(input), sideOf(input)});
  return okStatus();
}

inline uint64_t matrixWork(const KernelCall &call) {
  const Shape &shape = call.input(0).shape();
  if (shape.rank() < 2)
    return 0;
  constexpr uint64_t kPerElement = 20;
  return kPerElement * static_cast<uint64_t>(call.input(0).elements()) *
         static_cast<uint64_t>(MatrixSizes(shape).longer());
}

} // namespace sluice::rt
