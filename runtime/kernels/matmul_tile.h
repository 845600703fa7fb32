// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The innermost loop of products of f32 and f64 matrices: a tile of the result that stays in
// registers, for each kind of vectors that a machine may have.
//
// Every element of a result is one chain of fused multiplications and additions over rising k. So
// the shape of a tile, the order of tiles, and blocks of k, whose chains go on where those before
// ended, change no bit of it.
#pragma once

#include <cstdint>
#include <cstring>

namespace sluice::rt {

template <typename T, int kBytes> struct VectorOf {
  typedef T type __attribute__((ext_vector_type(kBytes / sizeof(T))));
};

// Vectors are passed by reference, since how they are passed by value depends on the target.
template <typename Vector, typename T>
[[gnu::always_inline]] inline void loadVector(Vector &to, const T *from) {
  std::memcpy(&to, from, sizeof(to));
}
template <typename Vector, typename T>
[[gnu::always_inline]] inline void storeVector(T *to, const Vector &vector) {
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

// What the chains of a result go on from, which may be that result; without data they begin with 0.
template <typename T> struct Begins {
  const T *data = nullptr;
  int64_t rowStride = 0;
  Begins at(int64_t row, int64_t column) const {
    return data ? Begins{data + row * rowStride + column, rowStride} : Begins{};
  }
};

// What a tile is made from.
template <typename T> struct TileOperands {
  int64_t k;
  MatrixView<T> a;
  Panels<T> b;
  T *c; // its rows are `rowC` apart
  int64_t rowC;
  Begins<T> begins;
};

// Vectors that a panel is wide. Panels are what the right operand is cut into.
inline constexpr int kPanelVectors = 2;

// kRows rows and kVectors vectors of c become what they begin with, + a b. A packed left operand
// has its rows side by side.
template <typename T, int kBytes, int kRows, int kVectors, bool kLeftIsPacked>
[[gnu::always_inline]] inline void multiplyTile(const TileOperands<T> &p) {
  using Vector = typename VectorOf<T, kBytes>::type;
  constexpr int kLanes = kBytes / sizeof(T);
  const T *a = p.a.data, *b = p.b.data;
  const int64_t rowA = kLeftIsPacked ? 1 : p.a.rowStride;
  const int64_t columnA = kLeftIsPacked ? kRows : p.a.columnStride;
  const int64_t rowB = p.b.rowStride, panelB = p.b.panelStride, rowC = p.rowC;
  T *c = p.c;
  // Bytes that are asked for before they are needed. Few rows take a panel as fast as it comes, so
  // that what is asked for long before is in the way of what is needed next.
  constexpr int64_t kAhead = kRows <= 3 ? 256 : 3072, kAheadInPlace = kRows == 1 ? 1024 : 3072;
  const int64_t ahead =
      (rowB == kPanelVectors * kLanes ? kAhead : kAheadInPlace) / static_cast<int64_t>(sizeof(T));
  Vector sums[kRows][kVectors] = {};
  if (p.begins.data)
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v)
        loadVector(sums[r][v], p.begins.data + r * p.begins.rowStride + v * kLanes);
  for (int64_t x = 0; x < p.k; ++x) {
    for (int v = 0; v < kVectors; v += 64 / kBytes)
      __builtin_prefetch(b + v / kPanelVectors * panelB + v % kPanelVectors * kLanes + ahead);
    // Registers hold the smaller one of a column of the left operand and a row of the right one.
    if constexpr (kRows < kVectors) {
      Vector left[kRows];
      for (int r = 0; r < kRows; ++r)
        left[r] = Vector{} + a[r * rowA];
      for (int v = 0; v < kVectors; ++v) {
        Vector right;
        loadVector(right, b + v / kPanelVectors * panelB + v % kPanelVectors * kLanes);
        for (int r = 0; r < kRows; ++r)
          sums[r][v] = __builtin_elementwise_fma(left[r], right, sums[r][v]);
      }
    } else {
      Vector right[kVectors];
      for (int v = 0; v < kVectors; ++v)
        loadVector(right[v], b + v / kPanelVectors * panelB + v % kPanelVectors * kLanes);
      for (int r = 0; r < kRows; ++r) {
        const Vector left = a[r * rowA];
        for (int v = 0; v < kVectors; ++v)
          sums[r][v] = __builtin_elementwise_fma(left, right[v], sums[r][v]);
      }
    }
    a += columnA;
    b += rowB;
  }
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v)
      storeVector(c + r * rowC + v * kLanes, sums[r][v]);
}

// Vectors of 32 bytes, 16 of them: AVX2. Where there are none the compiler takes several smaller
// ones.
struct ShortVectors {
  static constexpr int kBytes = 32;
  // Rows of the greatest tile: 12 accumulators, two vectors of a panel and one of the left operand
  // fit into the registers.
  static constexpr int kTileRows = 6;
  // So many vectors of one row, of two and three at once: the chains of less would wait for each
  // other.
  static constexpr int kVectorsOfRows[] = {14, 4, 4};

  template <typename T, int kRows, int kVectors, bool kLeftIsPacked>
  static void tile(const TileOperands<T> &p) {
    multiplyTile<T, kBytes, kRows, kVectors, kLeftIsPacked>(p);
  }
};

#if defined(__x86_64__)
#define SLUICE_LONG_VECTORS [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]]
#else
#define SLUICE_LONG_VECTORS
#endif

// Vectors of 64 bytes, 32 of them: AVX-512.
struct LongVectors {
  static constexpr int kBytes = 64;
  static constexpr int kTileRows = 14;
  static constexpr int kVectorsOfRows[] = {16, 8, 6};

  template <typename T, int kRows, int kVectors, bool kLeftIsPacked>
  SLUICE_LONG_VECTORS static void tile(const TileOperands<T> &p) {
    multiplyTile<T, kBytes, kRows, kVectors, kLeftIsPacked>(p);
  }
};

template <typename T, typename Vectors>
inline constexpr int kLanesOf = Vectors::kBytes / static_cast<int>(sizeof(T));
template <typename T, typename Vectors>
inline constexpr int kPanelColumnsOf = kPanelVectors * kLanesOf<T, Vectors>;

} // namespace sluice::rt
