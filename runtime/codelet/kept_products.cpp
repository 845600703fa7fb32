// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products onto a sum that are multiplied in blocks.
#include "runtime/codelet/support.h"
#include "runtime/kernels/matmul_real.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {
namespace {

// What is kept of products: so many rows of a, transposed, and of b.
template <typename T> class Kept {
public:
  Kept(void *memory, int64_t m, int64_t n)
      : rows_(*static_cast<int64_t *>(memory)), m_(m), n_(n),
        left_(reinterpret_cast<T *>(static_cast<char *>(memory) + kHeader)),
        right_(left_ + kSluiceProductRows * m) {}
  static int64_t bytes(int64_t m, int64_t n) {
    return kHeader + kSluiceProductRows * (m + n) * static_cast<int64_t>(sizeof(T));
  }

  void add(int64_t k, MatrixView<T> a, MatrixView<T> b, T *c, int64_t rowC) {
    for (int64_t x = 0; x < k;) {
      int64_t count = std::min(k - x, kSluiceProductRows - rows_);
      keep(count, a.at(0, x).transposed(), m_, left_ + rows_ * m_);
      keep(count, b.at(x, 0), n_, right_ + rows_ * n_);
      rows_ += count;
      x += count;
      if (rows_ == kSluiceProductRows)
        multiply(c, rowC);
    }
  }
  void multiply(T *c, int64_t rowC) {
    if (rows_ > 0)
      multiplyMatrices<T>({m_, n_, rows_}, {left_, 1, m_}, {right_, n_, 1}, c, rowC, true);
    rows_ = 0;
  }

private:
  static constexpr int64_t kHeader = 64;

  static void keep(int64_t rows, MatrixView<T> from, int64_t columns, T *to) {
    for (int64_t i = 0; i < rows; ++i, to += columns) {
      const T *row = from.at(i, 0).data;
      if (from.columnStride == 1)
        std::memcpy(to, row, static_cast<size_t>(columns) * sizeof(T));
      else
        for (int64_t j = 0; j < columns; ++j)
          to[j] = row[j * from.columnStride];
    }
  }

  int64_t &rows_;
  int64_t m_, n_;
  T *left_, *right_;
};

template <typename T> MatrixView<T> viewOf(const T *data, int64_t rowStride, bool transposed) {
  const MatrixView<T> view{data, rowStride, 1};
  return transposed ? view.transposed() : view;
}

} // namespace
} // namespace sluice::rt

using namespace sluice::rt;

#define SLUICE_DEFINE_KEPT_PRODUCTS(T, N)                                                          \
  int64_t sluice_kept_bytes_##N(int64_t m, int64_t n) { return Kept<T>::bytes(m, n); }             \
  void sluice_gemm_keep_##N(int64_t m, int64_t n, int64_t k, const T *a, int64_t lda,              \
                            int32_t transposeA, const T *b, int64_t ldb, int32_t transposeB, T *c, \
                            int64_t ldc, void *kept) {                                             \
    Kept<T>(kept, m, n).add(k, viewOf(a, lda, transposeA), viewOf(b, ldb, transposeB), c, ldc);    \
  }                                                                                                \
  void sluice_gemm_kept_##N(int64_t m, int64_t n, T *c, int64_t ldc, void *kept) {                 \
    Kept<T>(kept, m, n).multiply(c, ldc);                                                          \
  }
SLUICE_DEFINE_KEPT_PRODUCTS(float, f32)
SLUICE_DEFINE_KEPT_PRODUCTS(double, f64)
