// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices of 16-bit floats: blocks of operands become f32, are multiplied as such, and
// blocks of the result are rounded when their chains are complete.
#include "runtime/kernels/matmul_small.h"

#include "runtime/base/dtype.h"
#include "runtime/base/float_bits.h"
#include "runtime/base/pieces.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kRows = 64, kColumns = 256, kDepth = 256;

// What a thread keeps for its next product.
struct Workspace {
  std::vector<float> left, right, result;
};
Workspace &workspace() {
  thread_local Workspace mine;
  return mine;
}
float *ofSize(std::vector<float> &memory, int64_t elements) {
  if (memory.size() < static_cast<size_t>(elements))
    memory.resize(static_cast<size_t>(elements));
  return memory.data();
}

// Of a block, by the multiplications.
int64_t costOfRows(int64_t rows, int64_t columns, int64_t depth) {
  return 1 + costOfAll(rows * columns, costOfAll(depth, 1)) / 8;
}

// Not the conversions of dtype.h, which are calls.
inline float widened(Half x) { return floatOfHalf(Bits{x.bits}); }
inline float widened(BFloat16 x) { return floatOfBFloat16(Bits{x.bits}); }
inline void narrow(float x, Half &to) { to.bits = static_cast<uint16_t>(halfOfFloat(x).value); }
inline void narrow(float x, BFloat16 &to) {
  to.bits = static_cast<uint16_t>(bfloat16OfFloat(x).value);
}

// The part of a matrix as f32, in memory for it; what lies side by side stays so.
template <typename T>
MatrixView<float> widen(MatrixView<T> from, int64_t rows, int64_t columns, float *to) {
  if (from.columnStride != 1 && from.rowStride == 1)
    return widen(from.transposed(), columns, rows, to).transposed();
  for (int64_t i = 0; i < rows; ++i) {
    const T *row = from.at(i, 0).data;
    for (int64_t j = 0; j < columns; ++j)
      to[i * columns + j] = widened(row[j * from.columnStride]);
  }
  return {to, columns, 1};
}
template <typename T>
void narrow(const float *from, int64_t rows, int64_t columns, T *to, int64_t rowTo) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      narrow(from[i * columns + j], to[i * rowTo + j]);
}

} // namespace

template <typename T>
void multiplySmallFloats(ProductDims dims, MatrixView<T> a, MatrixView<T> b, T *c, int64_t rowC) {
  const int64_t blocks = (dims.m + kRows - 1) / kRows;
  forPieces((dims.n + kColumns - 1) / kColumns * blocks, costOfRows(kRows, kColumns, dims.k),
            [=](int64_t begin, int64_t end) {
              float *left = ofSize(workspace().left, kRows * kDepth);
              float *right = ofSize(workspace().right, kDepth * kColumns);
              float *result = ofSize(workspace().result, kRows * kColumns);
              for (; begin < end; ++begin) {
                const int64_t column = begin / blocks * kColumns, row = begin % blocks * kRows;
                ProductDims block{std::min(kRows, dims.m - row),
                                  std::min(kColumns, dims.n - column), 0};
                int64_t x = 0;
                do { // also for a k of 0, where chains are 0
                  block.k = std::min(kDepth, dims.k - x);
                  multiplyMatrices<float>(block, widen(a.at(row, x), block.m, block.k, left),
                                          widen(b.at(x, column), block.k, block.n, right), result,
                                          block.n, x > 0);
                } while ((x += kDepth) < dims.k);
                narrow(result, block.m, block.n, c + row * rowC + column, rowC);
              }
            });
}

template <typename T>
void packRightSmallFloats(int64_t k, int64_t n, MatrixView<T> b, float *packed) {
  constexpr int64_t kWidth = kPanelColumnsOf<float, LongVectors>; // whole panels of any level
  forPieces((n + kWidth - 1) / kWidth, costOfAll(k, 4 * kWidth), [=](int64_t begin, int64_t end) {
    float *right = ofSize(workspace().right, k * kWidth);
    for (; begin < end; ++begin) {
      const int64_t column = begin * kWidth, width = std::min(kWidth, n - column);
      packRight<float>(k, width, widen(b.at(0, column), k, width, right), packed + column * k);
    }
  });
}

template <typename T>
void multiplyPackedSmallFloats(ProductDims dims, MatrixView<T> a, const float *packed, T *c,
                               int64_t rowC) {
  const int64_t rows = std::min(kRows, dims.m);
  if (rows == 0)
    return;
  forPieces((dims.m + rows - 1) / rows, costOfRows(rows, dims.n, dims.k),
            [=](int64_t begin, int64_t end) {
              float *left = ofSize(workspace().left, rows * dims.k);
              float *result = ofSize(workspace().result, rows * dims.n);
              for (; begin < end; ++begin) {
                const int64_t row = begin * rows;
                const ProductDims block{std::min(rows, dims.m - row), dims.n, dims.k};
                multiplyPacked<float>(block, widen(a.at(row, 0), block.m, block.k, left), packed,
                                      result, block.n);
                narrow(result, block.m, block.n, c + row * rowC, rowC);
              }
            });
}

#define SLUICE_DEFINE_PRODUCTS(T)                                                                  \
  template void multiplySmallFloats<T>(ProductDims, MatrixView<T>, MatrixView<T>, T *, int64_t);   \
  template void packRightSmallFloats<T>(int64_t, int64_t, MatrixView<T>, float *);                 \
  template void multiplyPackedSmallFloats<T>(ProductDims, MatrixView<T>, const float *, T *,       \
                                             int64_t);
SLUICE_DEFINE_PRODUCTS(Half)
SLUICE_DEFINE_PRODUCTS(BFloat16)
#undef SLUICE_DEFINE_PRODUCTS

} // namespace sluice::rt
