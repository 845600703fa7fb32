// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by the widest vectors of the machine, and those that are not worth any.
#include "runtime/kernels/matmul_real.h"

#include "runtime/kernels/matmul_blocks.h"
#include "runtime/kernels/matmul_level.h"

namespace sluice::rt {
namespace {

// So few products are not worth tiles.
constexpr int64_t kFewProducts = 100;

template <typename T>
void multiplyFew(ProductDims dims, MatrixView<T> a, MatrixView<T> b, T *c, int64_t rowC,
                 Begins<T> begins) {
  for (int64_t i = 0; i < dims.m; ++i)
    for (int64_t j = 0; j < dims.n; ++j) {
      T chain = begins.data ? *begins.at(i, j).data : T(0);
      for (int64_t x = 0; x < dims.k; ++x)
        chain = __builtin_elementwise_fma(*a.at(i, x).data, *b.at(x, j).data, chain);
      c[i * rowC + j] = chain;
    }
}

// Calls `function` with the vectors to use.
template <typename Function> void byVectors(Function function) {
  if (productLevel() == ProductLevel::kLongVectors)
    function(LongVectors());
  else
    function(ShortVectors());
}

} // namespace

template <typename T> void packRight(int64_t k, int64_t n, MatrixView<T> b, T *packed) {
  byVectors([&](auto vectors) { Blocks<T, decltype(vectors)>::packRight(k, n, b, packed); });
}

template <typename T>
void multiplyPacked(ProductDims dims, MatrixView<T> a, const T *packed, T *c, int64_t rowC,
                    Begins<T> onto) {
  if (dims.k == 0)
    return multiplyFew<T>(dims, a, {}, c, rowC, onto);
  byVectors([&](auto vectors) {
    Blocks<T, decltype(vectors)>::multiplyPacked(dims, a, packed, c, rowC, onto);
  });
}

template <typename T>
void multiplyMatrices(ProductDims dims, MatrixView<T> a, MatrixView<T> b, T *c, int64_t rowC,
                      bool accumulate) {
  const int64_t chains = dims.m * dims.n;
  const Begins<T> begins = accumulate ? Begins<T>{c, rowC} : Begins<T>{};
  if (chains <= 1 || dims.k == 0 || chains <= kFewProducts / dims.k)
    return multiplyFew(dims, a, b, c, rowC, begins);
  if (dims.n == 1 && rowC == 1) // the same as its transpose, whose single row fills vectors
    return multiplyMatrices<T>({1, dims.m, dims.k}, b.transposed(), a.transposed(), c, dims.m,
                               accumulate);
  byVectors(
      [&](auto vectors) { Blocks<T, decltype(vectors)>::multiply(dims, a, b, c, rowC, begins); });
}

#define SLUICE_DEFINE_PRODUCTS(T)                                                                  \
  template void multiplyMatrices<T>(ProductDims, MatrixView<T>, MatrixView<T>, T *, int64_t,       \
                                    bool);                                                         \
  template void packRight<T>(int64_t, int64_t, MatrixView<T>, T *);                                \
  template void multiplyPacked<T>(ProductDims, MatrixView<T>, const T *, T *, int64_t, Begins<T>);
SLUICE_DEFINE_PRODUCTS(float)
SLUICE_DEFINE_PRODUCTS(double)
#undef SLUICE_DEFINE_PRODUCTS

} // namespace sluice::rt
