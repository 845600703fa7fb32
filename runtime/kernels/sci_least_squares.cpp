// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Least squares, by Eigen: sci.least_squares.
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/keep_denormals.h"
#include "runtime/kernels/matrices.h"
#include "runtime/kernels/shape_rules.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace sluice::rt {

namespace {

Status squaresShape(ShapeCall &call) {
  const Shape &matrix = call.input(0), &rhs = call.input(1), &weight = call.input(2);
  SLUICE_RETURN_IF_ERROR(checkMatrices(matrix, false));
  SLUICE_RETURN_IF_ERROR(checkMatrices(rhs, false));
  if (weight.hasRank() && weight.rank() != 0)
    return invalidArgument("l2_regularizer must be scalar, got shape " + weight.toString());
  call.output(0) = Shape::unknownRank();
  if (!matrix.hasRank() || !rhs.hasRank())
    return okStatus();
  const MatrixSizes sizes(matrix), right(rhs);
  Shape batch;
  if ((sizes.rows >= 0 && right.rows >= 0 && sizes.rows != right.rows) ||
      !mergeShapes(withDims(matrix, {}), withDims(rhs, {}), batch, call.sizes()))
    return invalidArgument("Input matrix and rhs are incompatible: " + matrix.toString() + " and " +
                           rhs.toString());
  batch.append(sizes.columns);
  batch.append(right.columns);
  call.output(0) = batch;
  return okStatus();
}

// The factors of what is `side` wide, and whether there are some.
template <typename T>
bool factored(Matrix<T> square, double weight, Eigen::LLT<Matrix<T>> &factors) {
  square.diagonal().array() += MatrixElement<T>(static_cast<float>(weight));
  if constexpr (sizeof(T) >= sizeof(double))
    square.diagonal().array() +=
        MatrixElement<T>(weight - static_cast<double>(static_cast<float>(weight)));
  factors.compute(square);
  return factors.info() == Eigen::Success;
}

template <typename T> Status squaresRun(KernelCall &call) {
  const bool isFast = attributes::sci::LeastSquares(call).fast();
  const double weight = *call.input(2).data<double>();
  if (call.input(0).elements() == 0 || call.input(1).elements() == 0) {
    clearInPieces(call.output(0).raw(), call.output(0).bytes());
    return okStatus();
  }
  bool isDone = decomposeInputs(call, [&](int64_t i) {
    KeepDenormals keep;
    const Matrix<T> a = matrixAt<T>(call.input(0), i), b = matrixAt<T>(call.input(1), i);
    Matrix<T> x;
    if (!isFast) {
      x = a.completeOrthogonalDecomposition().solve(b);
    } else {
      Eigen::LLT<Matrix<T>> factors;
      const bool isTall = a.rows() >= a.cols();
      if (!factored<T>(isTall ? Matrix<T>(a.adjoint() * a) : Matrix<T>(a * a.adjoint()), weight,
                       factors))
        return false;
      x = isTall ? Matrix<T>(factors.solve(a.adjoint() * b))
                 : Matrix<T>(a.adjoint() * factors.solve(b));
    }
    storeMatrix<T>(call.output(0), i, x);
    return true;
  });
  return isDone ? okStatus()
                : invalidArgument("Input matrix was rank deficient or ill-conditioned. Try setting "
                                  "fast=False or provide a larger l2_regularizer > 0.");
}
template <typename T> constexpr Kernel sci_least_squares_kernel() {
  return {squaresShape, squaresRun<T>, Kernel::kNone, nullptr, matrixWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(sci_least_squares, FLOAT_COMPLEX)

} // namespace sluice::rt
