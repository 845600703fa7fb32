// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of products: what is packed, and which tiles are multiplied in which order. Sizes of
// blocks fit the caches of usual machines; on others they cost time, never bits.
#include "runtime/kernels/matmul_real.h"

#include "runtime/kernels/matmul_pack.h"

#include <memory>

namespace sluice::rt {
namespace {

// How much of the right operand is packed at a time. A great block serves many rows of the left one
// from the second cache, its panels each from the first. A small block stays in the first: for rows
// so few that it is used but once.
struct BlockSize {
  int64_t depth, columns;
};
constexpr BlockSize kGreatBlock{256, 512}, kSmallBlock{64, 64};
constexpr int64_t kRowsOfSmallBlocks = 3;
// With so few rows, packing a right operand whose rows lie together costs more than it saves.
constexpr int64_t kFewRows = 11;
// From so many rows and columns on, packing the left operand costs less than it saves.
constexpr int64_t kManyRows = 64, kManyColumns = 128;
// Rows of the left operand that are packed at a time.
constexpr int64_t kBlockRows = 16 * kTileRows;
// So few products are not worth tiles.
constexpr int64_t kFewProducts = 100;

// Memory of a thread for packed blocks.
template <typename T> struct alignas(64) Workspace {
  T left[kBlockRows * kGreatBlock.depth];
  T right[kGreatBlock.columns * kGreatBlock.depth];
};
template <typename T> Workspace<T> &workspace() {
  thread_local std::unique_ptr<Workspace<T>> mine;
  if (!mine)
    mine.reset(new Workspace<T>); // not initialised
  return *mine;
}

// A part of a product that needs no more packing: some rows, all panels, and so much of k.
template <typename T> struct Part {
  ProductDims dims;
  MatrixView<T> a;
  bool leftIsPacked; // by packLeft; else a is as it was given
  Panels<T> b;
  T *c;
  int64_t rowC;
  bool accumulate;

  MatrixView<T> left(int64_t row, int64_t rows) const {
    return leftIsPacked ? MatrixView<T>{a.data + row * dims.k, 1, rows} : a.at(row, 0);
  }
};

// Rows are shared out among as few tiles as possible, evenly.
int64_t tilesOf(int64_t rows) { return (rows + kTileRows - 1) / kTileRows; }
int64_t firstRowOf(int64_t tile, int64_t rows) { return tile * rows / tilesOf(rows); }

template <typename T>
using TileFn = void (*)(int64_t k, MatrixView<T> a, Panels<T> b, T *c, int64_t rowC,
                        bool accumulate);
template <typename T> TileFn<T> tileOfOnePanel(int64_t rows) {
  static constexpr TileFn<T> kTiles[kTileRows] = {multiplyTile<T, 1, 1>, multiplyTile<T, 2, 1>,
                                                  multiplyTile<T, 3, 1>, multiplyTile<T, 4, 1>,
                                                  multiplyTile<T, 5, 1>, multiplyTile<T, 6, 1>};
  return kTiles[rows - 1];
}

// The last panel is only partly of the result, so its tiles go through a full one.
template <typename T>
void multiplyNarrowTile(const Part<T> &p, int64_t row, int64_t rows, Panels<T> b, int64_t width,
                        T *c) {
  constexpr int64_t kWidth = kPanelColumns<T>;
  T full[kTileRows * kWidth] = {};
  if (p.accumulate)
    for (int64_t i = 0; i < rows; ++i)
      std::copy_n(c + i * p.rowC, width, full + i * kWidth);
  tileOfOnePanel<T>(rows)(p.dims.k, p.left(row, rows), b, full, kWidth, p.accumulate);
  for (int64_t i = 0; i < rows; ++i)
    std::copy_n(full + i * kWidth, width, c + i * p.rowC);
}

template <typename T> void multiplyPanel(const Part<T> &p, int64_t panel) {
  constexpr int64_t kWidth = kPanelColumns<T>;
  const int64_t column = panel * kWidth, width = std::min(kWidth, p.dims.n - column);
  const Panels<T> b = p.b.from(panel);
  for (int64_t tile = 0; tile < tilesOf(p.dims.m); ++tile) {
    const int64_t row = firstRowOf(tile, p.dims.m), rows = firstRowOf(tile + 1, p.dims.m) - row;
    T *c = p.c + row * p.rowC + column;
    if (width == kWidth)
      tileOfOnePanel<T>(rows)(p.dims.k, p.left(row, rows), b, c, p.rowC, p.accumulate);
    else
      multiplyNarrowTile(p, row, rows, b, width, c);
  }
}

// Few rows take several panels at once, since the chains of one would wait for each other.
template <typename T, int kRows, int kPanels>
void multiplyWideTiles(const Part<T> &p, int64_t &panel) {
  constexpr int64_t kWidth = kPanelColumns<T>;
  for (; panel + kPanels <= p.dims.n / kWidth; panel += kPanels)
    multiplyTile<T, kRows, kPanels>(p.dims.k, p.left(0, kRows), p.b.from(panel),
                                    p.c + panel * kWidth, p.rowC, p.accumulate);
}

template <typename T> void multiplyPart(const Part<T> &p) {
  int64_t panel = 0;
  if (p.dims.m == 1) {
    multiplyWideTiles<T, 1, 6>(p, panel);
    multiplyWideTiles<T, 1, 4>(p, panel);
    multiplyWideTiles<T, 1, 2>(p, panel);
  } else if (p.dims.m == 2) {
    multiplyWideTiles<T, 2, 3>(p, panel);
  } else if (p.dims.m == 3) {
    multiplyWideTiles<T, 3, 2>(p, panel);
  }
  for (; panel * kPanelColumns<T> < p.dims.n; ++panel)
    multiplyPanel(p, panel);
}

template <typename T> void packLeft(ProductDims dims, MatrixView<T> a, T *to) {
  for (int64_t tile = 0; tile < tilesOf(dims.m); ++tile) {
    const int64_t row = firstRowOf(tile, dims.m), rows = firstRowOf(tile + 1, dims.m) - row;
    packRows(rows, dims.k, a.at(row, 0), to + row * dims.k);
  }
}

// One block of k: packs the left operand where that pays.
template <typename T> void multiplyBlock(Part<T> p) {
  if (p.dims.m < kManyRows || p.dims.n < kManyColumns)
    return multiplyPart(p);
  T *packed = workspace<T>().left;
  for (int64_t row = 0; row < p.dims.m; row += kBlockRows) {
    Part<T> rows = p;
    rows.dims.m = std::min(kBlockRows, p.dims.m - row);
    packLeft(rows.dims, p.a.at(row, 0), packed);
    rows.a.data = packed;
    rows.leftIsPacked = true;
    rows.c += row * p.rowC;
    multiplyPart(rows);
  }
}

// The right operand as it is: its rows hold neighbours. The columns that fill no panel are packed.
template <typename T> void multiplyInPlace(Part<T> p, MatrixView<T> b) {
  constexpr int64_t kWidth = kPanelColumns<T>;
  const int64_t full = p.dims.n / kWidth * kWidth, rest = p.dims.n - full;
  p.b = {b.data, b.rowStride, kWidth};
  if (full) {
    Part<T> panels = p;
    panels.dims.n = full;
    multiplyPart(panels);
  }
  if (rest == 0)
    return;
  T *packed = workspace<T>().right;
  const int64_t k = p.dims.k;
  p.b = {packed, kWidth, 0};
  p.c += full;
  p.dims.n = rest;
  for (int64_t x = 0; x < k; x += kGreatBlock.depth, p.accumulate = true) {
    p.dims.k = std::min(kGreatBlock.depth, k - x);
    packPanel(p.dims.k, rest, b.at(x, full), packed);
    multiplyPart(p);
    p.a = p.a.at(0, p.dims.k);
  }
}

template <typename T>
void multiplyFew(ProductDims dims, MatrixView<T> a, MatrixView<T> b, T *c, int64_t rowC,
                 bool accumulate) {
  for (int64_t i = 0; i < dims.m; ++i)
    for (int64_t j = 0; j < dims.n; ++j) {
      T chain = accumulate ? c[i * rowC + j] : T(0);
      for (int64_t x = 0; x < dims.k; ++x)
        chain = __builtin_elementwise_fma(*a.at(i, x).data, *b.at(x, j).data, chain);
      c[i * rowC + j] = chain;
    }
}

} // namespace

template <typename T> void packRight(int64_t k, int64_t n, MatrixView<T> b, T *packed) {
  constexpr int64_t kWidth = kPanelColumns<T>;
  for (int64_t column = 0; column < n; column += kWidth)
    packPanel(k, std::min(kWidth, n - column), b.at(0, column), packed + column * k);
}

template <typename T>
void multiplyPacked(ProductDims dims, MatrixView<T> a, const T *packed, T *c, int64_t rowC,
                    bool accumulate) {
  constexpr int64_t kWidth = kPanelColumns<T>;
  if (dims.k == 0)
    return multiplyFew<T>(dims, a, {}, c, rowC, accumulate);
  const Panels<T> b{packed, kWidth, kWidth * dims.k};
  // Few rows leave no block to be reused.
  const int64_t depth = dims.m <= kTileRows ? dims.k : kGreatBlock.depth;
  for (int64_t x = 0; x < dims.k; x += depth, accumulate = true) {
    const ProductDims block{dims.m, dims.n, std::min(depth, dims.k - x)};
    multiplyBlock<T>({block, a.at(0, x), false, b.fromRow(x), c, rowC, accumulate});
  }
}

template <typename T>
void multiplyMatrices(ProductDims dims, MatrixView<T> a, MatrixView<T> b, T *c, int64_t rowC,
                      bool accumulate) {
  constexpr int64_t kWidth = kPanelColumns<T>;
  const int64_t chains = dims.m * dims.n;
  if (chains <= 1 || dims.k == 0 || chains <= kFewProducts / dims.k)
    return multiplyFew(dims, a, b, c, rowC, accumulate);
  if (dims.n == 1 && rowC == 1) // the same as its transpose, whose single row fills vectors
    return multiplyMatrices<T>({1, dims.m, dims.k}, b.transposed(), a.transposed(), c, dims.m,
                               accumulate);
  if (dims.m <= kFewRows && b.columnStride == 1)
    return multiplyInPlace<T>({dims, a, false, {}, c, rowC, accumulate}, b);
  const BlockSize size = dims.m <= kRowsOfSmallBlocks ? kSmallBlock : kGreatBlock;
  T *packed = workspace<T>().right;
  for (int64_t column = 0; column < dims.n; column += size.columns) {
    bool continues = accumulate;
    for (int64_t x = 0; x < dims.k; x += size.depth, continues = true) {
      const ProductDims block{dims.m, std::min(size.columns, dims.n - column),
                              std::min(size.depth, dims.k - x)};
      packRight(block.k, block.n, b.at(x, column), packed);
      multiplyBlock<T>({block,
                        a.at(0, x),
                        false,
                        {packed, kWidth, kWidth * block.k},
                        c + column,
                        rowC,
                        continues});
    }
  }
}

#define SLUICE_DEFINE_PRODUCTS(T)                                                                  \
  template void multiplyMatrices<T>(ProductDims, MatrixView<T>, MatrixView<T>, T *, int64_t,       \
                                    bool);                                                         \
  template void packRight<T>(int64_t, int64_t, MatrixView<T>, T *);                                \
  template void multiplyPacked<T>(ProductDims, MatrixView<T>, const T *, T *, int64_t, bool);
SLUICE_DEFINE_PRODUCTS(float)
SLUICE_DEFINE_PRODUCTS(double)
#undef SLUICE_DEFINE_PRODUCTS

} // namespace sluice::rt
