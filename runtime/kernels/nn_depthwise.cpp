// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions whose groups have one channel each: sums of products of neighbouring channels.
#include "runtime/base/pieces.h"
#include "runtime/kernels/nn_convolve_products.h"

#include <vector>

namespace sluice::rt {

namespace {

// So many channels are summed in registers.
template <typename T> constexpr int64_t kSome = 128 / sizeof(T);

// A pair of places whose elements are multiplied, counted in places.
struct Pair {
  int64_t tap, place;
};

struct Position {
  int64_t image, at[3];
};
// Of row-major position `index` in dims of these sizes.
Position positionOf(int64_t index, const int64_t (&sizes)[3]) {
  Position position;
  for (int dim = 2; dim >= 0; index /= sizes[dim], --dim)
    position.at[dim] = index % sizes[dim];
  position.image = index;
  return position;
}

// Calls visit(taps, places) for those of each spatial dim that are multiplied; `place` gives the
// place of a tap along a dim, below 0 if there is none.
template <typename Place>
void pairsOf(const Convolution &c, const int64_t (&sizes)[3], int64_t image, const Place &place,
             std::vector<Pair> &pairs) {
  pairs.clear();
  for (int64_t first = 0; first < c.axes[0].window; ++first) {
    const int64_t x = place(0, first);
    for (int64_t second = 0; x >= 0 && second < c.axes[1].window; ++second) {
      const int64_t y = place(1, second);
      for (int64_t third = 0; y >= 0 && third < c.axes[2].window; ++third)
        if (const int64_t z = place(2, third); z >= 0)
          pairs.push_back({(first * c.axes[1].window + second) * c.axes[2].window + third,
                           ((image * sizes[0] + x) * sizes[1] + y) * sizes[2] + z});
    }
  }
}

struct Sizes3 {
  int64_t images[3], windows[3];
  explicit Sizes3(const Convolution &c) {
    for (size_t dim = 0; dim < 3; ++dim) {
      images[dim] = c.axes[dim].size;
      windows[dim] = c.axes[dim].count;
    }
  }
};

// The place of an image that tap `tap` of window `window` is at.
int64_t placeOfTap(const WindowAxis &axis, int64_t window, int64_t tap) {
  const int64_t place = window * axis.stride + tap * axis.dilation - axis.before;
  return place < axis.size ? place : -1;
}
// The window whose tap `tap` is at a place.
int64_t windowOfTap(const WindowAxis &axis, int64_t place, int64_t tap) {
  const int64_t distance = place + axis.before - tap * axis.dilation;
  if (distance < 0 || distance % axis.stride != 0 || distance / axis.stride >= axis.count)
    return -1;
  return distance / axis.stride;
}

// sums[i] = chain over the pairs of a[place, i] * b[tap, i], for neighbours i; rows are so long.
template <typename T>
void sumNeighbours(const std::vector<Pair> &pairs, const T *a, const T *b, int64_t length,
                   T *sums) {
  int64_t i = 0;
  for (; i + kSome<T> <= length; i += kSome<T>) {
    T chain[kSome<T>] = {};
    for (const Pair &pair : pairs) {
      const T *left = a + pair.place * length + i, *right = b + pair.tap * length + i;
      for (int64_t lane = 0; lane < kSome<T>; ++lane)
        chain[lane] = __builtin_elementwise_fma(left[lane], right[lane], chain[lane]);
    }
    std::copy_n(chain, kSome<T>, sums + i);
  }
  for (; i < length; ++i) {
    T chain(0);
    for (const Pair &pair : pairs)
      chain =
          __builtin_elementwise_fma(a[pair.place * length + i], b[pair.tap * length + i], chain);
    sums[i] = chain;
  }
}

int64_t costOfPosition(const Convolution &c) {
  return 16 + costOfAll(c.allOutputs(), costOfAll(c.taps(), 1)) / 4;
}

} // namespace

template <typename T>
void convolveDepthwise(const Convolution &c, const T *images, const T *filter, T *result) {
  const Sizes3 sizes(c);
  const int64_t m = c.outputs, all = c.allOutputs();
  forPieces(c.batch * c.windows(), costOfPosition(c), [&, m, all](int64_t begin, int64_t end) {
    std::vector<Pair> pairs;
    for (; begin < end; ++begin) {
      const Position at = positionOf(begin, sizes.windows);
      pairsOf(
          c, sizes.images, at.image,
          [&](size_t dim, int64_t tap) { return placeOfTap(c.axes[dim], at.at[dim], tap); }, pairs);
      T *to = result + begin * all;
      if (m == 1) {
        sumNeighbours(pairs, images, filter, all, to);
        continue;
      }
      std::fill_n(to, all, T(0));
      for (const Pair &pair : pairs)
        for (int64_t channel = 0; channel < c.groups; ++channel) {
          const T factor = images[pair.place * c.groups + channel];
          for (int64_t i = channel * m; i < (channel + 1) * m; ++i)
            to[i] = __builtin_elementwise_fma(factor, filter[pair.tap * all + i], to[i]);
        }
    }
  });
}

template <typename T>
void convolveDepthwiseInput(const Convolution &c, const T *filter, const T *gradient, T *images) {
  const Sizes3 sizes(c);
  const int64_t m = c.outputs, all = c.allOutputs();
  forPieces(c.batch * c.places(), costOfPosition(c), [&, m, all](int64_t begin, int64_t end) {
    std::vector<Pair> pairs;
    for (; begin < end; ++begin) {
      const Position at = positionOf(begin, sizes.images);
      pairsOf(
          c, sizes.windows, at.image,
          [&](size_t dim, int64_t tap) { return windowOfTap(c.axes[dim], at.at[dim], tap); },
          pairs);
      T *to = images + begin * c.groups;
      if (m == 1) {
        sumNeighbours(pairs, gradient, filter, all, to);
        continue;
      }
      std::fill_n(to, c.groups, T(0));
      for (const Pair &pair : pairs)
        for (int64_t i = 0; i < all; ++i)
          to[i / m] = __builtin_elementwise_fma(gradient[pair.place * all + i],
                                                filter[pair.tap * all + i], to[i / m]);
    }
  });
}

namespace {

// The products of one line of windows, along the last dim, and the places that tap `tap` of them is
// at; both lines begin where they are given.
template <typename T>
void addLine(const Convolution &c, int64_t tap, const T *images, const T *gradient, T *to) {
  const int64_t m = c.outputs, all = c.allOutputs();
  for (int64_t window = 0; window < c.axes[2].count; ++window) {
    const int64_t place = placeOfTap(c.axes[2], window, tap);
    if (place < 0)
      continue;
    const T *a = images + place * c.groups, *b = gradient + window * all;
    if (m == 1)
      for (int64_t i = 0; i < all; ++i)
        to[i] = __builtin_elementwise_fma(a[i], b[i], to[i]);
    else
      for (int64_t i = 0; i < all; ++i)
        to[i] = __builtin_elementwise_fma(a[i / m], b[i], to[i]);
  }
}

} // namespace

// Each line of the filter is a chain over the windows, in their order; threads share its lines.
template <typename T>
void convolveDepthwiseFilter(const Convolution &c, const T *images, const T *gradient, T *filter) {
  const Sizes3 sizes(c);
  const int64_t all = c.allOutputs(), lines = c.batch * sizes.windows[0] * sizes.windows[1];
  const int64_t length = c.axes[2].count * all;
  const int64_t taps[3] = {c.axes[0].window, c.axes[1].window, c.axes[2].window};
  const int64_t outer[3] = {sizes.windows[0], sizes.windows[1], 1};
  const int64_t cost = 1 + costOfAll(lines, costOfAll(length, 1)) / 4;
  forPieces(c.taps(), cost, [&, all, lines, length](int64_t begin, int64_t end) {
    for (; begin < end; ++begin) {
      const Position tap = positionOf(begin, taps);
      T *to = filter + begin * all;
      std::fill_n(to, all, T(0));
      TurnsOfCall turns(length);
      for (int64_t line = 0; line < lines && !turns.end(); ++line) {
        const Position at = positionOf(line, outer);
        const int64_t x = placeOfTap(c.axes[0], at.at[0], tap.at[0]),
                      y = placeOfTap(c.axes[1], at.at[1], tap.at[1]);
        if (x < 0 || y < 0)
          continue;
        const int64_t from = (at.image * sizes.images[0] + x) * sizes.images[1] + y;
        addLine(c, tap.at[2], images + from * sizes.images[2] * c.groups, gradient + line * length,
                to);
      }
    }
  });
}

#define SLUICE_DEFINE_DEPTHWISE(T)                                                                 \
  template void convolveDepthwise<T>(const Convolution &, const T *, const T *, T *);              \
  template void convolveDepthwiseInput<T>(const Convolution &, const T *, const T *, T *);         \
  template void convolveDepthwiseFilter<T>(const Convolution &, const T *, const T *, T *);
SLUICE_DEFINE_DEPTHWISE(float)
SLUICE_DEFINE_DEPTHWISE(double)
#undef SLUICE_DEFINE_DEPTHWISE

} // namespace sluice::rt
