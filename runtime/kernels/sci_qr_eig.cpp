// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// QR and eigenvalues of self-adjoint matrices, by Eigen.
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/keep_denormals.h"
#include "runtime/kernels/matrices.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace sluice::rt {

namespace {

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
  decomposeInputs(call, [&](int64_t i) {
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

// ---- Eigenvalues --------------------------------------------------------------------------------

Status eigShape(ShapeCall &call) {
  return eigenShape(call, attributes::sci::SelfAdjointEig(call).computeV());
}

template <typename T> Status eigRun(KernelCall &call) {
  const bool withVectors = attributes::sci::SelfAdjointEig(call).computeV();
  if (!withVectors)
    clearInPieces(call.output(1).raw(), call.output(1).bytes());
  if (call.input(0).elements() == 0)
    return okStatus();
  bool isDone = decomposeInputs(call, [&](int64_t i) {
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
SLUICE_DEFINE_KERNELS(sci_self_adjoint_eig, FLOAT_COMPLEX)

} // namespace sluice::rt
