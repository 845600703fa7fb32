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
  using Vector = typename VectorOf<T, 32>::type;
  static constexpr int kSide = 32 / sizeof(T);
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

// `to` gets `rows` rows of kWidth elements: `columns` from the matrix, then zeros.
template <typename T, int kWidth>
void packPanel(int64_t rows, int64_t columns, MatrixView<T> from, T *to) {
  constexpr int kSide = Square<T>::kSide;
  int64_t done = 0;
  if (columns == kWidth && from.columnStride == 1) {
    for (; done < rows; ++done)
      std::memcpy(to + done * kWidth, from.at(done, 0).data, kWidth * sizeof(T));
  } else if (columns == kWidth && from.rowStride == 1) {
    done = rows / kSide * kSide;
    for (int column = 0; column < kWidth; column += kSide) // few rows of memory at a time
      for (int64_t row = 0; row < done; row += kSide) {
        Square<T> square;
        for (int i = 0; i < kSide; ++i)
          loadVector(square.rows[i], from.at(row, column + i).data);
        square.transpose();
        for (int i = 0; i < kSide; ++i)
          storeVector(to + (row + i) * kWidth + column, square.rows[i]);
      }
  }
  for (; done < rows; ++done) {
    for (int64_t i = 0; i < columns; ++i)
      to[done * kWidth + i] = *from.at(done, i).data;
    std::fill_n(to + done * kWidth + columns, kWidth - columns, T(0));
  }
}

// Panels of all columns, one after another. Some rows of all panels at a time, so that memory is
// read along its rows.
template <typename T, int kWidth>
void packPanels(int64_t rows, int64_t columns, MatrixView<T> from, T *to) {
  const int64_t some = from.columnStride == 1 ? 8 : rows;
  for (int64_t row = 0; row < rows; row += some)
    for (int64_t column = 0; column < columns; column += kWidth)
      packPanel<T, kWidth>(std::min(some, rows - row), std::min<int64_t>(kWidth, columns - column),
                           from.at(row, column), to + column * rows + row * kWidth);
}

// k times `rows` neighbours, by vectors that overlap.
template <typename T, int kBytes>
void copyNeighbours(int64_t rows, int64_t k, MatrixView<T> from, T *to) {
  typename VectorOf<T, kBytes>::type vector;
  constexpr int64_t kLanes = kBytes / sizeof(T);
  for (int64_t x = 0; x < k; ++x)
    for (int64_t row = 0; row < rows; row += kLanes) {
      const int64_t first = std::min(row, rows - kLanes);
      loadVector(vector, from.at(first, x).data);
      storeVector(to + x * rows + first, vector);
    }
}

// Squares hang over the last row, where what follows is written later, or overlap.
template <typename T> void transposeSquares(int64_t rows, int64_t k, MatrixView<T> from, T *to) {
  constexpr int kSide = Square<T>::kSide;
  for (int64_t row = 0; row < rows; row += kSide) {
    const int64_t first = std::max<int64_t>(0, std::min(row, rows - kSide));
    for (int64_t x = 0; x < k; x += kSide) {
      Square<T> square;
      for (int i = 0; i < kSide; ++i)
        loadVector(square.rows[i], from.at(std::min(first + i, rows - 1), x).data);
      square.transpose();
      for (int i = 0; i < kSide; ++i)
        storeVector(to + (x + i) * rows + first, square.rows[i]);
    }
  }
}

// `to` gets k columns of `rows` neighbouring elements. Up to a square's side behind them is lost.
template <typename T> void packRows(int64_t rows, int64_t k, MatrixView<T> from, T *to) {
  constexpr int kSide = Square<T>::kSide;
  if (from.rowStride == 1 && rows >= kSide)
    return copyNeighbours<T, 32>(rows, k, from, to);
  if (from.rowStride == 1 && rows >= kSide / 2)
    return copyNeighbours<T, 16>(rows, k, from, to);
  int64_t done = 0;
  if (from.columnStride == 1)
    transposeSquares(rows, done = k / kSide * kSide, from, to);
  for (; done < k; ++done)
    for (int64_t i = 0; i < rows; ++i)
      to[done * rows + i] = *from.at(i, done).data;
}

} // namespace sluice::rt
