// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How windows lie along a dim. Results are those of TensorFlow's padding schemes.
#include "runtime/kernels/nn_windows.h"

#include <algorithm>

namespace sluice::rt {

namespace {

// Sizes, and what windows reach over, are below this, so that sums of several do not overflow.
constexpr int64_t kMost = int64_t{1} << 60;

Status tooLarge(const char *what, int64_t size) {
  return invalidArgument(format("expected %s of at most %lld elements but got %lld", what,
                                static_cast<long long>(kMost), static_cast<long long>(size)));
}

// Places from the first element of a window to behind its last one.
Result<int64_t> reachOf(int64_t window, int64_t dilation) {
  int64_t reach;
  if (__builtin_mul_overflow(window - 1, dilation, &reach) || reach >= kMost)
    return tooLarge("windows with dilation", window);
  return reach + 1;
}

Result<int64_t> knownCount(int64_t size, int64_t reach, int64_t stride) {
  if (size - reach + stride < 0)
    return invalidArgument(
        format("expected windows of at most %lld elements, with dilation, but got %lld",
               static_cast<long long>(size + stride), static_cast<long long>(reach)));
  return (size - reach + stride) / stride;
}

} // namespace

Result<int64_t> windowsAlong(const WindowAttributes &attributes, int dim, int64_t size,
                             int64_t window, const Sizes &sizes) {
  const auto at = static_cast<size_t>(dim);
  const int64_t stride = attributes.strides[at];
  if (size > kMost)
    return tooLarge("images", size);
  int64_t reach = Shape::kUnknown;
  if (Sizes::isKnown(window)) {
    SLUICE_ASSIGN_OR_RETURN(reach, reachOf(window, attributes.dilation(dim)));
  }
  if (attributes.padding == "same")
    return sizes.divide(sizes.add(size, stride - 1), stride);
  if (!Sizes::isKnown(window))
    return Shape::kUnknown;
  int64_t padded = size;
  if (attributes.padding == "explicit")
    padded = sizes.add(size, attributes.pads[2 * at] + attributes.pads[2 * at + 1]);
  if (Sizes::isKnown(padded))
    return knownCount(padded, reach, stride);
  const int64_t more = sizes.add(padded, stride);
  sizes.requireNotAbove(reach, more);
  return sizes.divide(sizes.subtract(more, reach), stride);
}

WindowAxis windowAxis(const WindowAttributes &attributes, int dim, int64_t size, int64_t window,
                      int64_t count) {
  const auto at = static_cast<size_t>(dim);
  WindowAxis axis{size, window, attributes.strides[at], attributes.dilation(dim), 0, count};
  if (attributes.padding == "explicit") {
    axis.before = attributes.pads[2 * at];
  } else if (attributes.padding == "same" && count > 0) {
    const int64_t reach = (window - 1) * axis.dilation + 1;
    axis.before = std::max<int64_t>(0, reach - (size - (count - 1) * axis.stride)) / 2;
  }
  return axis;
}

Status checkImages(const Shape &shape, const char *what, int spatialDims) {
  if (!shape.hasRank() || shape.rank() == spatialDims + 2)
    return okStatus();
  return invalidArgument(format("expected %s of rank %d but got shape %s", what, spatialDims + 2,
                                shape.toString().c_str()));
}

} // namespace sluice::rt
