// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of f32 and f64 matrices, of which every element is one chain over rising k:
// 0, then fma(a, b, chain) for each k. The same bits come out for any size, transposition, packing
// or machine.
//
// On one thread; a thread's first product of some size allocates a workspace that it keeps.
#pragma once

#include "runtime/kernels/matmul_tile.h"

namespace sluice::rt {

struct ProductDims {
  int64_t m, n, k;
};

// c, whose rows are `rowC` apart, becomes a b, or c + a b with the chains in c going on.
template <typename T>
void multiplyMatrices(ProductDims dims, MatrixView<T> a, MatrixView<T> b, T *c, int64_t rowC,
                      bool accumulate);

// A right operand that is used often can be packed once. Elements that its packed form takes at
// most, on any machine; the form is that of the machine, and of use in one process only.
template <typename T> int64_t packedElements(int64_t k, int64_t n) {
  constexpr int64_t kWidth = kPanelColumnsOf<T, LongVectors>;
  static_assert(kWidth % kPanelColumnsOf<T, ShortVectors> == 0);
  return (n + kWidth - 1) / kWidth * kWidth * k;
}
// Panels of k rows; columns beyond n are 0.
template <typename T> void packRight(int64_t k, int64_t n, MatrixView<T> b, T *packed);
// c becomes a b, or onto + a b with the chains in `onto` going on.
template <typename T>
void multiplyPacked(ProductDims dims, MatrixView<T> a, const T *packed, T *c, int64_t rowC,
                    Begins<T> onto = {});

} // namespace sluice::rt
