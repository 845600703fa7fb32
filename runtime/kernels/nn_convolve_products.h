// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions as products of matrices: windows times filter, and what flows back through that.
#pragma once

#include "runtime/kernels/nn_windows.h"

namespace sluice::rt {

// images: batch, three spatial dims, groups * channels. filter: windows, channels, groups *
// outputs. result: batch, as many windows, groups * outputs. All row-major, of f32 or f64.
struct Convolution {
  int64_t batch;
  WindowAxes axes;
  int64_t groups, channels, outputs; // of a group
  int64_t allChannels() const { return groups * channels; }
  int64_t allOutputs() const { return groups * outputs; }
  int64_t places() const { return axes[0].size * axes[1].size * axes[2].size; }
  int64_t windows() const { return axes[0].count * axes[1].count * axes[2].count; }
  int64_t taps() const { return axes[0].window * axes[1].window * axes[2].window; }
};

template <typename T>
void convolve(const Convolution &c, const T *images, const T *filter, T *result);
template <typename T>
void convolveInput(const Convolution &c, const T *filter, const T *gradient, T *images);
template <typename T>
void convolveFilter(const Convolution &c, const T *images, const T *gradient, T *filter);

// The same where each group has one channel; runtime/kernels/nn_depthwise.cpp.
template <typename T>
void convolveDepthwise(const Convolution &c, const T *images, const T *filter, T *result);
template <typename T>
void convolveDepthwiseInput(const Convolution &c, const T *filter, const T *gradient, T *images);
template <typename T>
void convolveDepthwiseFilter(const Convolution &c, const T *images, const T *gradient, T *filter);

} // namespace sluice::rt
