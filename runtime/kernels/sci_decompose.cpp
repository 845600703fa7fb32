// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of matrices with orthonormal columns: QR, singular values, eigenvalues.
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/keep_denormals.h"
#include "runtime/kernels/matrices.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace sluice::rt {

namespace {

// The smaller of two sizes, if that follows from what is known.
int64_t shorterOf(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  return a < 0 || b < 0 ? Shape::kUnknown : std::min(a, b);
}

// Decompositions cost more than elimination.
template <typename Function> bool forInputs(KernelCall &call, const Function &function) {
  const Shape &shape = call.input(0).shape();
  const MatrixSizes sizes(shape);
  return forMatrices(matrixCount(shape), cubicCost(sizes.rows, sizes.columns, sizes.longer()),
                     function);
}

void clear(Tensor &tensor) {
  if (tensor.bytes() > 0)
    std::memset(tensor.raw(), 0, tensor.bytes());
}

// ---- QR -----------------------------------------------------------------------------------------

Status qrShape(ShapeCall &call) {
  const Shape &input = call.input(0);
  SLUICE_RETURN_IF_ERROR(checkMatrices(input, false));
  call.output(0) = call.output(1) = Shape::unknownRank();
  if (!input.hasRank())
    return okStatus();
  const MatrixSizes sizes(input);
  const int64_t inner =
      attributes::sci::Qr(call).fullMatrices() ? sizes.rows : shorterOf(sizes.rows, sizes.columns);
  call.output(0) = withDims(input, {sizes.rows, inner});
  call.output(1) = withDims(input, {inner, sizes.columns});
  return okStatus();
}

template <typename T> Status qrRun(KernelCall &call) {
  const MatrixSizes q(call.output(0).shape()), r(call.output(1).shape());
  forInputs(call, [&](int64_t i) {
    if (q.rows == 0)
      return true;
    if (r.columns == 0) {
      storeMatrix<T>(call.output(0), i, Matrix<T>::Identity(q.rows, q.columns));
      return true;
    }
    Eigen::HouseholderQR<Matrix<T>> factors(matrixAt<T>(call.input(0), i));
    Matrix<T> left = factors.householderQ() * Matrix<T>::Identity(q.rows, q.columns);
    Matrix<T> right = factors.matrixQR().topRows(r.rows).template triangularView<Eigen::Upper>();
    storeMatrix<T>(call.output(0), i, left);
    storeMatrix<T>(call.output(1), i, right);
    return true;
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_qr_kernel() {
  return {qrShape, qrRun<T>, Kernel::kNone, nullptr, matrixWork};
}

// ---- Singular values ----------------------------------------------------------------------------

Status svdShape(ShapeCall &call) {
  const Shape &input = call.input(0);
  SLUICE_RETURN_IF_ERROR(checkMatrices(input, false));
  attributes::sci::Svd attributes(call);
  for (size_t i : {0, 1, 2})
    call.output(i) = i > 0 && !attributes.computeUv() ? Shape{} : Shape::unknownRank();
  if (!input.hasRank())
    return okStatus();
  const MatrixSizes sizes(input);
  const int64_t values = shorterOf(sizes.rows, sizes.columns);
  const bool isFull = attributes.fullMatrices();
  call.output(0) = withDims(input, {values});
  if (attributes.computeUv()) {
    call.output(1) = withDims(input, {sizes.rows, isFull ? sizes.rows : values});
    call.output(2) = withDims(input, {sizes.columns, isFull ? sizes.columns : values});
  }
  return okStatus();
}

// Of a matrix with elements.
template <typename T>
void decompose(KernelCall &call, int64_t i, const Matrix<T> &matrix, unsigned options) {
  using Element = MatrixElement<T>;
  using Values = Matrix<T>;
  const bool withVectors = options != 0;
  if (!matrix.allFinite()) {
    constexpr auto kNaN = std::numeric_limits<Element>::quiet_NaN();
    const Eigen::Index values = std::min(matrix.rows(), matrix.cols());
    storeMatrix<T>(call.output(0), i, Values::Constant(values, 1, Element(kNaN)));
    for (size_t side : {1, 2})
      if (withVectors) {
        const MatrixSizes sizes(call.output(side).shape());
        storeMatrix<T>(call.output(side), i,
                       Values::Constant(sizes.rows, sizes.columns, Element(kNaN)));
      }
    return;
  }
  Eigen::BDCSVD<Matrix<T>> svd(matrix, options);
  Values values = svd.singularValues().template cast<Element>();
  storeMatrix<T>(call.output(0), i, values);
  if (withVectors) {
    storeMatrix<T>(call.output(1), i, Matrix<T>(svd.matrixU()));
    storeMatrix<T>(call.output(2), i, Matrix<T>(svd.matrixV()));
  }
}

template <typename T> Status svdRun(KernelCall &call) {
  attributes::sci::Svd attributes(call);
  const bool withVectors = attributes.computeUv(), isFull = attributes.fullMatrices();
  unsigned options = 0;
  if (withVectors)
    options = isFull ? Eigen::ComputeFullU | Eigen::ComputeFullV
                     : Eigen::ComputeThinU | Eigen::ComputeThinV;
  else
    for (size_t side : {1, 2})
      clear(call.output(side));
  const MatrixSizes sizes(call.input(0).shape());
  forInputs(call, [&](int64_t i) {
    if (sizes.elements() > 0) {
      KeepDenormals keep;
      decompose<T>(call, i, matrixAt<T>(call.input(0), i), options);
    } else if (withVectors && isFull) {
      storeMatrix<T>(call.output(1), i, Matrix<T>::Identity(sizes.rows, sizes.rows));
      storeMatrix<T>(call.output(2), i, Matrix<T>::Identity(sizes.columns, sizes.columns));
    }
    return true;
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_svd_kernel() {
  return {svdShape, svdRun<T>, Kernel::kNone, nullptr, matrixWork};
}

// ---- Eigenvalues --------------------------------------------------------------------------------

Status eigShape(ShapeCall &call) {
  const Shape &input = call.input(0);
  SLUICE_RETURN_IF_ERROR(checkMatrices(input, true));
  const bool withVectors = attributes::sci::SelfAdjointEig(call).computeV();
  call.output(0) = Shape::unknownRank();
  call.output(1) = withVectors ? Shape::unknownRank() : Shape{};
  if (!input.hasRank())
    return okStatus();
  call.output(0) = withDims(input, {sideOf(input)});
  if (withVectors)
    call.output(1) = withDims(input, {sideOf(input), sideOf(input)});
  return okStatus();
}

template <typename T> Status eigRun(KernelCall &call) {
  const bool withVectors = attributes::sci::SelfAdjointEig(call).computeV();
  if (!withVectors)
    clear(call.output(1));
  if (call.input(0).elements() == 0)
    return okStatus();
  bool isDone = forInputs(call, [&](int64_t i) {
    KeepDenormals keep;
    Eigen::SelfAdjointEigenSolver<Matrix<T>> solver(matrixAt<T>(call.input(0), i),
                                                    withVectors ? Eigen::ComputeEigenvectors
                                                                : Eigen::EigenvaluesOnly);
    if (solver.info() != Eigen::Success)
      return false;
    Matrix<T> values = solver.eigenvalues().template cast<MatrixElement<T>>();
    storeMatrix<T>(call.output(0), i, values);
    if (withVectors)
      storeMatrix<T>(call.output(1), i, Matrix<T>(solver.eigenvectors()));
    return true;
  });
  return isDone ? okStatus()
                : invalidArgument("Self-adjoint eigen decomposition was not successful. The input "
                                  "might not be valid.");
}
template <typename T> constexpr Kernel sci_self_adjoint_eig_kernel() {
  return {eigShape, eigRun<T>, Kernel::kNone, nullptr, matrixWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(sci_qr, FLOAT_COMPLEX)
SLUICE_DEFINE_KERNELS(sci_svd, FLOAT_COMPLEX)
SLUICE_DEFINE_KERNELS(sci_self_adjoint_eig, FLOAT_COMPLEX)

} // namespace sluice::rt
