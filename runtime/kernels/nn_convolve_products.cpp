// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions as products of matrices. Windows are gathered some rows and columns at a time, so
// each element of a result is one chain over the filter's places and channels, in their order.
#include "runtime/kernels/nn_convolve_products.h"

#include "runtime/base/pieces.h"
#include "runtime/kernels/matmul_real.h"
#include "runtime/kernels/nn_convolve_tiles.h"
#include "runtime/kernels/nn_rows.h"

#include <cstring>
#include <memory>
#include <vector>

namespace sluice::rt {

namespace {

// A chunk has as many columns as a product packs at a time (matmul_blocks.h); rows of it are
// gathered while the caches have room for them.
template <typename T> constexpr int64_t kMostColumns = 2048 / sizeof(T);
template <typename T> constexpr int64_t kGathered = 112 * kMostColumns<T>;
constexpr int64_t kLeastRows = 112, kMostRows = 1024, kProductsOfCost = 8;
// With more, what is gathered is used so often that it costs little.
constexpr int64_t kFewOutputs = 32;

template <typename T> int64_t widestChunk(const WindowRows<T> &rows) {
  int64_t widest = 1;
  for (const RowChunk &chunk : rows.chunks())
    widest = std::max(widest, chunk.columns);
  return widest;
}

// Memory that nobody has to clear, and no more than is used: convolutions may be tiny.
template <typename T> std::unique_ptr<T[]> roomFor(int64_t elements) {
  return std::make_unique_for_overwrite<T[]>(static_cast<size_t>(elements));
}

// A filter's matrix, packed chunk by chunk.
template <typename T> class PackedChunks {
public:
  PackedChunks(const WindowRows<T> &rows, int64_t n, MatrixView<T> filter) {
    int64_t all = 0;
    for (const RowChunk &chunk : rows.chunks()) {
      begins_.push_back(all);
      all += packedElements<T>(chunk.columns, n);
    }
    elements_ = roomFor<T>(all);
    for (size_t i = 0; i < begins_.size(); ++i) {
      const RowChunk &chunk = rows.chunks()[i];
      packRight<T>(chunk.columns, n, filter.at(chunk.column, 0), elements_.get() + begins_[i]);
    }
  }
  const T *of(size_t chunk) const { return elements_.get() + begins_[chunk]; }

private:
  std::vector<int64_t> begins_;
  std::unique_ptr<T[]> elements_;
};

// Calls use(row, rows, c) with the matrix c of the rows' products, blocks of rows in any order.
// With `direct`, the products are made there, in rows that are `rowC` apart.
template <typename T, typename Use>
void multiplyRows(const WindowRows<T> &rows, int64_t n, MatrixView<T> filter, T *direct,
                  int64_t rowC, const Use &use) {
  const PackedChunks<T> packed(rows, n, filter);
  const int64_t widest = widestChunk(rows);
  const int64_t most = std::min(std::clamp(kGathered<T> / widest, kLeastRows, kMostRows),
                                std::max<int64_t>(rows.rows(), 1));
  const int64_t blocks = (rows.rows() + most - 1) / most;
  const int64_t cost =
      1 + costOfAll(most * n, costOfAll(std::max<int64_t>(rows.columns(), 1), 1)) / kProductsOfCost;
  forPieces(blocks, cost, [&, direct, rowC, n](int64_t begin, int64_t end) {
    const auto gathered = roomFor<T>(most * widest), made = roomFor<T>(direct ? 0 : most * n);
    for (; begin < end && !Cancellation::requestedHere(); ++begin) {
      const int64_t row = begin * most, count = std::min(most, rows.rows() - row);
      T *c = direct ? direct + row * rowC : made.get();
      const int64_t rowOfC = direct ? rowC : n;
      for (size_t i = 0; i < rows.chunks().size(); ++i) {
        const RowChunk &chunk = rows.chunks()[i];
        rows.gather(row, count, chunk, gathered.get());
        multiplyPacked<T>({count, n, chunk.columns}, {gathered.get(), chunk.columns, 1},
                          packed.of(i), c, rowOfC, i > 0 ? Begins<T>{c, rowOfC} : Begins<T>{});
      }
      use(row, count, c);
    }
  });
}

template <typename T> void clearRows(T *c, int64_t rows, int64_t n, int64_t rowC) {
  for (int64_t row = 0; row < rows; ++row)
    std::fill_n(c + row * rowC, n, T(0));
}

// c is all of the product.
template <typename T>
void multiplyAllRows(const WindowRows<T> &rows, int64_t allChannels, int64_t n,
                     MatrixView<T> filter, T *c, int64_t rowC) {
  if (rows.columns() == 0)
    return clearRows(c, rows.rows(), n, rowC);
  if (const T *plain = rows.plain())
    return multiplyMatrices<T>({rows.rows(), n, rows.columns()}, {plain, allChannels, 1}, filter, c,
                               rowC, false);
  if (n <= kFewOutputs && canMultiplyInPlace(rows))
    return multiplyInPlace(rows, n, filter, c, rowC);
  multiplyRows(rows, n, filter, c, rowC, [](int64_t, int64_t, const T *) {});
}

std::array<RowAxis, 3> windowsAsRows(const Convolution &c) {
  std::array<RowAxis, 3> axes;
  for (size_t dim = 0; dim < 3; ++dim) {
    const WindowAxis &axis = c.axes[dim];
    axes[dim] = {axis.size, axis.count, axis.stride, {}};
    for (int64_t tap = 0; tap < axis.window; ++tap)
      axes[dim].offsets.push_back(tap * axis.dilation - axis.before);
  }
  return axes;
}

template <typename T>
WindowRows<T> rowsOfGroup(const Convolution &c, const T *images, int64_t group) {
  return WindowRows<T>(images, c.batch, windowsAsRows(c), c.allChannels(), group * c.channels,
                       c.channels, kMostColumns<T>);
}

// ---- What flows back to the images
//
// An image's place p gets the products of the windows w and taps t for which
// w * stride + t * dilation - before = p. Places with the same remainder by the stride have the
// same taps, and are rows of one product.

struct Phase {
  std::array<int64_t, 3> first; // place of row 0 along each dim
  std::array<RowAxis, 3> axes;
  std::array<std::vector<int64_t>, 3> taps; // one for each offset
};

void addAxis(Phase &phase, size_t dim, const WindowAxis &axis, int64_t remainder) {
  phase.first[dim] = remainder;
  RowAxis &rows = phase.axes[dim];
  rows = {axis.count, (axis.size - remainder + axis.stride - 1) / axis.stride, 1, {}};
  phase.taps[dim].clear();
  for (int64_t tap = axis.window - 1; tap >= 0; --tap) {
    const int64_t distance = remainder + axis.before - tap * axis.dilation;
    if (distance % axis.stride != 0)
      continue;
    rows.offsets.push_back(distance / axis.stride);
    phase.taps[dim].push_back(tap);
  }
}

template <typename Function> void forPhases(const Convolution &c, const Function &function) {
  Phase phase;
  auto end = [&](size_t dim) { return std::min(c.axes[dim].stride, c.axes[dim].size); };
  for (int64_t first = 0; first < end(0); ++first) {
    addAxis(phase, 0, c.axes[0], first);
    for (int64_t second = 0; second < end(1); ++second) {
      addAxis(phase, 1, c.axes[1], second);
      for (int64_t third = 0; third < end(2); ++third) {
        addAxis(phase, 2, c.axes[2], third);
        function(phase);
      }
    }
  }
}

// Rows: the taps of the phase and the outputs of the group. Columns: the channels of the group.
template <typename T>
std::vector<T> turnedFilter(const Convolution &c, const Phase &phase, const T *filter,
                            int64_t group) {
  std::vector<T> turned;
  for (int64_t first : phase.taps[0])
    for (int64_t second : phase.taps[1])
      for (int64_t third : phase.taps[2]) {
        const int64_t tap = (first * c.axes[1].window + second) * c.axes[2].window + third;
        const T *from = filter + tap * c.channels * c.allOutputs() + group * c.outputs;
        for (int64_t output = 0; output < c.outputs; ++output)
          for (int64_t channel = 0; channel < c.channels; ++channel)
            turned.push_back(from[channel * c.allOutputs() + output]);
      }
  return turned;
}

// Where a row of a phase goes.
template <typename T>
T *placeOf(const Convolution &c, const Phase &phase, int64_t row, int64_t group, T *images) {
  int64_t at[3];
  for (size_t dim = 3; dim-- > 0; row /= phase.axes[dim].rows)
    at[dim] = phase.first[dim] + row % phase.axes[dim].rows * c.axes[dim].stride;
  const int64_t place =
      ((row * c.axes[0].size + at[0]) * c.axes[1].size + at[1]) * c.axes[2].size + at[2];
  return images + place * c.allChannels() + group * c.channels;
}

template <typename T>
void convolvePhase(const Convolution &c, const Phase &phase, const T *filter, const T *gradient,
                   int64_t group, bool isAll, T *images) {
  const WindowRows<T> rows(gradient, c.batch, phase.axes, c.allOutputs(), group * c.outputs,
                           c.outputs, kMostColumns<T>);
  const std::vector<T> turned = turnedFilter(c, phase, filter, group);
  const MatrixView<T> matrix{turned.data(), c.channels, 1};
  if (isAll)
    return multiplyAllRows(rows, c.allOutputs(), c.channels, matrix, images + group * c.channels,
                           c.allChannels());
  if (rows.columns() == 0) {
    for (int64_t row = 0; row < rows.rows(); ++row)
      std::fill_n(placeOf(c, phase, row, group, images), c.channels, T(0));
    return;
  }
  multiplyRows(rows, c.channels, matrix, static_cast<T *>(nullptr), 0,
               [&](int64_t row, int64_t count, const T *made) {
                 for (int64_t i = 0; i < count; ++i)
                   std::memcpy(placeOf(c, phase, row + i, group, images), made + i * c.channels,
                               static_cast<size_t>(c.channels) * sizeof(T));
               });
}

} // namespace

template <typename T>
void convolve(const Convolution &c, const T *images, const T *filter, T *result) {
  for (int64_t group = 0; group < c.groups && !Cancellation::requestedHere(); ++group)
    multiplyAllRows(rowsOfGroup(c, images, group), c.allChannels(), c.outputs,
                    {filter + group * c.outputs, c.allOutputs(), 1}, result + group * c.outputs,
                    c.allOutputs());
}

template <typename T>
void convolveInput(const Convolution &c, const T *filter, const T *gradient, T *images) {
  const bool isAll = c.axes[0].stride == 1 && c.axes[1].stride == 1 && c.axes[2].stride == 1;
  forPhases(c, [&](const Phase &phase) {
    for (int64_t group = 0; group < c.groups && !Cancellation::requestedHere(); ++group)
      convolvePhase(c, phase, filter, gradient, group, isAll, images);
  });
}

// The sum over all windows is one chain, so threads share the filter, not the windows.
template <typename T>
void convolveFilter(const Convolution &c, const T *images, const T *gradient, T *filter) {
  constexpr int64_t kRows = 256;
  for (int64_t group = 0; group < c.groups; ++group) {
    const WindowRows<T> rows = rowsOfGroup(c, images, group);
    const int64_t all = rows.rows(), n = c.outputs, rowC = c.allOutputs();
    T *const to = filter + group * n;
    const T *const factor = gradient + group * n;
    if (all == 0)
      clearRows(to, rows.columns(), n, rowC);
    const auto chunks = static_cast<int64_t>(rows.chunks().size());
    const int64_t widest = widestChunk(rows);
    const int64_t cost = 1 + costOfAll(all * n, costOfAll(widest, 1)) / kProductsOfCost;
    forPieces(chunks, cost, [&](int64_t begin, int64_t end) {
      const auto gathered = roomFor<T>(std::min(kRows, all) * widest);
      for (; begin < end; ++begin) {
        const RowChunk &chunk = rows.chunks()[static_cast<size_t>(begin)];
        for (int64_t row = 0; row < all && !Cancellation::requestedHere(); row += kRows) {
          const int64_t count = std::min(kRows, all - row);
          rows.gather(row, count, chunk, gathered.get());
          multiplyMatrices<T>({chunk.columns, n, count}, {gathered.get(), 1, chunk.columns},
                              {factor + row * rowC, rowC, 1}, to + chunk.column * rowC, rowC,
                              row > 0);
        }
      }
    });
  }
}

#define SLUICE_DEFINE_CONVOLUTIONS(T)                                                              \
  template void convolve<T>(const Convolution &, const T *, const T *, T *);                       \
  template void convolveInput<T>(const Convolution &, const T *, const T *, T *);                  \
  template void convolveFilter<T>(const Convolution &, const T *, const T *, T *);
SLUICE_DEFINE_CONVOLUTIONS(float)
SLUICE_DEFINE_CONVOLUTIONS(double)
#undef SLUICE_DEFINE_CONVOLUTIONS

} // namespace sluice::rt
