// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices made into triangular ones, and what is asked of those: inverses, determinants, solutions
// of linear equations.
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/broadcast.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/matrices.h"
#include "runtime/kernels/shape_rules.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

namespace sluice::rt {

namespace {

Status numbersShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(checkMatrices(call.input(0), true));
  for (size_t i = 0; i < call.numOutputs(); ++i)
    call.output(i) = withDims(call.input(0), {});
  return okStatus();
}

// function(i) for the matrices of operand 0.
template <typename Function> bool forInputs(KernelCall &call, const Function &function) {
  const Shape &shape = call.input(0).shape();
  const MatrixSizes sizes(shape);
  return forMatrices(matrixCount(shape), cubicCost(sizes.rows, sizes.columns), function);
}

template <typename T> Status choleskyRun(KernelCall &call) {
  if (call.output(0).elements() == 0)
    return okStatus();
  forInputs(call, [&](int64_t i) {
    Eigen::LLT<Matrix<T>> factors(matrixAt<T>(call.input(0), i));
    Matrix<T> lower = factors.matrixL();
    if (factors.info() != Eigen::Success)
      lower.template triangularView<Eigen::Lower>().setConstant(
          std::numeric_limits<MatrixElement<T>>::quiet_NaN());
    storeMatrix<T>(call.output(0), i, lower);
    return true;
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_cholesky_kernel() {
  return {squareShape, choleskyRun<T>, Kernel::kNone, nullptr, matrixWork};
}

// ---- By elimination -----------------------------------------------------------------------------

template <typename T> using Elimination = Eigen::PartialPivLU<Matrix<T>>;

template <typename T> Elimination<T> eliminated(const Tensor &tensor, int64_t i, bool adjoint) {
  Matrix<T> matrix = matrixAt<T>(tensor, i);
  if (adjoint)
    matrix = matrix.adjoint().eval();
  return Elimination<T>(matrix);
}

// Also of what is not a number there is something to divide by.
template <typename T> bool hasInverse(const Elimination<T> &factors) {
  return (factors.matrixLU().diagonal().array() != MatrixElement<T>(0)).all();
}

template <typename T> Status inverseRun(KernelCall &call) {
  if (call.output(0).elements() == 0)
    return okStatus();
  const bool adjoint = attributes::sci::MatrixInverse(call).adjoint();
  bool isDone = forInputs(call, [&](int64_t i) {
    Elimination<T> factors = eliminated<T>(call.input(0), i, adjoint);
    if (!hasInverse<T>(factors))
      return false;
    Matrix<T> inverse = factors.inverse();
    storeMatrix<T>(call.output(0), i, inverse);
    return true;
  });
  return isDone ? okStatus() : invalidArgument("Input is not invertible.");
}
template <typename T> constexpr Kernel sci_matrix_inverse_kernel() {
  return {squareShape, inverseRun<T>, Kernel::kNone, nullptr, matrixWork};
}

template <typename T> Status determinantRun(KernelCall &call) {
  T *to = call.output(0).data<T>();
  forInputs(call, [&](int64_t i) {
    MatrixElement<T> determinant(1);
    if (call.input(0).elements() > 0)
      determinant = eliminated<T>(call.input(0), i, false).determinant();
    to[i] = static_cast<T>(determinant);
    return true;
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_determinant_kernel() {
  return {numbersShape, determinantRun<T>, Kernel::kNone, nullptr, matrixWork};
}

template <typename T> struct SignAndLog {
  using Element = MatrixElement<T>;
  Element sign = Element(1), log = Element(0);
  // The product of the diagonal, one after the other.
  explicit SignAndLog(const Elimination<T> &factors) {
    sign = Element(static_cast<float>(factors.permutationP().determinant()));
    for (Eigen::Index i = 0; i < factors.matrixLU().rows(); ++i) {
      const Element pivot = factors.matrixLU()(i, i);
      const auto size = std::abs(pivot);
      if (size == 0) {
        sign = Element(0);
        log = Element(-std::numeric_limits<float>::infinity());
        return;
      }
      sign *= std::isfinite(size) ? pivot / size : Element(size - size);
      log += Element(std::log(size));
    }
  }
  SignAndLog() = default;
};

template <typename T> Status logDeterminantRun(KernelCall &call) {
  T *sign = call.output(0).data<T>(), *log = call.output(1).data<T>();
  forInputs(call, [&](int64_t i) {
    SignAndLog<T> parts;
    if (call.input(0).elements() > 0)
      parts = SignAndLog<T>(eliminated<T>(call.input(0), i, false));
    sign[i] = static_cast<T>(parts.sign);
    log[i] = static_cast<T>(parts.log);
    return true;
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_log_determinant_kernel() {
  return {numbersShape, logDeterminantRun<T>, Kernel::kNone, nullptr, matrixWork};
}

// ---- Linear equations ---------------------------------------------------------------------------

Status incompatible(const Shape &matrix, const Shape &rhs) {
  return invalidArgument("Input matrix and rhs are incompatible: " + matrix.toString() + " vs. " +
                         rhs.toString());
}

// As many rows as the matrix has; the dims before the matrices are `batch`.
Status solutionShape(ShapeCall &call, Shape batch) {
  const Shape &matrix = call.input(0), &rhs = call.input(1);
  const int64_t side = sideOf(matrix), rows = MatrixSizes(rhs).rows;
  if (side >= 0 && rows >= 0 && side != rows)
    return incompatible(matrix, rhs);
  batch.append(side >= 0 ? side : rows);
  batch.append(MatrixSizes(rhs).columns);
  call.output(0) = batch;
  return okStatus();
}

// Nothing is known of the result unless both ranks are known.
Result<bool> checkEquations(ShapeCall &call) {
  const Shape &matrix = call.input(0), &rhs = call.input(1);
  SLUICE_RETURN_IF_ERROR(checkMatrices(matrix, true));
  SLUICE_RETURN_IF_ERROR(checkMatrices(rhs, false));
  call.output(0) = Shape::unknownRank();
  return matrix.hasRank() && rhs.hasRank();
}

Status solveShape(ShapeCall &call) {
  SLUICE_ASSIGN_OR_RETURN(bool isKnown, checkEquations(call));
  if (!isKnown)
    return okStatus();
  const Shape &matrix = call.input(0), &rhs = call.input(1);
  Shape batch;
  if (!mergeShapes(withDims(matrix, {}), withDims(rhs, {}), batch, call.sizes()))
    return incompatible(matrix, rhs);
  return solutionShape(call, batch);
}

template <typename T> Status solveRun(KernelCall &call) {
  if (call.output(0).elements() == 0)
    return okStatus();
  const bool adjoint = attributes::sci::MatrixSolve(call).adjoint();
  bool isDone = forInputs(call, [&](int64_t i) {
    Elimination<T> factors = eliminated<T>(call.input(0), i, adjoint);
    if (!hasInverse<T>(factors))
      return false;
    Matrix<T> solution = factors.solve(matrixAt<T>(call.input(1), i));
    storeMatrix<T>(call.output(0), i, solution);
    return true;
  });
  return isDone ? okStatus() : invalidArgument("Input matrix is not invertible.");
}

uint64_t solveWork(const KernelCall &call) {
  const Shape &matrix = call.input(0).shape();
  if (matrix.rank() < 2)
    return 0;
  return matrixWork(call) + 2 * static_cast<uint64_t>(MatrixSizes(matrix).rows) *
                                static_cast<uint64_t>(call.input(1).elements());
}
template <typename T> constexpr Kernel sci_matrix_solve_kernel() {
  return {solveShape, solveRun<T>, Kernel::kNone, nullptr, solveWork};
}

Status triangularShape(ShapeCall &call) {
  SLUICE_ASSIGN_OR_RETURN(bool isKnown, checkEquations(call));
  if (!isKnown)
    return okStatus();
  SLUICE_ASSIGN_OR_RETURN(Shape batch, broadcastShapes(withDims(call.input(0), {}),
                                                       withDims(call.input(1), {}), call.sizes()));
  return solutionShape(call, batch);
}

template <typename T>
Matrix<T> triangularSolution(const Matrix<T> &matrix, const Matrix<T> &rhs, bool lower,
                             bool adjoint) {
  auto solved = [&](const auto &view) -> Matrix<T> {
    return adjoint ? Matrix<T>(view.adjoint().solve(rhs)) : Matrix<T>(view.solve(rhs));
  };
  return lower ? solved(matrix.template triangularView<Eigen::Lower>())
               : solved(matrix.template triangularView<Eigen::Upper>());
}

template <typename T> Status triangularRun(KernelCall &call) {
  if (call.output(0).elements() == 0)
    return okStatus();
  attributes::sci::TriangularSolve attributes(call);
  const bool lower = attributes.lower(), adjoint = attributes.adjoint();
  const Shape left = withDims(call.input(0).shape(), {}),
              right = withDims(call.input(1).shape(), {});
  const Shape batch = withDims(call.output(0).shape(), {});
  const MatrixSizes sizes(call.output(0).shape());
  forMatrices(batch.elements(), cubicCost(sizes.rows, sizes.columns, sizes.rows), [&](int64_t i) {
    const Shape *operands[] = {&left, &right};
    BroadcastWalk walk(batch, operands);
    const int64_t inRun = walk.seek(i);
    const int64_t a = walk.offset(0) + inRun * walk.strides()[0];
    const int64_t b = walk.offset(1) + inRun * walk.strides()[1];
    storeMatrix<T>(call.output(0), i,
                   triangularSolution<T>(matrixAt<T>(call.input(0), a),
                                         matrixAt<T>(call.input(1), b), lower, adjoint));
    return true;
  });
  return okStatus();
}
uint64_t triangularWork(const KernelCall &call) {
  const Shape &matrix = call.input(0).shape(), &rhs = call.input(1).shape();
  if (matrix.rank() < 2 || rhs.rank() < 2)
    return 0;
  return 2 * static_cast<uint64_t>(std::max(call.input(0).elements(), call.input(1).elements())) *
         static_cast<uint64_t>(std::max(MatrixSizes(rhs).columns, MatrixSizes(matrix).rows)) *
         static_cast<uint64_t>(std::max<int64_t>(matrixCount(matrix), 1));
}
template <typename T> constexpr Kernel sci_triangular_solve_kernel() {
  return {triangularShape, triangularRun<T>, Kernel::kNone, nullptr, triangularWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(sci_cholesky, FLOAT_COMPLEX)
SLUICE_DEFINE_KERNELS(sci_matrix_inverse, FLOAT_COMPLEX)
SLUICE_DEFINE_KERNELS(sci_determinant, FLOAT_COMPLEX)
SLUICE_DEFINE_KERNELS(sci_log_determinant, FLOAT_COMPLEX)
SLUICE_DEFINE_KERNELS(sci_matrix_solve, FLOAT_COMPLEX)
SLUICE_DEFINE_KERNELS(sci_triangular_solve, FLOAT_COMPLEX)

} // namespace sluice::rt
