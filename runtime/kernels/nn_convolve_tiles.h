// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of windows and a filter that read the windows where they lie: rows of a tile begin
// anywhere, and columns are as far behind the beginning of each.
//
// Sums are those of the products of matrices (matmul_real.h).
#pragma once

#include "runtime/kernels/matmul_tile.h"
#include "runtime/kernels/nn_rows.h"

namespace sluice::rt {

// Whether the rows are windows of a plane, of images of one or two dims, and reach no further around
// it than is worth writing zeros.
template <typename T> bool canMultiplyInPlace(const WindowRows<T> &rows);

// c, whose rows are `rowC` apart, becomes the product of all rows and the filter's n columns.
template <typename T>
void multiplyInPlace(const WindowRows<T> &rows, int64_t n, MatrixView<T> filter, T *c,
                     int64_t rowC);

} // namespace sluice::rt
