// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of products: what is packed, and which tiles are multiplied in which order. Sizes of
// blocks fit the caches of usual machines; on others they cost time, never bits.
#pragma once

#include "runtime/base/cancellation.h"
#include "runtime/base/parallel.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/matmul_pack.h"
#include "runtime/kernels/matmul_real.h"

#include <cstdlib>
#include <memory>
#include <utility>

namespace sluice::rt {

// Products by vectors of one kind.
template <typename T, typename Vectors> class Blocks {
public:
  static constexpr int64_t kWidth = kPanelColumnsOf<T, Vectors>;

  static void packRight(int64_t k, int64_t n, MatrixView<T> b, T *packed) {
    packPanels<T, kWidth>(k, n, b, packed);
  }

  static void multiplyPacked(ProductDims dims, MatrixView<T> a, const T *packed, T *c, int64_t rowC,
                             Begins<T> begins) {
    const Panels<T> b{packed, kWidth, kWidth * dims.k};
    // Few rows leave no block to be reused.
    const int64_t depth = dims.m <= kRowsInPlace ? dims.k : kGreatBlock.depth;
    forPieces(dims, [&](int64_t row, int64_t column, ProductDims piece) {
      T *to = c + row * rowC + column;
      Begins<T> next = begins.at(row, column);
      for (int64_t x = 0; x < dims.k; x += depth, next = {to, rowC}) {
        const ProductDims block{piece.m, piece.n, std::min(depth, dims.k - x)};
        multiplyBlock(
            {block, a.at(row, x), false, b.from(column / kWidth).fromRow(x), to, rowC, next});
      }
    });
  }

  static void multiply(ProductDims dims, MatrixView<T> a, MatrixView<T> b, T *c, int64_t rowC,
                       Begins<T> begins) {
    if (dims.m > kBlockRows)
      return multiplyByBlocks(dims, a, b, c, rowC, begins);
    forPieces(dims, [&](int64_t, int64_t column, ProductDims piece) {
      const Begins<T> own = begins.at(0, column);
      if (dims.m <= kFewRows && b.columnStride == 1)
        multiplyInPlace({piece, a, false, {}, c + column, rowC, own}, b.at(0, column));
      else
        multiplyByBlocks(piece, a, b.at(0, column), c + column, rowC, own);
    });
  }

private:
  static constexpr int64_t elementsOf(int64_t bytes) {
    return bytes / static_cast<int64_t>(sizeof(T));
  }
  // How much of the right operand is packed at a time. A great block serves many rows of the left
  // one from the third cache, some panels at a time from the second. A small block stays in the
  // first: for rows so few that it is used but once.
  struct BlockSize {
    int64_t depth, columns;
  };
  static constexpr BlockSize kGreatBlock{elementsOf(2048), 1024}, kSmallBlock{64, 64};
  static constexpr int64_t kNearPanels = elementsOf(1024) / kWidth;
  static constexpr int64_t kRowsOfSmallBlocks = 3;
  // With so few rows, packing a right operand whose rows lie together costs more than it saves.
  static constexpr int64_t kFewRows = 11;
  // So many rows of it are read along before the next ones.
  static constexpr int64_t kDepthInPlace = 2 * Vectors::kBytes;
  // Tiles of so many rows read a left operand that is not packed.
  static constexpr int64_t kRowsInPlace = 6;
  // From so many columns on, packing the left operand costs less than it saves.
  static constexpr int64_t kManyColumns = 64;
  // Rows of the left operand that are packed at a time.
  static constexpr int64_t kBlockRows = 112 / Vectors::kTileRows * Vectors::kTileRows;

  // Memory of a thread for packed blocks.
  struct alignas(64) Workspace {
    T left[kBlockRows * kGreatBlock.depth + Square<T>::kSide];
    alignas(64) T right[kGreatBlock.columns * kGreatBlock.depth];
  };
  static Workspace &workspace() {
    constexpr size_t kAlignment = 4096,
                     kBytes = (sizeof(Workspace) + kAlignment - 1) / kAlignment * kAlignment;
    thread_local std::unique_ptr<void, decltype(&std::free)> mine(nullptr, std::free);
    if (!mine && !(mine = {std::aligned_alloc(kAlignment, kBytes), std::free}))
      std::abort();
    return *static_cast<Workspace *>(mine.get());
  }

  // Pieces of products, for several threads: of about so many rows, or of so many columns if there
  // are no more rows than fit a block.
  static constexpr int64_t kPieceRows = kBlockRows / 2, kPieceColumns = 256;
  // So many multiplications are a unit of cost (runtime/base/parallel.h).
  static constexpr int64_t kProductsOfCost = 8 * sizeof(float) / sizeof(T);
  // The right operand comes from memory in the time in which so many rows are multiplied by it.
  static constexpr int64_t kRowsWhileRead = 4;

  static int64_t costOf(ProductDims dims) {
    return (dims.m + kRowsWhileRead) * dims.n / kProductsOfCost * dims.k;
  }
  // From some 4 us on: operands are read, so they stay where they are, and a helper who is awake
  // has its half 200 ns later.
  static constexpr int64_t kCostWorthPieces = kCostOfPiece / 2;
  static bool isWorthPieces(ProductDims dims) {
    const int64_t cost = costOf(dims);
    return cost >= kCostWorthPieces && findsHelp(cost);
  }
  // An even number, which two threads share evenly.
  static int64_t evenShares(int64_t all, int64_t most) { return (sharesOf(all, most) + 1) / 2 * 2; }

  // Calls function(row, column, dims) for each.
  template <typename Function> static void forPieces(ProductDims dims, const Function &function) {
    if (!isWorthPieces(dims))
      return function(0, 0, dims);
    if (dims.m <= kBlockRows)
      return forPiecesOfColumns(dims, [&](int64_t column, int64_t columns) {
        function(0, column, ProductDims{dims.m, columns, dims.k});
      });
    const int64_t pieces = evenShares(dims.m, kPieceRows);
    parallelFor(
        pieces,
        [&](int64_t piece) {
          const int64_t row = piece * dims.m / pieces, end = (piece + 1) * dims.m / pieces;
          function(row, 0, ProductDims{end - row, dims.n, dims.k});
        },
        costOf(dims) / pieces);
  }

  // Calls function(column, columns) for each: some whole panels.
  template <typename Function>
  static void forPiecesOfColumns(ProductDims dims, const Function &function) {
    const int64_t panels = sharesOf(dims.n, kWidth), pieces = evenShares(dims.n, kPieceColumns);
    const auto columnOf = [&](int64_t piece) {
      return std::min(dims.n, piece * panels / pieces * kWidth);
    };
    parallelFor(
        pieces,
        [&](int64_t piece) {
          const int64_t column = columnOf(piece), columns = columnOf(piece + 1) - column;
          if (columns)
            function(column, columns);
        },
        costOf(dims) / pieces);
  }

  // Packs the right operand block by block, and shares out the rows of each.
  static void multiplyByBlocks(ProductDims dims, MatrixView<T> a, MatrixView<T> b, T *c,
                               int64_t rowC, Begins<T> begins) {
    const BlockSize size = dims.m <= kRowsOfSmallBlocks ? kSmallBlock : kGreatBlock;
    T *packed = workspace().right;
    for (int64_t column = 0; column < dims.n; column += size.columns) {
      T *to = c + column;
      Begins<T> next = begins.at(0, column);
      for (int64_t x = 0; x < dims.k; x += size.depth, next = {to, rowC}) {
        const ProductDims block{dims.m, std::min(size.columns, dims.n - column),
                                std::min(size.depth, dims.k - x)};
        packBlock(block, b.at(x, column), packed);
        const Panels<T> panels{packed, kWidth, kWidth * block.k};
        if (dims.m <= kBlockRows) // a piece already
          multiplyBlock({block, a.at(0, x), false, panels, to, rowC, next});
        else
          forPieces(block, [&](int64_t row, int64_t, ProductDims piece) {
            multiplyBlock(
                {piece, a.at(row, x), false, panels, to + row * rowC, rowC, next.at(row, 0)});
          });
      }
    }
  }

  static void packBlock(ProductDims block, MatrixView<T> b, T *packed) {
    if (block.m <= kBlockRows || !isWorthPieces(block))
      return packRight(block.k, block.n, b, packed);
    forPiecesOfColumns(block, [&](int64_t column, int64_t columns) {
      packRight(block.k, columns, b.at(0, column), packed + column * block.k);
    });
  }

  // A part of a product that needs no more packing: some rows, all panels, and so much of k.
  struct Part {
    ProductDims dims;
    MatrixView<T> a;
    bool leftIsPacked; // by packLeft; else a is as it was given
    Panels<T> b;
    T *c;
    int64_t rowC;
    Begins<T> begins;

    MatrixView<T> left(int64_t row, int64_t rows) const {
      return leftIsPacked ? MatrixView<T>{a.data + row * dims.k, 1, rows} : a.at(row, 0);
    }
    TileOperands<T> tile(int64_t row, int64_t rows, int64_t panel) const {
      return {dims.k,        left(row, rows),
              b.from(panel), c + row * rowC + panel * kWidth,
              rowC,          begins.at(row, panel * kWidth)};
    }
    int64_t mostRows() const { return leftIsPacked ? Vectors::kTileRows : kRowsInPlace; }
  };

  // Rows are shared out evenly among as few tiles or blocks as possible. So if there are more than
  // `most`, none gets less than half of it.
  static int64_t sharesOf(int64_t rows, int64_t most) { return (rows + most - 1) / most; }
  static int64_t firstRowOf(int64_t share, int64_t rows, int64_t most) {
    return share * rows / sharesOf(rows, most);
  }

  using TileFn = void (*)(const TileOperands<T> &);
  // Of one panel, or of half of one.
  template <int kVectors, bool kLeftIsPacked, int kFewest, size_t... i>
  static TileFn tileOf(int64_t rows, std::index_sequence<i...>) {
    static constexpr TileFn kTiles[] = {
        Vectors::template tile<T, kFewest + static_cast<int>(i), kVectors, kLeftIsPacked>...};
    return kTiles[rows - kFewest];
  }
  template <int kVectors> static TileFn tileOf(const Part &p, int64_t rows) {
    constexpr int kMost = Vectors::kTileRows, kFewest = kMost / 2; // see shares
    return p.leftIsPacked
               ? tileOf<kVectors, true, kFewest>(rows,
                                                 std::make_index_sequence<kMost - kFewest + 1>())
               : tileOf<kVectors, false, 1>(rows, std::make_index_sequence<kRowsInPlace>());
  }

  // The last panel is only partly of the result, so its tiles go through a full one.
  static void multiplyNarrowTile(const Part &p, TileOperands<T> tile, int64_t rows, int64_t width) {
    T full[Vectors::kTileRows * kWidth], *c = tile.c;
    std::fill_n(full, rows * kWidth, T(0));
    if (const auto [from, rowStride] = tile.begins; from) {
      for (int64_t i = 0; i < rows; ++i)
        std::copy_n(from + i * rowStride, width, full + i * kWidth);
      tile.begins = {full, kWidth};
    }
    tile.c = full;
    tile.rowC = kWidth;
    (width <= kWidth / 2 ? tileOf<1>(p, rows) : tileOf<kPanelVectors>(p, rows))(tile);
    for (int64_t i = 0; i < rows; ++i)
      std::copy_n(full + i * kWidth, width, c + i * p.rowC);
  }

  // All tiles from a panel on, at most `panels` wide: a row of tiles after the other, so that what
  // is of the left operand stays in the first cache, and the panels in the second.
  static void multiplyPanels(const Part &p, int64_t firstPanel, int64_t panels) {
    const int64_t most = p.mostRows(), tiles = sharesOf(p.dims.m, most);
    const int64_t end = std::min(firstPanel + panels, sharesOf(p.dims.n, kWidth));
    for (int64_t tile = 0; tile < tiles; ++tile) {
      const int64_t row = firstRowOf(tile, p.dims.m, most),
                    rows = firstRowOf(tile + 1, p.dims.m, most) - row;
      const TileFn whole = tileOf<kPanelVectors>(p, rows);
      for (int64_t panel = firstPanel; panel < end; ++panel) {
        const int64_t width = std::min(kWidth, p.dims.n - panel * kWidth);
        if (width == kWidth)
          whole(p.tile(row, rows, panel));
        else
          multiplyNarrowTile(p, p.tile(row, rows, panel), rows, width);
      }
    }
  }

  // Few rows take several panels at once.
  template <int kRows, int kVectors> static void multiplyWideTiles(const Part &p, int64_t &panel) {
    constexpr int kPanels = kVectors / kPanelVectors;
    for (; panel + kPanels <= p.dims.n / kWidth; panel += kPanels)
      Vectors::template tile<T, kRows, kVectors, false>(p.tile(0, kRows, panel));
    if constexpr (kVectors > 4)
      multiplyWideTiles<kRows, kVectors - 4>(p, panel);
  }

  static void multiplyPart(const Part &p) {
    int64_t panel = 0;
    if (!p.leftIsPacked && p.dims.m == 1)
      multiplyWideTiles<1, Vectors::kVectorsOfRows[0]>(p, panel);
    else if (!p.leftIsPacked && p.dims.m == 2)
      multiplyWideTiles<2, Vectors::kVectorsOfRows[1]>(p, panel);
    else if (!p.leftIsPacked && p.dims.m == 3)
      multiplyWideTiles<3, Vectors::kVectorsOfRows[2]>(p, panel);
    const int64_t near = p.leftIsPacked ? kNearPanels : 1;
    for (; panel * kWidth < p.dims.n; panel += near)
      multiplyPanels(p, panel, near);
  }

  // Some of k at a time, if only elements of one k lie side by side.
  static void packLeft(ProductDims dims, MatrixView<T> a, T *to) {
    constexpr int64_t most = Vectors::kTileRows;
    const int64_t some = a.columnStride == 1 ? dims.k : 8;
    for (int64_t x = 0; x < dims.k; x += some)
      for (int64_t tile = 0; tile < sharesOf(dims.m, most); ++tile) {
        const int64_t row = firstRowOf(tile, dims.m, most),
                      rows = firstRowOf(tile + 1, dims.m, most) - row;
        packRows(rows, std::min(some, dims.k - x), a.at(row, x), to + row * dims.k + x * rows);
      }
  }

  // One block of k: packs the left operand where that pays.
  static void multiplyBlock(const Part &p) {
    if (p.dims.m <= kRowsInPlace || p.dims.n < kManyColumns)
      return multiplyPart(p);
    T *packed = workspace().left;
    for (int64_t block = 0; block < sharesOf(p.dims.m, kBlockRows); ++block) {
      if (Cancellation::requestedHere())
        return;
      const int64_t row = firstRowOf(block, p.dims.m, kBlockRows);
      Part rows = p;
      rows.dims.m = firstRowOf(block + 1, p.dims.m, kBlockRows) - row;
      packLeft(rows.dims, p.a.at(row, 0), packed);
      rows.a.data = packed;
      rows.leftIsPacked = true;
      rows.c += row * p.rowC;
      rows.begins = p.begins.at(row, 0);
      multiplyPart(rows);
    }
  }

  // The right operand as it is: its rows hold neighbours. The columns that fill no panel are
  // packed.
  static void multiplyInPlace(Part p, MatrixView<T> b) {
    const int64_t full = p.dims.n / kWidth * kWidth, rest = p.dims.n - full;
    p.b = {b.data, b.rowStride, kWidth};
    if (full) {
      Part panels = p;
      panels.dims.n = full;
      for (int64_t x = 0; x < p.dims.k; x += kDepthInPlace, panels.begins = {p.c, p.rowC}) {
        panels.dims.k = std::min(kDepthInPlace, p.dims.k - x);
        panels.a = p.a.at(0, x);
        panels.b = p.b.fromRow(x);
        multiplyBlock(panels);
      }
    }
    if (rest == 0)
      return;
    T *packed = workspace().right;
    const int64_t k = p.dims.k;
    p.b = {packed, kWidth, 0};
    p.c += full;
    p.begins = p.begins.at(0, full);
    p.dims.n = rest;
    for (int64_t x = 0; x < k; x += kGreatBlock.depth, p.begins = {p.c, p.rowC}) {
      p.dims.k = std::min(kGreatBlock.depth, k - x);
      packPanel<T, kWidth>(p.dims.k, rest, b.at(x, full), packed);
      multiplyPart(p);
      p.a = p.a.at(0, p.dims.k);
    }
  }
};

} // namespace sluice::rt
