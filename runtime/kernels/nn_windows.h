// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of images: where they lie along each spatial dim, and how many there are.
#pragma once

#include "runtime/kernels/kernel.h"

#include <array>
#include <string_view>

namespace sluice::rt {

// As the ops' attributes say, one entry for each spatial dim.
struct WindowAttributes {
  std::span<const int64_t> strides, dilations; // no dilations: all are 1
  std::string_view padding;
  std::span<const int64_t> pads;

  int rank() const { return static_cast<int>(strides.size()); }
  int64_t dilation(int dim) const {
    return dilations.empty() ? 1 : dilations[static_cast<size_t>(dim)];
  }
};

// How many windows of a size lie along a spatial dim of another; an unknown size, or a name, if one
// of them is not known. INVALID_ARGUMENT if the windows reach too far.
Result<int64_t> windowsAlong(const WindowAttributes &attributes, int dim, int64_t size,
                             int64_t window, const Sizes &sizes);

// Window i begins at i * stride - before, and has `window` elements that are `dilation` apart.
struct WindowAxis {
  int64_t size = 1, window = 1, stride = 1, dilation = 1, before = 0, count = 1;
};

// Of all spatial dims, of which there are three: those that images lack, outermost, are of size 1.
inline constexpr int kSpatialDims = 3;
using WindowAxes = std::array<WindowAxis, kSpatialDims>;
// All shapes are known and fit. `window` gives the size of the windows along a dim.
template <typename Window>
WindowAxes windowAxes(const WindowAttributes &attributes, const Shape &images, const Shape &result,
                      Window window);
// The axis along spatial dim `dim` of the attributes.
WindowAxis windowAxis(const WindowAttributes &attributes, int dim, int64_t size, int64_t window,
                      int64_t count);

template <typename Window>
WindowAxes windowAxes(const WindowAttributes &attributes, const Shape &images, const Shape &result,
                      Window window) {
  WindowAxes axes;
  const int rank = attributes.rank();
  for (int dim = 0; dim < rank; ++dim)
    axes[static_cast<size_t>(kSpatialDims - rank + dim)] =
        windowAxis(attributes, dim, images.dim(dim + 1), window(dim), result.dim(dim + 1));
  return axes;
}

// INVALID_ARGUMENT unless the rank is that of images, if it is known.
Status checkImages(const Shape &shape, const char *what, int spatialDims);

} // namespace sluice::rt
