// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of windows, and the planes that they are windows of: those of the images, or with zeros
// around them if windows reach further.
#include "runtime/kernels/nn_convolve_tiles.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/matmul_level.h"
#include "runtime/kernels/matmul_pack.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace sluice::rt {

namespace {

// ---- Tiles

// What follows the beginning of each row: `length` neighbours from `offset` on.
struct Stretch {
  int64_t offset, length;
};

// Some rows and kVectors vectors of the result, in registers from the first stretch to the last.
template <typename T, int kBytes, int kVectors> struct WindowTile {
  using Vector = typename VectorOf<T, kBytes>::type;
  static constexpr int kLanes = kBytes / sizeof(T), kWidth = kVectors * kLanes;
  // Their sums, a row of the filter and one element fit into 16 registers, or 32 longer ones.
  static constexpr int kRows = kVectors == 1 || kBytes == 64 ? 14 : 6;

  [[gnu::always_inline]] static inline void multiply(const T *const *rows,
                                                     const std::vector<Stretch> &stretches,
                                                     const T *filter, T *c, int64_t rowC) {
    Vector sums[kRows][kVectors] = {};
    for (const Stretch &stretch : stretches) {
      const T *from[kRows];
      for (int r = 0; r < kRows; ++r)
        from[r] = rows[r] + stretch.offset;
      for (int64_t x = 0; x < stretch.length; ++x, filter += kWidth) {
        Vector right[kVectors];
        for (int v = 0; v < kVectors; ++v)
          loadVector(right[v], filter + v * kLanes);
        for (int r = 0; r < kRows; ++r) {
          const Vector left = from[r][x];
          for (int v = 0; v < kVectors; ++v)
            sums[r][v] = __builtin_elementwise_fma(left, right[v], sums[r][v]);
        }
      }
    }
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v)
        storeVector(c + r * rowC + v * kLanes, sums[r][v]);
  }
};

template <typename T, int kVectors> struct ShortTile : WindowTile<T, 32, kVectors> {
  static void make(const T *const *rows, const std::vector<Stretch> &stretches, const T *filter,
                   T *c, int64_t rowC) {
    WindowTile<T, 32, kVectors>::multiply(rows, stretches, filter, c, rowC);
  }
};
template <typename T, int kVectors> struct LongTile : WindowTile<T, 64, kVectors> {
  SLUICE_LONG_VECTORS static void make(const T *const *rows, const std::vector<Stretch> &stretches,
                                       const T *filter, T *c, int64_t rowC) {
    WindowTile<T, 64, kVectors>::multiply(rows, stretches, filter, c, rowC);
  }
};

// Calls function(tile) with the narrowest that takes n columns at once, or with the widest.
template <typename T, typename Function> void byTile(int64_t n, const Function &function) {
  const bool isLong = productLevel() == ProductLevel::kLongVectors;
  if (n <= ShortTile<T, 1>::kWidth)
    function(ShortTile<T, 1>());
  else if (!isLong)
    function(ShortTile<T, 2>());
  else if (n <= LongTile<T, 1>::kWidth)
    function(LongTile<T, 1>());
  else
    function(LongTile<T, 2>());
}

template <typename T> struct Block {
  std::vector<const T *> rows; // a tile's at least; those behind `count` do not matter
  int64_t count;
  T *c;
  int64_t rowC;
};

// All tiles of a block, one panel of the filter after the other. The last tile has some rows again,
// which costs less than tiles of all heights.
template <typename T, typename Tile>
void multiplyBlock(const Block<T> &block, const std::vector<Stretch> &stretches, int64_t k,
                   int64_t n, const T *packed) {
  constexpr int64_t kRows = Tile::kRows, kWidth = Tile::kWidth;
  for (int64_t column = 0; column < n; column += kWidth, packed += k * kWidth) {
    const int64_t width = std::min(kWidth, n - column);
    for (int64_t begin = 0; begin < block.count; begin += kRows) {
      const int64_t row = std::max<int64_t>(0, std::min(begin, block.count - kRows));
      T *c = block.c + row * block.rowC + column;
      if (width == kWidth && block.count >= kRows) {
        Tile::make(block.rows.data() + row, stretches, packed, c, block.rowC);
        continue;
      }
      T whole[kRows * kWidth];
      Tile::make(block.rows.data() + row, stretches, packed, whole, kWidth);
      for (int64_t i = 0; i < std::min(kRows, block.count - row); ++i)
        std::copy_n(whole + i * kWidth, width, c + i * block.rowC);
    }
  }
}

// ---- Planes

// The places that windows reach along a dim, from the first one on.
struct Reach {
  int64_t begin, end;
  Reach(const RowAxis &axis, int64_t firstRow, int64_t rows)
      : begin(firstRow * axis.step + axis.offsets.front()),
        end((firstRow + rows - 1) * axis.step + axis.offsets.back() + 1) {}
  int64_t size() const { return end - begin; }
  bool isWithin(const RowAxis &axis) const { return begin >= 0 && end <= axis.size; }
};

// What rows of windows are read from.
template <typename T> struct Plane {
  const T *first;      // the element that the first window begins with
  int64_t line, place; // how far lines and places are apart
};

template <typename T> class Planes {
public:
  explicit Planes(const WindowRows<T> &rows)
      : rows_(rows), across_(rows.axis(2), 0, rows.axis(2).rows),
        isInside_(across_.isWithin(rows.axis(2)) &&
                  Reach(rows.axis(1), 0, rows.axis(1).rows).isWithin(rows.axis(1))) {
    const int64_t place = isInside_ ? rows.allChannels() : rows.channels();
    line_ = place * (isInside_ ? rows.axis(2).size : across_.size());
    const std::vector<int64_t> &along = rows.axis(2).offsets;
    const auto taps = static_cast<int64_t>(along.size());
    const bool areNeighbours = place == rows.channels() && along.back() - along.front() == taps - 1;
    for (int64_t second : rows.axis(1).offsets) {
      const int64_t offset = (second - rows.axis(1).offsets.front()) * line_;
      if (areNeighbours) {
        stretches_.push_back({offset, taps * rows.channels()});
        continue;
      }
      for (int64_t third : along)
        stretches_.push_back({offset + (third - along.front()) * place, rows.channels()});
    }
    place_ = place;
  }

  const std::vector<Stretch> &stretches() const { return stretches_; }
  // Of the lines that some rows of windows take.
  int64_t elements(int64_t lines) const { return Reach(rows_.axis(1), 0, lines).size() * line_; }

  // For the rows of windows from `first` on; `room` is for what elements(lines) says.
  Plane<T> plane(int64_t image, int64_t first, int64_t lines, std::unique_ptr<T[]> &room) const {
    const RowAxis &down = rows_.axis(1), &across = rows_.axis(2);
    const T *from =
        rows_.images() + image * down.size * across.size * rows_.allChannels() + rows_.channel();
    const Reach reach(down, first, lines);
    if (isInside_)
      return {from + reach.begin * line_ + across_.begin * place_, line_, place_};
    if (!room)
      room = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(elements(lines)));
    T *to = room.get();
    for (int64_t line = reach.begin; line < reach.end; ++line, to += line_)
      copyLine(line < 0 || line >= down.size ? nullptr
                                             : from + line * across.size * rows_.allChannels(),
               to);
    return {room.get(), line_, place_};
  }

private:
  // Zeros, the places of the image that windows reach, and zeros; nothing but zeros of no line.
  void copyLine(const T *line, T *to) const {
    const int64_t size = rows_.axis(2).size, channels = rows_.channels();
    const int64_t begin = std::clamp<int64_t>(across_.begin, 0, size),
                  end = line ? std::clamp(across_.end, begin, size) : begin;
    to = std::fill_n(to, (begin - across_.begin) * channels, T(0));
    if (channels == rows_.allChannels())
      to = std::copy(line + begin * channels, line + end * channels, to);
    else
      for (int64_t place = begin; place < end; ++place)
        to = std::copy_n(line + place * rows_.allChannels(), channels, to);
    std::fill_n(to, (across_.end - end) * channels, T(0));
  }

  const WindowRows<T> &rows_;
  Reach across_;
  bool isInside_;
  int64_t line_, place_;
  std::vector<Stretch> stretches_;
};

// Rows of windows that are multiplied before the next ones: a plane of so many elements stays in
// the second cache, and so many windows are worth a panel of the filter.
constexpr int64_t kNearElements = 1 << 15, kManyWindows = 112, kProductsOfCost = 8;

template <typename T, typename Tile>
void multiplyAll(const WindowRows<T> &rows, int64_t n, MatrixView<T> filter, T *c, int64_t rowC) {
  const int64_t k = rows.columns(), panels = (n + Tile::kWidth - 1) / Tile::kWidth;
  const auto packed =
      std::make_unique_for_overwrite<T[]>(static_cast<size_t>(panels * Tile::kWidth * k));
  packPanels<T, Tile::kWidth>(k, n, filter, packed.get());
  const Planes<T> planes(rows);
  const RowAxis &down = rows.axis(1), &across = rows.axis(2);
  const int64_t near =
      kNearElements / std::max<int64_t>(1, planes.elements(2) - planes.elements(1));
  const int64_t lines =
      std::min(down.rows, std::max({near, (kManyWindows - 1) / across.rows + 1, int64_t{1}}));
  const int64_t blocks = (down.rows + lines - 1) / lines;
  const int64_t cost = 1 + costOfAll(lines * across.rows * n, costOfAll(k, 1)) / kProductsOfCost;
  forPieces(rows.batch() * blocks, cost, [&, n, k, rowC](int64_t begin, int64_t end) {
    std::unique_ptr<T[]> room;
    Block<T> block;
    block.rowC = rowC;
    for (; begin < end && !Cancellation::requestedHere(); ++begin) {
      const int64_t image = begin / blocks, first = begin % blocks * down.rows / blocks,
                    some = (begin % blocks + 1) * down.rows / blocks - first;
      const Plane<T> plane = planes.plane(image, first, some, room);
      block.count = some * across.rows;
      block.rows.clear();
      for (int64_t line = 0; line < some; ++line)
        for (int64_t row = 0; row < across.rows; ++row)
          block.rows.push_back(plane.first + line * down.step * plane.line +
                               row * across.step * plane.place);
      while (block.rows.size() < static_cast<size_t>(Tile::kRows))
        block.rows.push_back(block.rows.back());
      block.c = c + (image * down.rows + first) * across.rows * rowC;
      multiplyBlock<T, Tile>(block, planes.stretches(), k, n, packed.get());
    }
  });
}

} // namespace

template <typename T> bool canMultiplyInPlace(const WindowRows<T> &rows) {
  const RowAxis &outer = rows.axis(0);
  return outer.size == 1 && outer.rows == 1 && outer.offsets == std::vector<int64_t>{0} &&
         rows.columns() > 0;
}

template <typename T>
void multiplyInPlace(const WindowRows<T> &rows, int64_t n, MatrixView<T> filter, T *c,
                     int64_t rowC) {
  if (rows.rows() == 0 || n == 0)
    return;
  byTile<T>(n, [&](auto tile) { multiplyAll<T, decltype(tile)>(rows, n, filter, c, rowC); });
}

#define SLUICE_DEFINE_WINDOW_PRODUCTS(T)                                                           \
  template bool canMultiplyInPlace<T>(const WindowRows<T> &);                                      \
  template void multiplyInPlace<T>(const WindowRows<T> &, int64_t, MatrixView<T>, T *, int64_t);
SLUICE_DEFINE_WINDOW_PRODUCTS(float)
SLUICE_DEFINE_WINDOW_PRODUCTS(double)
#undef SLUICE_DEFINE_WINDOW_PRODUCTS

} // namespace sluice::rt
