// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of convolutions and of what flows back through them: shapes, and elements of each type.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/nn.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"
#include "runtime/kernels/nn_convolve_products.h"
#include "runtime/kernels/shape_rules.h"

#include <vector>

namespace sluice::rt {

namespace {

using Attributes = attributes::SharedBy<attributes::nn::Convolve, attributes::nn::ConvolveInput,
                                        attributes::nn::ConvolveFilter>;

WindowAttributes windowsOf(const Attributes &op) {
  return {op.strides(), op.dilations(), op.padding(), op.pads()};
}

// How many times as many channels the images have as the filter takes.
int64_t groupsOf(int64_t channels, int64_t perGroup) {
  return perGroup == 0 ? 1 : channels / perGroup;
}

Status checkChannels(const Shape &images, const Shape &filter, const Sizes &sizes) {
  const int last = images.rank() - 1;
  const int64_t channels = images.dim(last), perGroup = filter.dim(last - 1),
                outputs = filter.dim(last);
  auto fails = [&](const char *what) {
    return invalidArgument(format("expected %s but got images of shape %s and a filter of shape %s",
                                  what, images.toString().c_str(), filter.toString().c_str()));
  };
  if (channels >= 0 && perGroup >= 0 && (perGroup == 0 ? channels != 0 : channels % perGroup != 0))
    return fails("images with some times as many channels as the filter takes");
  sizes.requireMultiple(channels, perGroup);
  if (channels > 0 && perGroup > 0 && outputs >= 0 && outputs % groupsOf(channels, perGroup) != 0)
    return fails("a filter with as many outputs for each group of channels");
  return okStatus();
}

// Of the convolution of images with a filter.
Result<Shape> convolvedShape(const Attributes &op, const Shape &images, const Shape &filter,
                             const Sizes &sizes) {
  const WindowAttributes windows = windowsOf(op);
  const int rank = windows.rank();
  SLUICE_RETURN_IF_ERROR(checkImages(images, "images", rank));
  SLUICE_RETURN_IF_ERROR(checkImages(filter, "a filter", rank));
  Shape result = Shape::unknownDims(rank + 2);
  if (images.hasRank())
    result.setDim(0, images.dim(0));
  if (filter.hasRank())
    result.setDim(rank + 1, filter.dim(rank + 1));
  if (!images.hasRank() || !filter.hasRank())
    return result;
  SLUICE_RETURN_IF_ERROR(checkChannels(images, filter, sizes));
  for (int dim = 0; dim < rank; ++dim) {
    SLUICE_ASSIGN_OR_RETURN(
        int64_t count, windowsAlong(windows, dim, images.dim(dim + 1), filter.dim(dim), sizes));
    result.setDim(dim + 1, count);
  }
  return result;
}

// An error unless what comes back has the shape of what was convolved.
Status checkGradient(const Attributes &op, const Shape &images, const Shape &filter,
                     const Shape &gradient, const Sizes &sizes) {
  SLUICE_ASSIGN_OR_RETURN(Shape expected, convolvedShape(op, images, filter, sizes));
  Shape merged;
  if (mergeShapes(gradient, expected, merged, sizes))
    return okStatus();
  return invalidArgument("expected a gradient of the shape " + expected.toString() + " but got " +
                         gradient.toString());
}

Status convolveShape(ShapeCall &call) {
  SLUICE_ASSIGN_OR_RETURN(
      call.output(0), convolvedShape(Attributes(call), call.input(0), call.input(1), call.sizes()));
  return okStatus();
}
Status convolveInputShape(ShapeCall &call) {
  Shape images;
  SLUICE_RETURN_IF_ERROR(shapeFromOperand(call, 0, "dims", images));
  SLUICE_RETURN_IF_ERROR(
      checkGradient(Attributes(call), images, call.input(1), call.input(2), call.sizes()));
  call.output(0) = images;
  return okStatus();
}
Status convolveFilterShape(ShapeCall &call) {
  Shape filter;
  SLUICE_RETURN_IF_ERROR(shapeFromOperand(call, 1, "dims", filter));
  SLUICE_RETURN_IF_ERROR(
      checkGradient(Attributes(call), call.input(0), filter, call.input(2), call.sizes()));
  call.output(0) = filter;
  return okStatus();
}

// ---- Elements

Convolution convolutionOf(const Attributes &op, const Shape &images, const Shape &filter,
                          const Shape &result) {
  const int last = images.rank() - 1;
  Convolution c;
  c.batch = images.dim(0);
  c.axes = windowAxes(windowsOf(op), images, result, [&](int dim) { return filter.dim(dim); });
  c.channels = filter.dim(last - 1);
  c.groups = groupsOf(images.dim(last), c.channels);
  c.outputs = filter.dim(last) / c.groups;
  return c;
}

// Multiplications and additions.
uint64_t workOf(const Shape &filter, const Shape &result) {
  if (filter.rank() == 0 || filter.elements() == 0)
    return 0;
  const int64_t outputs = filter.dim(filter.rank() - 1);
  return 2 * static_cast<uint64_t>(result.elements()) *
         static_cast<uint64_t>(filter.elements() / outputs);
}
uint64_t convolveWork(const KernelCall &call) {
  const Shape &filter = call.input(1).shape();
  Attributes op(call);
  Result<Shape> result = convolvedShape(op, call.input(0).shape(), filter, {});
  return result.ok() && result->checkedElements().ok() ? workOf(filter, *result) : 0;
}
uint64_t convolveInputWork(const KernelCall &call) {
  return workOf(call.input(1).shape(), call.input(2).shape());
}
uint64_t convolveFilterWork(const KernelCall &call) {
  Shape filter;
  return readShape(call.input(1), filter).ok() ? workOf(filter, call.input(2).shape()) : 0;
}

// Elements as those which the products are made of: 16-bit floats as f32, which is rounded once.
template <typename T> class Factor {
public:
  using Element = Compute<T>;
  explicit Factor(const Tensor &tensor) : data_(tensor.data<Element>()) {
    if constexpr (kIsSmallFloat<T>) {
      wide_.resize(static_cast<size_t>(tensor.elements()));
      const T *from = tensor.data<T>();
      for (size_t i = 0; i < wide_.size(); ++i)
        wide_[i] = static_cast<float>(from[i]);
      data_ = wide_.data();
    }
  }
  const Element *data() const { return data_; }

private:
  std::vector<float> wide_;
  const Element *data_;
};

// Calls make(elements) and hands them over.
template <typename T, typename Make> void makeResult(Tensor &result, const Make &make) {
  if constexpr (kIsSmallFloat<T>) {
    std::vector<float> wide(static_cast<size_t>(result.elements()));
    make(wide.data());
    for (size_t i = 0; i < wide.size(); ++i)
      result.data<T>()[i] = T(wide[i]);
  } else {
    make(result.data<T>());
  }
}

// Results without any products are zeros.
bool hasNoProducts(const Tensor &a, const Tensor &b, Tensor &result) {
  if (a.elements() != 0 && b.elements() != 0)
    return false;
  clearElements(result);
  return true;
}

// What was left out makes a result worthless.
Status endOfWork() { return Cancellation::requestedHere() ? cancelledWork() : okStatus(); }

bool isDepthwise(const Convolution &c) { return c.channels == 1 && c.groups > 1; }

template <typename T> Status runConvolve(KernelCall &call) {
  const Tensor &images = call.input(0), &filter = call.input(1);
  Tensor &result = call.output(0);
  if (result.elements() == 0 || hasNoProducts(images, filter, result))
    return okStatus();
  const Convolution c =
      convolutionOf(Attributes(call), images.shape(), filter.shape(), result.shape());
  const Factor<T> a(images), b(filter);
  makeResult<T>(result, [&](Compute<T> *to) {
    (isDepthwise(c) ? convolveDepthwise<Compute<T>> : convolve<Compute<T>>)(c, a.data(), b.data(),
                                                                            to);
  });
  return endOfWork();
}

template <typename T> Status runConvolveInput(KernelCall &call) {
  const Tensor &filter = call.input(1), &gradient = call.input(2);
  Tensor &result = call.output(0);
  if (result.elements() == 0 || hasNoProducts(filter, gradient, result))
    return okStatus();
  const Convolution c =
      convolutionOf(Attributes(call), result.shape(), filter.shape(), gradient.shape());
  const Factor<T> a(filter), b(gradient);
  makeResult<T>(result, [&](Compute<T> *to) {
    (isDepthwise(c) ? convolveDepthwiseInput<Compute<T>> : convolveInput<Compute<T>>)(c, a.data(),
                                                                                      b.data(), to);
  });
  return endOfWork();
}

template <typename T> Status runConvolveFilter(KernelCall &call) {
  const Tensor &images = call.input(0), &gradient = call.input(2);
  Tensor &result = call.output(0);
  if (result.elements() == 0 || hasNoProducts(images, gradient, result))
    return okStatus();
  const Convolution c =
      convolutionOf(Attributes(call), images.shape(), result.shape(), gradient.shape());
  const Factor<T> a(images), b(gradient);
  makeResult<T>(result, [&](Compute<T> *to) {
    (isDepthwise(c) ? convolveDepthwiseFilter<Compute<T>>
                    : convolveFilter<Compute<T>>)(c, a.data(), b.data(), to);
  });
  return endOfWork();
}

template <typename T> constexpr Kernel nn_convolve_kernel() {
  return {convolveShape, runConvolve<T>, Kernel::kNone, nullptr, convolveWork};
}
template <typename T> constexpr Kernel nn_convolve_input_kernel() {
  return {convolveInputShape, runConvolveInput<T>, Kernel::kNone, nullptr, convolveInputWork};
}
template <typename T> constexpr Kernel nn_convolve_filter_kernel() {
  return {convolveFilterShape, runConvolveFilter<T>, Kernel::kNone, nullptr, convolveFilterWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(nn_convolve, FLOAT)
SLUICE_DEFINE_KERNELS(nn_convolve_input, FLOAT)
SLUICE_DEFINE_KERNELS(nn_convolve_filter, FLOAT)

} // namespace sluice::rt
