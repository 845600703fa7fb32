// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of pools: averages and greatest elements of windows, and what flows back through
// averages.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/nn.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/nn_windows.h"
#include "runtime/kernels/shape_rules.h"

#include <algorithm>

namespace sluice::rt {

namespace {

using Attributes =
    attributes::SharedBy<attributes::nn::AveragePool, attributes::nn::AveragePoolInput,
                         attributes::nn::MaxPool, attributes::nn::MaxPoolIndex>;

WindowAttributes windowsOf(const Attributes &op) {
  return {op.strides(), {}, op.padding(), op.pads()};
}

Result<Shape> pooledShape(const Attributes &op, const Shape &images, const Sizes &sizes) {
  const WindowAttributes windows = windowsOf(op);
  const int rank = windows.rank();
  SLUICE_RETURN_IF_ERROR(checkImages(images, "images", rank));
  Shape result = Shape::unknownDims(rank + 2);
  if (!images.hasRank())
    return result;
  result.setDim(0, images.dim(0));
  result.setDim(rank + 1, images.dim(rank + 1));
  for (int dim = 0; dim < rank; ++dim) {
    SLUICE_ASSIGN_OR_RETURN(int64_t count,
                            windowsAlong(windows, dim, images.dim(dim + 1),
                                         op.windows()[static_cast<size_t>(dim)], sizes));
    result.setDim(dim + 1, count);
  }
  return result;
}

Status poolShape(ShapeCall &call) {
  SLUICE_ASSIGN_OR_RETURN(call.output(0),
                          pooledShape(Attributes(call), call.input(0), call.sizes()));
  return okStatus();
}

Status poolInputShape(ShapeCall &call) {
  Shape images, merged;
  SLUICE_RETURN_IF_ERROR(shapeFromOperand(call, 0, "dims", images));
  SLUICE_ASSIGN_OR_RETURN(Shape expected, pooledShape(Attributes(call), images, call.sizes()));
  if (!mergeShapes(call.input(1), expected, merged, call.sizes()))
    return invalidArgument("expected a gradient of the shape " + expected.toString() + " but got " +
                           call.input(1).toString());
  call.output(0) = images;
  return okStatus();
}

// Numbers from begin to below end.
struct Range {
  int64_t begin, end;
  int64_t count() const { return end - begin; }
};

// The places of a window that are in the image.
Range placesOf(const WindowAxis &axis, int64_t window) {
  const int64_t first = window * axis.stride - axis.before;
  const int64_t begin = std::clamp<int64_t>(first, 0, axis.size);
  return {begin, std::clamp<int64_t>(first + axis.window, begin, axis.size)};
}
// The windows that have a place.
Range windowsAt(const WindowAxis &axis, int64_t place) {
  const int64_t last = place + axis.before, first = last - axis.window;
  const int64_t begin = first < 0 ? 0 : first / axis.stride + 1;
  return {begin, std::clamp<int64_t>(last / axis.stride + 1, begin, axis.count)};
}

struct Pool {
  int64_t batch, channels;
  WindowAxes axes;

  Pool(const Attributes &op, const Shape &images, const Shape &result)
      : batch(images.dim(0)), channels(images.dim(images.rank() - 1)),
        axes(windowAxes(windowsOf(op), images, result,
                        [&](int dim) { return op.windows()[static_cast<size_t>(dim)]; })) {}

  int64_t windows() const { return axes[0].count * axes[1].count * axes[2].count; }
  int64_t places() const { return axes[0].size * axes[1].size * axes[2].size; }
  // Of one window or place, with all its channels; no window is larger than the image.
  int64_t cost() const {
    int64_t most = 1;
    for (const WindowAxis &axis : axes)
      most = costOfAll(std::min(axis.size, axis.window), most);
    return 16 + costOfAll(channels, most) / 4;
  }
};

// Ranges along the three dims, of rows of all channels.
struct Box {
  Range ranges[3];
  int64_t sizes[3]; // of all that the ranges are in
  int64_t image;

  int64_t count() const { return ranges[0].count() * ranges[1].count() * ranges[2].count(); }
  // Calls visit(row, x, y, z) in row-major order.
  template <typename Visit> void forRows(const Visit &visit) const {
    for (int64_t x = ranges[0].begin; x < ranges[0].end; ++x)
      for (int64_t y = ranges[1].begin; y < ranges[1].end; ++y) {
        const int64_t line = ((image * sizes[0] + x) * sizes[1] + y) * sizes[2];
        for (int64_t z = ranges[2].begin; z < ranges[2].end; ++z)
          visit(line + z, x, y, z);
      }
  }
};

// The boxes of one window or place after the other, in row-major order.
class Boxes {
public:
  enum class Of : uint8_t { kWindows, kPlaces };
  Boxes(const Pool &pool, Of of, int64_t position) : pool_(pool), of_(of) {
    for (size_t dim = 3; dim-- > 0; position /= count(dim)) {
      at_[dim] = position % count(dim);
      box_.sizes[dim] = of == Of::kWindows ? pool.axes[dim].size : pool.axes[dim].count;
      setRange(dim);
    }
    box_.image = position;
  }
  const Box &box() const { return box_; }
  void next() {
    for (size_t dim = 3; dim-- > 0;) {
      const bool isLast = ++at_[dim] == count(dim);
      if (isLast)
        at_[dim] = 0;
      setRange(dim);
      if (!isLast)
        return;
    }
    ++box_.image;
  }

private:
  int64_t count(size_t dim) const {
    return of_ == Of::kWindows ? pool_.axes[dim].count : pool_.axes[dim].size;
  }
  void setRange(size_t dim) {
    const WindowAxis &axis = pool_.axes[dim];
    box_.ranges[dim] = of_ == Of::kWindows ? placesOf(axis, at_[dim]) : windowsAt(axis, at_[dim]);
  }

  const Pool &pool_;
  const Of of_;
  int64_t at_[3];
  Box box_;
};

// For each channel, what the box's rows are combined to: combine(so far, element, weight), where
// weight(x, y, z) is that of a row. Calls store(channel, result). Some channels at a time stay in
// registers.
template <typename T> constexpr int64_t kSome = 128 / static_cast<int64_t>(sizeof(Compute<T>));
template <typename T, int64_t kLanes, typename Weight, typename Combine, typename Store>
[[gnu::always_inline]] inline void
combineLanes(const Box &box, const T *from, int64_t channels, int64_t channel, Compute<T> initial,
             const Weight &weight, const Combine &combine, const Store &store) {
  using C = Compute<T>;
  C some[kLanes];
  std::fill_n(some, kLanes, initial);
  box.forRows([&](int64_t row, int64_t x, int64_t y, int64_t z) {
    const T *elements = from + row * channels + channel;
    const C factor = weight(x, y, z);
    for (int64_t lane = 0; lane < kLanes; ++lane)
      some[lane] = combine(some[lane], static_cast<C>(elements[lane]), factor);
  });
  for (int64_t lane = 0; lane < kLanes; ++lane)
    store(channel + lane, some[lane]);
}
template <typename T, typename Weight, typename Combine, typename Store>
void combineRows(const Box &box, const T *from, int64_t channels, Compute<T> initial,
                 const Weight &weight, const Combine &combine, const Store &store) {
  constexpr int64_t kFew = 4;
  int64_t channel = 0;
  for (; channel + kSome<T> <= channels; channel += kSome<T>)
    combineLanes<T, kSome<T>>(box, from, channels, channel, initial, weight, combine, store);
  if (channel + 4 * kFew <= channels) {
    combineLanes<T, 4 * kFew>(box, from, channels, channel, initial, weight, combine, store);
    channel += 4 * kFew;
  }
  if (channel + 2 * kFew <= channels) {
    combineLanes<T, 2 * kFew>(box, from, channels, channel, initial, weight, combine, store);
    channel += 2 * kFew;
  }
  for (; channel + kFew <= channels; channel += kFew)
    combineLanes<T, kFew>(box, from, channels, channel, initial, weight, combine, store);
  for (; channel < channels; ++channel)
    combineLanes<T, 1>(box, from, channels, channel, initial, weight, combine, store);
}

template <typename T> Status runAverage(KernelCall &call) {
  using C = Compute<T>;
  Tensor &result = call.output(0);
  if (result.elements() == 0)
    return okStatus();
  const Pool pool(Attributes(call), call.input(0).shape(), result.shape());
  const T *from = call.input(0).data<T>();
  T *to = result.data<T>();
  forPieces(pool.batch * pool.windows(), pool.cost(), [=, &pool](int64_t begin, int64_t end) {
    for (Boxes boxes(pool, Boxes::Of::kWindows, begin); begin < end; ++begin, boxes.next()) {
      const C count = static_cast<C>(boxes.box().count());
      T *row = to + begin * pool.channels;
      combineRows(
          boxes.box(), from, pool.channels, C(0), [](int64_t, int64_t, int64_t) { return C(0); },
          [](C sum, C x, C) { return sum + x; },
          [=](int64_t channel, C sum) { row[channel] = T(sum / count); });
    }
  });
  return okStatus();
}

// Each place gets its share of the windows that have it.
template <typename T> Status runAverageInput(KernelCall &call) {
  using C = Compute<T>;
  Tensor &result = call.output(0);
  if (result.elements() == 0)
    return okStatus();
  const Pool pool(Attributes(call), result.shape(), call.input(1).shape());
  const T *from = call.input(1).data<T>();
  T *to = result.data<T>();
  forPieces(pool.batch * pool.places(), pool.cost(), [=, &pool](int64_t begin, int64_t end) {
    auto placesOfWindow = [&](int64_t x, int64_t y, int64_t z) {
      return static_cast<C>(placesOf(pool.axes[0], x).count() * placesOf(pool.axes[1], y).count() *
                            placesOf(pool.axes[2], z).count());
    };
    for (Boxes boxes(pool, Boxes::Of::kPlaces, begin); begin < end; ++begin, boxes.next()) {
      T *row = to + begin * pool.channels;
      combineRows(
          boxes.box(), from, pool.channels, C(0), placesOfWindow,
          [](C sum, C x, C count) { return sum + x / count; },
          [=](int64_t channel, C sum) { row[channel] = T(sum); });
    }
  });
  return okStatus();
}

template <typename T> T lowest() {
  if constexpr (std::is_floating_point_v<T>)
    return -std::numeric_limits<T>::infinity();
  else
    return std::numeric_limits<T>::min();
}

template <typename T> Status runMax(KernelCall &call) {
  using C = Compute<T>;
  Tensor &result = call.output(0);
  if (result.elements() == 0)
    return okStatus();
  const Pool pool(Attributes(call), call.input(0).shape(), result.shape());
  const T *from = call.input(0).data<T>();
  T *to = result.data<T>();
  forPieces(pool.batch * pool.windows(), pool.cost(), [=, &pool](int64_t begin, int64_t end) {
    for (Boxes boxes(pool, Boxes::Of::kWindows, begin); begin < end; ++begin, boxes.next()) {
      T *row = to + begin * pool.channels;
      combineRows(
          boxes.box(), from, pool.channels, lowest<C>(),
          [](int64_t, int64_t, int64_t) { return C(0); },
          [](C most, C x, C) { return x > most ? x : most; },
          [=](int64_t channel, C most) { row[channel] = T(most); });
    }
  });
  return okStatus();
}

template <typename T> Status runMaxIndex(KernelCall &call) {
  using C = Compute<T>;
  Tensor &result = call.output(0);
  if (result.elements() == 0)
    return okStatus();
  const Pool pool(Attributes(call), call.input(0).shape(), result.shape());
  const T *from = call.input(0).data<T>();
  auto *to = result.data<int64_t>();
  forPieces(pool.batch * pool.windows(), pool.cost(), [=, &pool](int64_t begin, int64_t end) {
    for (Boxes boxes(pool, Boxes::Of::kWindows, begin); begin < end; ++begin, boxes.next()) {
      int64_t *row = to + begin * pool.channels;
      bool isFirst = true;
      boxes.box().forRows([&](int64_t place, int64_t, int64_t, int64_t) {
        const T *elements = from + place * pool.channels;
        for (int64_t channel = 0; channel < pool.channels; ++channel)
          if (isFirst || static_cast<C>(elements[channel]) > static_cast<C>(from[row[channel]]))
            row[channel] = place * pool.channels + channel;
        isFirst = false;
      });
    }
  });
  return okStatus();
}

// Elements that are looked at.
uint64_t workOf(const Attributes &op, int64_t results) {
  uint64_t work = static_cast<uint64_t>(results);
  for (int64_t window : op.windows())
    if (__builtin_mul_overflow(work, static_cast<uint64_t>(window), &work))
      return UINT64_MAX;
  return work;
}
uint64_t poolWork(const KernelCall &call) {
  Attributes op(call);
  Result<Shape> result = pooledShape(op, call.input(0).shape(), {});
  return result.ok() && result->checkedElements().ok() ? workOf(op, result->elements()) : 0;
}
uint64_t poolInputWork(const KernelCall &call) {
  return workOf(Attributes(call), call.input(1).elements());
}

template <typename T> constexpr Kernel nn_average_pool_kernel() {
  return {poolShape, runAverage<T>, Kernel::kNone, nullptr, poolWork};
}
template <typename T> constexpr Kernel nn_average_pool_input_kernel() {
  return {poolInputShape, runAverageInput<T>, Kernel::kNone, nullptr, poolInputWork};
}
template <typename T> constexpr Kernel nn_max_pool_kernel() {
  return {poolShape, runMax<T>, Kernel::kNone, nullptr, poolWork};
}
template <typename T> constexpr Kernel nn_max_pool_index_kernel() {
  return {poolShape, runMaxIndex<T>, Kernel::kNone, nullptr, poolWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(nn_average_pool, FLOAT)
SLUICE_DEFINE_KERNELS(nn_average_pool_input, FLOAT)
SLUICE_DEFINE_KERNELS(nn_max_pool, REAL)
SLUICE_DEFINE_KERNELS(nn_max_pool_index, REAL)

} // namespace sluice::rt
