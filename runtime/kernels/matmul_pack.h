// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies blocks of matrices into panels, transposing squares in registers where rows of the panel
// lie apart in the matrix.
#pragma once

#include "runtime/kernels/matmul_tile.h"

#include <algorithm>
#include <utility>

namespace sluice::rt {

// Rows become columns: exchanges halves of rows that are 1, 2, … apart.
template <typename T> struct Square {
  using Vector = typename VectorOf<T>::type;
  static constexpr int kSide = kLanes<T>;
  Vector rows[kSide];

  void transpose() { exchange<1>(); }

private:
  // Rows whose number differs in the bit `apart`: the low one gets the elements of both whose
  // column has it not, the high one those whose column has it.
  template <int apart, size_t... i>
  static void mix(Vector &low, Vector &high, std::index_sequence<i...>) {
    const Vector first = low;
    low = __builtin_shufflevector(first, high, ((i & apart ? kSide : 0) + (i & ~size_t{apart}))...);
    high = __builtin_shufflevector(first, high, ((i & apart ? kSide : 0) + (i | apart))...);
  }
  template <int apart> void exchange() {
    for (int row = 0; row < kSide; ++row)
      if (!(row & apart))
        mix<apart>(rows[row], rows[row + apart], std::make_index_sequence<kSide>());
    if constexpr (2 * apart < kSide)
      exchange<2 * apart>();
  }
};

// `to` gets `rows` rows of kPanelColumns elements: `columns` from the matrix, then zeros.
template <typename T> void packPanel(int64_t rows, int64_t columns, MatrixView<T> from, T *to) {
  constexpr int64_t kWidth = kPanelColumns<T>;
  constexpr int kSide = kLanes<T>;
  int64_t done = 0;
  if (columns == kWidth && from.columnStride == 1) {
    for (; done < rows; ++done)
      std::memcpy(to + done * kWidth, from.at(done, 0).data, kWidth * sizeof(T));
  } else if (columns == kWidth && from.rowStride == 1) {
    for (; done + kSide <= rows; done += kSide)
      for (int half = 0; half < 2; ++half) {
        Square<T> square;
        for (int i = 0; i < kSide; ++i)
          loadVector<T>(square.rows[i], from.at(done, half * kSide + i).data);
        square.transpose();
        for (int i = 0; i < kSide; ++i)
          storeVector<T>(to + (done + i) * kWidth + half * kSide, square.rows[i]);
      }
  }
  for (; done < rows; ++done) {
    for (int64_t i = 0; i < columns; ++i)
      to[done * kWidth + i] = *from.at(done, i).data;
    std::fill_n(to + done * kWidth + columns, kWidth - columns, T(0));
  }
}

// `to` gets k columns of `rows` neighbouring elements.
template <typename T> void packRows(int64_t rows, int64_t k, MatrixView<T> from, T *to) {
  if (from.rowStride == 1) { // neighbours already: a transposed matrix
    for (int64_t x = 0; x < k; ++x)
      for (int64_t i = 0; i < rows; ++i)
        to[x * rows + i] = from.data[x * from.columnStride + i];
    return;
  }
  for (int64_t i = 0; i < rows; ++i) {
    const T *row = from.at(i, 0).data;
    for (int64_t x = 0; x < k; ++x)
      to[x * rows + i] = row[x * from.columnStride];
  }
}

} // namespace sluice::rt
