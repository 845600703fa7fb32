// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Singular values, by Eigen.
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/keep_denormals.h"
#include "runtime/kernels/matrices.h"

#include <Eigen/SVD>

namespace sluice::rt {

namespace {

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
      clearInPieces(call.output(side).raw(), call.output(side).bytes());
  const MatrixSizes sizes(call.input(0).shape());
  decomposeInputs(call, [&](int64_t i) {
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

} // namespace

SLUICE_DEFINE_KERNELS(sci_svd, FLOAT_COMPLEX)

} // namespace sluice::rt
