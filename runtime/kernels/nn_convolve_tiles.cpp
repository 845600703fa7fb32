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
#include <new>
#include <span>
#include <vector>

namespace sluice::rt {

namespace {

struct FreeRoom {
  void operator()(void *room) const { ::operator delete[](room, std::align_val_t(64)); }
};
template <typename T> using Room = std::unique_ptr<T[], FreeRoom>;
template <typename T> Room<T> roomFor(int64_t elements) {
  return Room<T>(static_cast<T *>(
      ::operator new[](static_cast<size_t>(elements) * sizeof(T), std::align_val_t(64))));
}

// ---- Tiles

// Rows of windows that begin anywhere.
template <typename T> struct ListedRows {
  const T *const *begins;

  // The elements of a column, from the first row on.
  struct Column {
    const T *const *begin;
    int64_t column;
    [[gnu::always_inline]] T next() { return (*begin++)[column]; }
  };
  Column at(int64_t column) const { return {begins, column}; }
};

// Rows of windows that begin equally far apart. One pointer goes from one to the next: of those
// that compilers would compute ahead, one for each row, most would be loaded for each element.
template <typename T> struct EvenRows {
  const T *first;
  int64_t step;

  struct Column {
    const T *element;
    int64_t step;
    [[gnu::always_inline]] T next() {
      const T value = *element;
      element += step;
      asm("" : "+r"(element)); // not known ahead
      return value;
    }
  };
  Column at(int64_t column) const { return {first + column, step}; }
};

// Some rows and kVectors vectors of the result, which stay in registers. `columns` are how far each
// of the k columns is behind the beginning of a row: in a loop over stretches of neighbours,
// compilers lose sight of the registers.
template <typename T, int kBytes, int kVectors> struct WindowTile {
  using Vector = typename VectorOf<T, kBytes>::type;
  static constexpr int kLanes = kBytes / sizeof(T), kWidth = kVectors * kLanes;
  // Their sums, a row of the filter and one element fit into 16 registers, or 32 longer ones.
  static constexpr int kRows = kVectors == 1 || kBytes == 64 ? 14 : 6;
  // Panels of many columns come from the second cache.
  static constexpr int kAhead = 3072 / sizeof(T);

  template <typename Rows>
  [[gnu::always_inline]] static inline void multiply(Rows rows, std::span<const int64_t> columns,
                                                     const T *filter, T *c, int64_t rowC,
                                                     bool accumulate) {
    Vector sums[kRows][kVectors] = {};
    if (accumulate)
      for (int r = 0; r < kRows; ++r)
        for (int v = 0; v < kVectors; ++v)
          loadVector(sums[r][v], c + r * rowC + v * kLanes);
    for (const int64_t column : columns) {
      Vector right[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        __builtin_prefetch(filter + v * kLanes + kAhead);
        loadVector(right[v], filter + v * kLanes);
      }
      auto elements = rows.at(column);
      for (int r = 0; r < kRows; ++r) {
        const Vector left = elements.next();
        for (int v = 0; v < kVectors; ++v)
          sums[r][v] = __builtin_elementwise_fma(left, right[v], sums[r][v]);
      }
      filter += kWidth;
    }
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v)
        storeVector(c + r * rowC + v * kLanes, sums[r][v]);
  }
};

template <typename T, int kVectors> struct ShortTile : WindowTile<T, 32, kVectors> {
  template <typename Rows>
  static void make(Rows rows, std::span<const int64_t> columns, const T *filter, T *c, int64_t rowC,
                   bool accumulate) {
    WindowTile<T, 32, kVectors>::multiply(rows, columns, filter, c, rowC, accumulate);
  }
};
template <typename T, int kVectors> struct LongTile : WindowTile<T, 64, kVectors> {
  template <typename Rows>
  SLUICE_LONG_VECTORS static void make(Rows rows, std::span<const int64_t> columns, const T *filter,
                                       T *c, int64_t rowC, bool accumulate) {
    WindowTile<T, 64, kVectors>::multiply(rows, columns, filter, c, rowC, accumulate);
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

// Windows of lines, whose results lie one behind the other.
template <typename T> struct Block {
  const T *first;     // the element that the first window begins with
  int64_t line, step; // how far lines and windows are apart
  int64_t lines, windowsOfLine;
  T *c;
  int64_t rowC;

  int64_t count() const { return lines * windowsOfLine; }
  const T *begin(int64_t window) const {
    return first + window / windowsOfLine * line + window % windowsOfLine * step;
  }
};

// A part of a panel stays in the second cache, whatever else is there.
template <typename T> constexpr int64_t kDepth = 2048 / sizeof(T);

// Some columns and some of the result's, for all windows.
template <typename T> struct Strip {
  std::span<const int64_t> columns;
  const T *panel;
  int64_t width; // of the panel, no more than a tile has
  T *c;
  int64_t rowC;
  bool accumulate;
};

// Those of a tile's rows that are from `begin` to below `end`; of row 0 is c + row * rowC.
template <typename T, typename Tile, typename Rows>
void makeTile(const Strip<T> &strip, Rows rows, int64_t row, int64_t begin, int64_t end) {
  constexpr int64_t kRows = Tile::kRows, kWidth = Tile::kWidth;
  T *c = strip.c + row * strip.rowC;
  if (strip.width == kWidth && begin == 0 && end == kRows)
    return Tile::make(rows, strip.columns, strip.panel, c, strip.rowC, strip.accumulate);
  T whole[kRows * kWidth] = {};
  if (strip.accumulate)
    for (int64_t i = begin; i < end; ++i)
      std::copy_n(c + i * strip.rowC, strip.width, whole + i * kWidth);
  Tile::make(rows, strip.columns, strip.panel, whole, kWidth, strip.accumulate);
  for (int64_t i = begin; i < end; ++i)
    std::copy_n(whole + i * kWidth, strip.width, c + i * strip.rowC);
}

// Tiles of whole lines. The last one of a line has some rows of the one before again, which costs
// less than tiles of all heights.
template <typename T, typename Tile>
void multiplyLines(const Block<T> &block, const Strip<T> &strip) {
  constexpr int64_t kRows = Tile::kRows;
  for (int64_t line = 0; line < block.lines; ++line)
    for (int64_t begin = 0; begin < block.windowsOfLine; begin += kRows) {
      const int64_t at = std::min(begin, block.windowsOfLine - kRows);
      const EvenRows<T> rows{block.first + line * block.line + at * block.step, block.step};
      // What is stored once more has the same value, unless it was added to what is there.
      makeTile<T, Tile>(strip, rows, line * block.windowsOfLine + at,
                        strip.accumulate ? begin - at : 0, kRows);
    }
}

// Tiles of any windows, whose beginnings are listed. The last one has its last row more than once.
template <typename T, typename Tile>
void multiplyWindows(const Block<T> &block, const std::vector<const T *> &begins,
                     const Strip<T> &strip) {
  constexpr int64_t kRows = Tile::kRows;
  for (int64_t row = 0; row < block.count(); row += kRows)
    makeTile<T, Tile>(strip, ListedRows<T>{begins.data() + row}, row, 0,
                      std::min(kRows, block.count() - row));
}

// Some columns at a time, all tiles of a block, one panel of the filter after the other.
template <typename T, typename Tile>
void multiplyBlock(const Block<T> &block, std::span<const int64_t> columns, int64_t n,
                   const T *packed, std::vector<const T *> &begins) {
  constexpr int64_t kRows = Tile::kRows, kWidth = Tile::kWidth;
  const bool hasLongLines = block.windowsOfLine >= kRows;
  if (!hasLongLines) {
    begins.clear();
    for (int64_t window = 0; window < block.count(); ++window)
      begins.push_back(block.begin(window));
    while (begins.size() % kRows != 0)
      begins.push_back(begins.back());
  }
  const auto k = static_cast<int64_t>(columns.size());
  for (int64_t x = 0; x < k; x += kDepth<T>) {
    const auto some =
        columns.subspan(static_cast<size_t>(x), static_cast<size_t>(std::min(kDepth<T>, k - x)));
    for (int64_t column = 0; column < n; column += kWidth) {
      const Strip<T> strip{some,
                           packed + column * k + x * kWidth,
                           std::min(kWidth, n - column),
                           block.c + column,
                           block.rowC,
                           x > 0};
      if (hasLongLines)
        multiplyLines<T, Tile>(block, strip);
      else
        multiplyWindows<T, Tile>(block, begins, strip);
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
    for (int64_t second : rows.axis(1).offsets)
      for (int64_t third : along)
        for (int64_t channel = 0; channel < rows.channels(); ++channel)
          columns_.push_back((second - rows.axis(1).offsets.front()) * line_ +
                             (third - along.front()) * place + channel);
    place_ = place;
  }

  // How far the elements of a window are behind its first one.
  std::span<const int64_t> columns() const { return columns_; }
  // Of the lines that some rows of windows take.
  int64_t elements(int64_t lines) const { return Reach(rows_.axis(1), 0, lines).size() * line_; }

  // For the rows of windows from `first` on; `room` is for what elements(lines) says.
  Plane<T> plane(int64_t image, int64_t first, int64_t lines, Room<T> &room) const {
    const RowAxis &down = rows_.axis(1), &across = rows_.axis(2);
    const T *from =
        rows_.images() + image * down.size * across.size * rows_.allChannels() + rows_.channel();
    const Reach reach(down, first, lines);
    if (isInside_)
      return {from + reach.begin * line_ + across_.begin * place_, line_, place_};
    if (!room)
      room = roomFor<T>(elements(lines));
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
  std::vector<int64_t> columns_;
};

// Rows of windows that are multiplied before the next ones: a plane of so many elements stays in
// the second cache, and so many windows are worth a panel of the filter.
constexpr int64_t kNearElements = 1 << 15, kManyWindows = 112, kProductsOfCost = 8;

template <typename T, typename Tile>
void multiplyAll(const WindowRows<T> &rows, int64_t n, MatrixView<T> filter, T *c, int64_t rowC) {
  const int64_t k = rows.columns(), panels = (n + Tile::kWidth - 1) / Tile::kWidth;
  // Rows of the filter are whole lines of the cache.
  const Room<T> packed = roomFor<T>(panels * Tile::kWidth * k);
  packPanels<T, Tile::kWidth>(k, n, filter, packed.get());
  const Planes<T> planes(rows);
  const RowAxis &down = rows.axis(1), &across = rows.axis(2);
  const int64_t near =
      kNearElements / std::max<int64_t>(1, planes.elements(2) - planes.elements(1));
  const int64_t lines =
      std::min(down.rows, std::max({near, (kManyWindows - 1) / across.rows + 1, int64_t{1}}));
  const int64_t blocks = (down.rows + lines - 1) / lines;
  const int64_t cost = 1 + costOfAll(lines * across.rows * n, costOfAll(k, 1)) / kProductsOfCost;
  forPieces(rows.batch() * blocks, cost, [&, n, rowC](int64_t begin, int64_t end) {
    Room<T> room;
    std::vector<const T *> begins;
    for (; begin < end && !Cancellation::requestedHere(); ++begin) {
      const int64_t image = begin / blocks, first = begin % blocks * down.rows / blocks,
                    some = (begin % blocks + 1) * down.rows / blocks - first;
      const Plane<T> plane = planes.plane(image, first, some, room);
      const Block<T> block{plane.first,
                           down.step * plane.line,
                           across.step * plane.place,
                           some,
                           across.rows,
                           c + (image * down.rows + first) * across.rows * rowC,
                           rowC};
      multiplyBlock<T, Tile>(block, planes.columns(), n, packed.get(), begins);
    }
  });
}

} // namespace

// Zeros around an image, and places between windows, may be far more than the image itself.
static bool isNearImage(const RowAxis &axis) {
  constexpr int64_t kMore = 64;
  return axis.rows == 0 || Reach(axis, 0, axis.rows).size() <= 2 * axis.size + kMore;
}

template <typename T> bool canMultiplyInPlace(const WindowRows<T> &rows) {
  const RowAxis &outer = rows.axis(0);
  return outer.size == 1 && outer.rows == 1 && outer.offsets == std::vector<int64_t>{0} &&
         rows.columns() > 0 && isNearImage(rows.axis(1)) && isNearImage(rows.axis(2));
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
