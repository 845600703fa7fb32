// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU decompositions and eigenvalues of matrices of any kind, by Eigen.
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/keep_denormals.h"
#include "runtime/kernels/matrices.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <complex>

namespace sluice::rt {

namespace {

// ---- LU -----------------------------------------------------------------------------------------

Status luShape(ShapeCall &call) {
  const Shape &input = call.input(0);
  SLUICE_RETURN_IF_ERROR(checkMatrices(input, true));
  call.output(0) = call.output(1) = Shape::unknownRank();
  if (!input.hasRank())
    return okStatus();
  call.output(0) = withDims(input, {sideOf(input), sideOf(input)});
  call.output(1) = withDims(input, {sideOf(input)});
  return okStatus();
}

template <typename T> void storeOrder(Tensor &to, int64_t matrix, const auto &places) {
  for (Eigen::Index row = 0, rows = places.size(); row < rows; ++row)
    to.data<T>()[matrix * rows + places[row]] = static_cast<T>(row);
}

template <typename T> Status luRun(KernelCall &call) {
  bool isDone = decomposeInputs(call, [&](int64_t i) {
    if (call.input(0).elements() == 0)
      return true;
    Eigen::PartialPivLU<Matrix<T>> factors(matrixAt<T>(call.input(0), i));
    if (!(factors.matrixLU().diagonal().cwiseAbs().minCoeff() > 0))
      return false;
    storeMatrix<T>(call.output(0), i, factors.matrixLU());
    const auto &places = factors.permutationP().indices();
    if (call.outputType(1) == DType::kI32)
      storeOrder<int32_t>(call.output(1), i, places);
    else
      storeOrder<int64_t>(call.output(1), i, places);
    return true;
  });
  return isDone ? okStatus() : invalidArgument("Input is not invertible.");
}
template <typename T> constexpr Kernel sci_lu_kernel() {
  return {luShape, luRun<T>, Kernel::kNone, nullptr, matrixWork};
}

// ---- Eigenvalues --------------------------------------------------------------------------------

Status eigShape(ShapeCall &call) { return eigenShape(call, attributes::sci::Eig(call).computeV()); }

template <typename T>
using Wide =
    std::conditional_t<std::is_same_v<T, double> || std::is_same_v<T, std::complex<double>>,
                       std::complex<double>, std::complex<float>>;

// Of real matrices conjugates are neighbours.
template <typename T>
using EigenSolverOf =
    std::conditional_t<Eigen::NumTraits<MatrixElement<T>>::IsComplex,
                       Eigen::ComplexEigenSolver<Matrix<T>>, Eigen::EigenSolver<Matrix<T>>>;

template <typename T> Status eigRun(KernelCall &call) {
  using Values = Matrix<Wide<T>>;
  const bool withVectors = attributes::sci::Eig(call).computeV();
  if (!withVectors)
    clearInPieces(call.output(1).raw(), call.output(1).bytes());
  if (call.input(0).elements() == 0)
    return okStatus();
  bool isDone = decomposeInputs(call, [&](int64_t i) {
    KeepDenormals keep;
    const Matrix<T> matrix = matrixAt<T>(call.input(0), i);
    if (!matrix.allFinite())
      return false;
    EigenSolverOf<T> solver(matrix, withVectors);
    if (solver.info() != Eigen::Success)
      return false;
    storeMatrix<Wide<T>>(call.output(0), i, Values(solver.eigenvalues().template cast<Wide<T>>()));
    if (withVectors)
      storeMatrix<Wide<T>>(call.output(1), i,
                           Values(solver.eigenvectors().template cast<Wide<T>>()));
    return true;
  });
  return isDone ? okStatus()
                : invalidArgument("Eigen decomposition was not successful. The input might not be "
                                  "valid.");
}
template <typename T> constexpr Kernel sci_eig_kernel() {
  return {eigShape, eigRun<T>, Kernel::kNone, nullptr, matrixWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(sci_lu, FLOAT_COMPLEX)
SLUICE_DEFINE_KERNELS(sci_eig, FLOAT_COMPLEX)

} // namespace sluice::rt
