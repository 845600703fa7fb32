// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roots, exponentials and logarithms of matrices, by Eigen.
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/keep_denormals.h"
#include "runtime/kernels/matrices.h"

#include <complex>
#include <unsupported/Eigen/MatrixFunctions>

namespace sluice::rt {

namespace {

// What is no number would let the search for eigenvalues go on for long.
template <typename T> Matrix<T> functionOf(std::string_view function, const Matrix<T> &matrix) {
  if (!matrix.allFinite())
    return Matrix<T>::Constant(matrix.rows(), matrix.cols(),
                               MatrixElement<T>(std::numeric_limits<float>::quiet_NaN()));
  if (function == "sqrt")
    return matrix.sqrt();
  if constexpr (Eigen::NumTraits<MatrixElement<T>>::IsComplex)
    if (function == "log")
      return matrix.log();
  return matrix.exp();
}

template <typename T> Status functionRun(KernelCall &call) {
  const std::string_view function = attributes::sci::MatrixFunction(call).function();
  if (call.input(0).elements() == 0)
    return okStatus();
  decomposeInputs(call, [&](int64_t i) {
    KeepDenormals keep;
    storeMatrix<T>(call.output(0), i, functionOf<T>(function, matrixAt<T>(call.input(0), i)));
    return true;
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_matrix_function_kernel() {
  return {squareShape, functionRun<T>, Kernel::kNone, nullptr, matrixWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(sci_matrix_function, FLOAT_COMPLEX)

} // namespace sluice::rt
