// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of linear equations with three diagonals: sci.tridiagonal_solve.
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/matrices.h"
#include "runtime/kernels/shape_rules.h"

#include <cmath>
#include <limits>
#include <vector>

namespace sluice::rt {

namespace {

Status tridiagonalShape(ShapeCall &call) {
  const Shape &diagonals = call.input(0), &rhs = call.input(1);
  SLUICE_RETURN_IF_ERROR(checkMatrices(diagonals, false));
  SLUICE_RETURN_IF_ERROR(checkMatrices(rhs, false));
  call.output(0) = Shape::unknownRank();
  if (diagonals.hasRank() && MatrixSizes(diagonals).rows >= 0 && MatrixSizes(diagonals).rows != 3)
    return invalidArgument("Expected diagonals to have 3 rows, but got shape " +
                           diagonals.toString());
  if (!diagonals.hasRank() || !rhs.hasRank())
    return okStatus();
  const MatrixSizes given(diagonals), right(rhs);
  Shape batch;
  if ((given.columns >= 0 && right.rows >= 0 && given.columns != right.rows) ||
      !mergeShapes(withDims(diagonals, {}), withDims(rhs, {}), batch, call.sizes()))
    return invalidArgument("The length of diagonals and the right-hand sides are incompatible: " +
                           diagonals.toString() + " and " + rhs.toString());
  batch.append(given.columns >= 0 ? given.columns : right.rows);
  batch.append(right.columns);
  call.output(0) = batch;
  return okStatus();
}

// Rows of the matrix to whose left there are zeros only, and the right sides that belong to them.
template <typename T> class Elimination {
public:
  using Element = MatrixElement<T>;

  Elimination(const Matrix<T> &diagonals, Matrix<T> x)
      : diagonals_(diagonals), x_(std::move(x)), rows_(static_cast<size_t>(x_.rows())) {
    for (Eigen::Index i = 0; i < x_.rows(); ++i)
      row(i) = {diagonals(1, i), i + 1 < x_.rows() ? diagonals(0, i) : Element(0), Element(0)};
  }

  // False where that is a division by zero.
  bool run(bool withPivots) {
    const Eigen::Index count = x_.rows();
    for (Eigen::Index i = 0; i + 1 < count; ++i)
      if (!eliminate(i, withPivots))
        return false;
    if (row(count - 1).main == Element(0))
      return false;
    for (Eigen::Index i = count; i-- > 0;) {
      if (i + 1 < count)
        x_.row(i) -= row(i).next * x_.row(i + 1);
      if (i + 2 < count)
        x_.row(i) -= row(i).afterNext * x_.row(i + 2);
      x_.row(i) /= row(i).main;
    }
    return true;
  }
  const Matrix<T> &solution() const { return x_; }

private:
  struct Row {
    Element main, next, afterNext;
  };
  Row &row(Eigen::Index i) { return rows_[static_cast<size_t>(i)]; }

  // The element below that of row i on the diagonal becomes zero.
  bool eliminate(Eigen::Index i, bool withPivots) {
    const Element below = diagonals_(2, i + 1);
    Row &upper = row(i), &lower = row(i + 1);
    if (withPivots && std::abs(upper.main) < std::abs(below)) {
      const Element factor = upper.main / below;
      const Row before = upper;
      upper = {below, lower.main, lower.next};
      lower = {before.next - factor * upper.next, -factor * upper.afterNext, Element(0)};
      x_.row(i).swap(x_.row(i + 1));
      x_.row(i + 1) -= factor * x_.row(i);
      return true;
    }
    if (upper.main == Element(0))
      return false;
    const Element factor = below / upper.main;
    lower.main -= factor * upper.next;
    x_.row(i + 1) -= factor * x_.row(i);
    return true;
  }

  const Matrix<T> &diagonals_;
  Matrix<T> x_;
  std::vector<Row> rows_;
};

template <typename T> Status tridiagonalRun(KernelCall &call) {
  const bool withPivots = attributes::sci::TridiagonalSolve(call).pivoting();
  const Shape &rhs = call.input(1).shape();
  const MatrixSizes sizes(rhs);
  if (call.input(0).elements() == 0 || call.input(1).elements() == 0)
    return okStatus();
  constexpr int64_t kCostOfElement = 16;
  forMatrices(matrixCount(rhs), costOfAll(sizes.elements(), kCostOfElement), [&](int64_t i) {
    const Matrix<T> diagonals = matrixAt<T>(call.input(0), i);
    Elimination<T> elimination(diagonals, matrixAt<T>(call.input(1), i));
    if (elimination.run(withPivots))
      storeMatrix<T>(call.output(0), i, elimination.solution());
    else
      storeMatrix<T>(
          call.output(0), i,
          Matrix<T>::Constant(sizes.rows, sizes.columns,
                              MatrixElement<T>(std::numeric_limits<float>::quiet_NaN())));
    return true;
  });
  return okStatus();
}

uint64_t tridiagonalWork(const KernelCall &call) {
  constexpr uint64_t kPerElement = 10;
  return kPerElement * static_cast<uint64_t>(call.input(0).elements() + call.input(1).elements());
}
template <typename T> constexpr Kernel sci_tridiagonal_solve_kernel() {
  return {tridiagonalShape, tridiagonalRun<T>, Kernel::kNone, nullptr, tridiagonalWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(sci_tridiagonal_solve, FLOAT_COMPLEX)

} // namespace sluice::rt
