// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices of 16-bit floats: the chains of f32 (matmul_real.h), rounded at their ends.
//
// On one thread; a thread's first product of some size allocates a workspace that it keeps.
#pragma once

#include "runtime/kernels/matmul_real.h"

namespace sluice::rt {

// c, whose rows are `rowC` apart, becomes a b.
template <typename T>
void multiplySmallFloats(ProductDims dims, MatrixView<T> a, MatrixView<T> b, T *c, int64_t rowC);

// A right operand is packed as that of f32 is.
template <typename T>
void packRightSmallFloats(int64_t k, int64_t n, MatrixView<T> b, float *packed);
template <typename T>
void multiplyPackedSmallFloats(ProductDims dims, MatrixView<T> a, const float *packed, T *c,
                               int64_t rowC);

} // namespace sluice::rt
