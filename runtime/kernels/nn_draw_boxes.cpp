// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel of nn.draw_boxes.
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nn.h"
#include "runtime/kernels/declare.h"

#include <algorithm>
#include <array>

namespace sluice::rt {

namespace {

Status drawShape(ShapeCall &call) {
  const Shape &images = call.input(0), &boxes = call.input(1), &colors = call.input(2);
  call.output(0) = images;
  if (images.hasRank() && images.rank() != 4)
    return invalidArgument("The rank of the images should be 4, but the shape is " +
                           images.toString());
  const int64_t channels = images.hasRank() ? images.dim(3) : Shape::kUnknown;
  if (channels >= 0 && channels != 1 && channels != 3 && channels != 4)
    return invalidArgument("Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA), but is " +
                           std::to_string(channels));
  if (boxes.hasRank() && (boxes.rank() != 3 || (boxes.dim(2) >= 0 && boxes.dim(2) != 4)))
    return invalidArgument("boxes must be 3-D with 4 columns, but has shape " + boxes.toString());
  if (images.hasRank() && boxes.hasRank() && images.dim(0) >= 0 && boxes.dim(0) >= 0 &&
      images.dim(0) != boxes.dim(0))
    return invalidArgument("The batch sizes should be the same, but the shapes are " +
                           images.toString() + " and " + boxes.toString());
  if (colors.hasRank() &&
      (colors.rank() != 2 || (colors.dim(0) > 0 && colors.dim(1) >= 0 && colors.dim(1) < channels)))
    return invalidArgument(
        "colors must be a matrix with a column for each channel, but has shape " +
        colors.toString());
  return okStatus();
}

constexpr std::array<std::array<float, 4>, 10> kColors{{{1, 1, 0, 1},
                                                        {0, 0, 1, 1},
                                                        {1, 0, 0, 1},
                                                        {0, 1, 0, 1},
                                                        {0.5, 0, 0.5, 1},
                                                        {0.5, 0.5, 0, 1},
                                                        {0.5, 0, 0, 1},
                                                        {0, 0, 0.5, 1},
                                                        {0, 1, 1, 1},
                                                        {1, 0, 1, 1}}};

template <typename T> class Canvas {
public:
  Canvas(KernelCall &call, int64_t image)
      : height_(call.input(0).shape().dim(1)), width_(call.input(0).shape().dim(2)),
        channels_(call.input(0).shape().dim(3)), colors_(call.input(2)),
        to_(call.output(0).data<T>() + image * height_ * width_ * channels_) {}

  void draw(const float *box, int64_t number) {
    const int64_t top = placeOf(box[0], height_), left = placeOf(box[1], width_),
                  bottom = placeOf(box[2], height_), right = placeOf(box[3], width_);
    if (top > bottom || left > right || top >= height_ || bottom < 0 || left >= width_ || right < 0)
      return;
    const int64_t firstRow = std::max<int64_t>(top, 0), lastRow = std::min(bottom, height_ - 1);
    const int64_t firstColumn = std::max<int64_t>(left, 0),
                  lastColumn = std::min(right, width_ - 1);
    auto fill = [&](int64_t fromRow, int64_t toRow, int64_t fromColumn, int64_t toColumn) {
      for (int64_t row = fromRow; row <= toRow; ++row)
        for (int64_t column = fromColumn; column <= toColumn; ++column)
          for (int64_t channel = 0; channel < channels_; ++channel)
            to_[(row * width_ + column) * channels_ + channel] =
                static_cast<T>(colorOf(number, channel));
    };
    if (top >= 0)
      fill(top, top, firstColumn, lastColumn);
    if (bottom < height_)
      fill(bottom, bottom, firstColumn, lastColumn);
    if (left >= 0)
      fill(firstRow, lastRow, left, left);
    if (right < width_)
      fill(firstRow, lastRow, right, right);
  }

private:
  // Beyond any image where the place is no number, or too large.
  static int64_t placeOf(float corner, int64_t size) {
    constexpr float kFar = 1e9f;
    const float place = corner * static_cast<float>(size - 1);
    return static_cast<int64_t>(place > kFar ? kFar : place > -kFar ? place : -kFar);
  }
  float colorOf(int64_t number, int64_t channel) const {
    const int64_t rows = colors_.elements() > 0 ? colors_.shape().dim(0) : 0;
    if (rows == 0)
      return channels_ == 1 ? 1
                            : kColors[static_cast<size_t>(number) % kColors.size()]
                                     [static_cast<size_t>(channel)];
    return colors_.data<float>()[number % rows * colors_.shape().dim(1) + channel];
  }

  int64_t height_, width_, channels_;
  const Tensor &colors_;
  T *to_;
};

template <typename T> Status drawRun(KernelCall &call) {
  copyInPieces(call.output(0).raw(), call.input(0).raw(), call.output(0).bytes());
  if (call.output(0).elements() == 0)
    return okStatus();
  const Shape &images = call.input(0).shape();
  const int64_t boxes = call.input(1).shape().dim(1);
  const int64_t cost = costOfAll(boxes, 8 * (images.dim(1) + images.dim(2)) * images.dim(3));
  forPieces(images.dim(0), std::max<int64_t>(1, cost), [&](int64_t begin, int64_t end) {
    for (int64_t image = begin; image < end; ++image) {
      Canvas<T> canvas(call, image);
      for (int64_t i = 0; i < boxes && !Cancellation::requestedHere(); ++i)
        canvas.draw(call.input(1).data<float>() + (image * boxes + i) * 4, i);
    }
  });
  return okStatus();
}

uint64_t drawWork(const KernelCall &call) {
  const Shape &images = call.input(0).shape();
  if (images.rank() != 4)
    return 0;
  return static_cast<uint64_t>(call.input(0).elements()) / 8 +
         static_cast<uint64_t>(call.input(1).elements() * (images.dim(1) + images.dim(2)));
}
template <typename T> constexpr Kernel nn_draw_boxes_kernel() {
  return {drawShape, drawRun<T>, Kernel::kNone, nullptr, drawWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(nn_draw_boxes, FLOAT)

} // namespace sluice::rt
