// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The innermost loop of products of f32 and f64 matrices: a tile of the result that stays in
// registers.
//
// Every element of a result is one chain of fused multiplications and additions over rising k. So
// the shape of a tile, the order of tiles, and blocks of k, whose chains go on where those before
// ended, change no bit of it.
#pragma once

#include <cstdint>
#include <cstring>

namespace sluice::rt {

// Vectors of 32 bytes; on machines without them the compiler takes several smaller ones.
template <typename T> struct VectorOf {
  typedef T type __attribute__((ext_vector_type(32 / sizeof(T))));
};
template <typename T> inline constexpr int kLanes = 32 / sizeof(T);
// Columns of a panel. Panels are what the right operand is cut into.
template <typename T> inline constexpr int kPanelColumns = 2 * kLanes<T>;
// Rows of the greatest tile: 12 accumulators, two vectors of a panel and one of the left operand
// fit into the 16 registers of AVX2.
inline constexpr int kTileRows = 6;

// Vectors are passed by reference, since how they are passed by value depends on the target.
template <typename T> void loadVector(typename VectorOf<T>::type &to, const T *from) {
  std::memcpy(&to, from, sizeof(to));
}
template <typename T> void storeVector(T *to, const typename VectorOf<T>::type &vector) {
  std::memcpy(to, &vector, sizeof(vector));
}

// A matrix in memory; a transposed one has its strides swapped.
template <typename T> struct MatrixView {
  const T *data;
  int64_t rowStride, columnStride;
  MatrixView at(int64_t row, int64_t column) const {
    return {data + row * rowStride + column * columnStride, rowStride, columnStride};
  }
  MatrixView transposed() const { return {data, columnStride, rowStride}; }
};
// Panels one after another, `panelStride` apart; the columns of a panel are neighbours.
template <typename T> struct Panels {
  const T *data;
  int64_t rowStride, panelStride;
  Panels from(int64_t panel) const { return {data + panel * panelStride, rowStride, panelStride}; }
  Panels fromRow(int64_t row) const { return {data + row * rowStride, rowStride, panelStride}; }
};

// kRows rows of c in kPanels panels become a b, or c + a b.
template <typename T, int kRows, int kPanels>
void multiplyTile(int64_t k, MatrixView<T> a, Panels<T> b, T *c, int64_t rowC, bool accumulate) {
  using Vector = typename VectorOf<T>::type;
  constexpr int kVectors = 2 * kPanels;
  Vector sums[kRows][kVectors] = {};
  if (accumulate)
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v)
        loadVector<T>(sums[r][v], c + r * rowC + v * kLanes<T>);
  for (int64_t x = 0; x < k; ++x) {
    Vector right[kVectors];
    for (int v = 0; v < kVectors; ++v)
      loadVector<T>(right[v], b.data + v / 2 * b.panelStride + v % 2 * kLanes<T>);
    for (int r = 0; r < kRows; ++r) {
      const Vector left = a.data[r * a.rowStride];
      for (int v = 0; v < kVectors; ++v)
        sums[r][v] = __builtin_elementwise_fma(left, right[v], sums[r][v]);
    }
    a.data += a.columnStride;
    b.data += b.rowStride;
  }
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v)
      storeVector<T>(c + r * rowC + v * kLanes<T>, sums[r][v]);
}

} // namespace sluice::rt
