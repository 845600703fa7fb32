// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "pool": windows of images that become numbers, what flows back
// through them, and images mirrored at their borders.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/FedPool.h"
#include "compiler/import/tensorflow/Images.h"
#include "dialects/nn/Nn.h"

using namespace mlir;

namespace sluice::import {

namespace {

struct Pool {
  ImageLayout layout;
  SmallVector<NamedAttribute> attributes;
};

// Nothing after a diagnostic.
std::optional<Pool> poolOf(Expansion &e, std::optional<ImageLayout> layout,
                           ArrayRef<int64_t> windows, ArrayRef<int64_t> strides) {
  if (!layout)
    return std::nullopt;
  Pool pool{*layout, {}};
  // Windows of one channel each are next to each other, whatever the stride.
  SmallVector<int64_t> steps(strides);
  auto channels = static_cast<size_t>(layout->channelDim());
  if (steps.size() == windows.size() && channels < steps.size() && windows[channels] == 1)
    steps[channels] = std::min<int64_t>(steps[channels], 1);
  if (!addSpatial(e, *layout, "ksize", windows, "windows", pool.attributes) ||
      !addSpatial(e, *layout, "strides", steps, "strides", pool.attributes) ||
      !addPadding(e, *layout, pool.attributes))
    return std::nullopt;
  return pool;
}
std::optional<Pool> poolByAttributes(Expansion &e, std::optional<ImageLayout> layout) {
  return poolOf(e, layout, e.intsAttr("ksize"), e.intsAttr("strides"));
}
std::optional<Pool> pool2d(Expansion &e) {
  return poolByAttributes(e, imageLayout(e, "NHWC", "NCHW"));
}
std::optional<Pool> pool3d(Expansion &e) {
  return poolByAttributes(e, imageLayout(e, "NDHWC", "NCDHW"));
}
// The sizes of windows and strides are the inputs from this one on, which are constants.
std::optional<Pool> poolByInputs(Expansion &e, size_t first) {
  return poolOf(e, imageLayout(e, "NHWC", "NCHW"), *constantOf(e.input(first)),
                *constantOf(e.input(first + 1)));
}
bool isFed(Expansion &e, size_t first) {
  return !constantOf(e.input(first)) || !constantOf(e.input(first + 1));
}
// Of inputs that wait for each other. Nothing after a diagnostic.
std::optional<FedPool> fedPool(Expansion &e, ValueRange inputs, size_t first) {
  auto layout = imageLayout(e, "NHWC", "NCHW");
  if (!layout)
    return std::nullopt;
  return FedPool(e, inputs[0], inputs[first], inputs[first + 1], layout->channelDim(),
                 e.stringAttr("padding") == "SAME");
}

// ---- Averages

template <std::optional<Pool> (*poolOfNode)(Expansion &)> void averagePool(Expansion &e) {
  if (auto pool = poolOfNode(e))
    e.result(0, pool->layout.asGiven(
                    e, e.like<nn::AveragePoolOp>(pool->layout.channelsLast(e, e.input(0)),
                                                 pool->attributes)));
}

// Dims of the images, and what came back.
template <std::optional<Pool> (*poolOfNode)(Expansion &)> void averagePoolGrad(Expansion &e) {
  auto pool = poolOfNode(e);
  if (!pool)
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  Value images = e.tensor<nn::AveragePoolInputOp>(
      e.elementOf(inputs[1]),
      {pool->layout.dimsChannelsLast(e, inputs[0]), pool->layout.channelsLast(e, inputs[1])},
      pool->attributes);
  e.result(0, pool->layout.asGiven(e, images));
}

// ---- Greatest elements

// Whether windows lie along the channels alone, next to each other. Other strides do not count.
bool isOfChannels(ArrayRef<int64_t> windows, ArrayRef<int64_t> strides) {
  return windows.size() == 4 && strides.size() == 4 && windows.back() > 1 &&
         windows.back() == strides.back() && strides.front() == 1 &&
         llvm::all_of(windows.drop_back(), [](int64_t size) { return size == 1; });
}
void maxPoolOfChannels(Expansion &e, int64_t window) {
  Value images = e.afterAllInputs(e.inputs())[0], dims = dimsOf(e, images);
  Value channels = part(e, dims, e.int32(3), e.int32(1));
  Checks checks(e);
  Value size = e.ints({window}, e.elementOf(channels));
  Value rest = e.like<nd::FloorModOp>({channels, size});
  checks.require(e.compare<nd::EqualOp>(rest, e.ints({0}, e.elementOf(rest))),
                 "MaxPool expects windows that evenly divide the channels", channels);
  Value apart = joined(e, {part(e, dims, e.int32(0), e.int32(3)), e.ints({-1, window})});
  e.result(0, e.like<nd::ReduceMaxOp>({reshaped(e, checks.checked(images), apart), e.ints({-1})},
                                      e.flag("keep_dims", false)));
}

void maxPool(Expansion &e, std::optional<Pool> pool) {
  if (pool)
    e.result(0,
             pool->layout.asGiven(e, e.like<nn::MaxPoolOp>(pool->layout.channelsLast(e, e.input(0)),
                                                           pool->attributes)));
}
void maxPool2d(Expansion &e) {
  SmallVector<int64_t> windows = e.intsAttr("ksize");
  if (e.stringAttr("data_format") == "NHWC" && isOfChannels(windows, e.intsAttr("strides")))
    return maxPoolOfChannels(e, windows.back());
  maxPool(e, pool2d(e));
}
void maxPool3d(Expansion &e) { maxPool(e, pool3d(e)); }
void maxPoolV2(Expansion &e) {
  if (isFed(e, 1)) {
    if (auto pool = fedPool(e, e.afterAllInputs(e.inputs()), 1))
      e.result(0, pool->greatest());
    return;
  }
  auto windows = constantOf(e.input(1)), strides = constantOf(e.input(2));
  if (windows && strides && e.stringAttr("data_format") == "NHWC" &&
      isOfChannels(*windows, *strides))
    return maxPoolOfChannels(e, windows->back());
  maxPool(e, poolByInputs(e, 1));
}

// Row-major places of the greatest elements in images with channels last.
Value placesOf(Expansion &e, const Pool &pool, Value images) {
  return e.tensor<nn::MaxPoolIndexOp>(e.builder().getI64Type(), images, pool.attributes);
}

// What came back goes to where the greatest elements were; several of one place are added.
Value sumAtPlaces(Expansion &e, Value places, Value gradient, Value like) {
  Value all = e.ints({-1}), count = e.tensor<nd::SizeOp>(e.builder().getI64Type(), like);
  Value sum = e.like<nd::UnsortedSegmentSumOp>(
      {reshaped(e, gradient, all), reshaped(e, places, all), count});
  return reshaped(e, sum, dimsOf(e, like));
}
// What is at the places, under their dims.
Value elementsAt(Expansion &e, Value places, Value of) {
  return gathered(e, reshaped(e, of, e.ints({-1})), places, e.int32(0));
}

// Images, what the pool made of them, and what came back. The second one follows from the first.
void maxPoolGrad(Expansion &e, std::optional<Pool> pool) {
  if (!pool)
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  Value images = pool->layout.channelsLast(e, inputs[0]);
  Value gradient = pool->layout.channelsLast(e, inputs[2]);
  e.result(0,
           pool->layout.asGiven(e, sumAtPlaces(e, placesOf(e, *pool, images), gradient, images)));
}
void maxPoolGrad2d(Expansion &e) { maxPoolGrad(e, pool2d(e)); }
void maxPoolGrad3d(Expansion &e) { maxPoolGrad(e, pool3d(e)); }
void maxPoolGradV2(Expansion &e) {
  if (!isFed(e, 3))
    return maxPoolGrad(e, poolByInputs(e, 3));
  auto inputs = e.afterAllInputs(e.inputs());
  if (auto pool = fedPool(e, inputs, 3))
    e.result(0, sumAtPlaces(e, pool->places(), inputs[2], pool->images()));
}

void maxPoolGradGrad(Expansion &e, std::optional<Pool> pool) {
  if (!pool)
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  Value images = pool->layout.channelsLast(e, inputs[0]);
  Value gradient = pool->layout.channelsLast(e, inputs[2]);
  e.result(0, pool->layout.asGiven(e, elementsAt(e, placesOf(e, *pool, images), gradient)));
}
void maxPoolGradGrad2d(Expansion &e) { maxPoolGradGrad(e, pool2d(e)); }
void maxPoolGradGrad3d(Expansion &e) { maxPoolGradGrad(e, pool3d(e)); }
void maxPoolGradGradV2(Expansion &e) {
  if (!isFed(e, 3))
    return maxPoolGradGrad(e, poolByInputs(e, 3));
  auto inputs = e.afterAllInputs(e.inputs());
  if (auto pool = fedPool(e, inputs, 3))
    e.result(0, elementsAt(e, pool->places(), inputs[2]));
}

// ---- With the places as tensors. They are those within an image, or within all of them.

std::optional<Pool> poolOfPlaces(Expansion &e) {
  return poolByAttributes(e, ImageLayout(4, false));
}

// What has to be added to places within images so that they are within all; for places with these
// dims.
Value offsetsOfImages(Expansion &e, Value images) {
  Type i64 = e.builder().getI64Type();
  Value dims = e.tensor<nd::ShapeOp>(i64, images);
  Value count = part(e, dims, e.int32(0), e.int32(1));
  Value numbers = numbersBelow(e, single(e, count));
  Value perImage = product(e, from(e, dims, e.int32(1)));
  return reshaped(e, mul(e, numbers, perImage), e.ints({-1, 1, 1, 1}));
}

void maxPoolWithArgmax(Expansion &e) {
  auto pool = poolOfPlaces(e);
  if (!pool)
    return;
  Value images = e.afterAllInputs(e.inputs())[0];
  Value places = placesOf(e, *pool, images);
  // What is at the places, also where that is a NaN, of which a pool without places knows nothing.
  e.result(0, elementsAt(e, places, images));
  if (!e.boolAttr("include_batch_in_index"))
    places = sub(e, places, offsetsOfImages(e, images));
  e.result(1, converted(e, places, e.resultElement(1)));
}

// Of the node's inputs: images and places.
Value allPlaces(Expansion &e, Value images, Value given) {
  Value places = converted(e, given, e.builder().getI64Type());
  return e.boolAttr("include_batch_in_index") ? places : add(e, places, offsetsOfImages(e, images));
}
// Images, what came back, and the places.
void maxPoolGradWithArgmax(Expansion &e) {
  if (!poolOfPlaces(e))
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  e.result(0, sumAtPlaces(e, allPlaces(e, inputs[0], inputs[2]), inputs[1], inputs[0]));
}
void maxPoolGradGradWithArgmax(Expansion &e) {
  if (!poolOfPlaces(e))
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  e.result(0, elementsAt(e, allPlaces(e, inputs[0], inputs[2]), inputs[1]));
}

// ---- Mirror images

template <typename OpT> void mirrorPad(Expansion &e) {
  e.result(0, e.like<OpT>(e.inputs(), e.flag("edge", e.stringAttr("mode") == "SYMMETRIC")));
}

constexpr llvm::StringLiteral kAverage = "ksize strides padding data_format";
constexpr llvm::StringLiteral kMax = "ksize strides padding explicit_paddings data_format";
constexpr llvm::StringLiteral kPlaces = "ksize strides padding include_batch_in_index";

constexpr OpExpansion kOps[] = {
    {"AvgPool", averagePool<pool2d>, Style::kPure, kAverage},
    {"AvgPool3D", averagePool<pool3d>, Style::kPure, kAverage},
    {"AvgPool3DGrad", averagePoolGrad<pool3d>, Style::kPure, kAverage},
    {"AvgPoolGrad", averagePoolGrad<pool2d>, Style::kPure, kAverage},
    {"MaxPool", maxPool2d, Style::kPure, kMax},
    {"MaxPool3D", maxPool3d, Style::kPure, kAverage},
    {"MaxPool3DGrad", maxPoolGrad3d, Style::kPure, kAverage},
    {"MaxPool3DGradGrad", maxPoolGradGrad3d, Style::kPure, kAverage},
    {"MaxPoolGrad", maxPoolGrad2d, Style::kPure, kMax},
    {"MaxPoolGradGrad", maxPoolGradGrad2d, Style::kPure, kAverage},
    {"MaxPoolGradGradV2", maxPoolGradGradV2, Style::kPure, "padding data_format"},
    {"MaxPoolGradGradWithArgmax", maxPoolGradGradWithArgmax, Style::kPure, kPlaces},
    {"MaxPoolGradV2", maxPoolGradV2, Style::kPure, "padding data_format"},
    {"MaxPoolGradWithArgmax", maxPoolGradWithArgmax, Style::kPure, kPlaces},
    {"MaxPoolV2", maxPoolV2, Style::kPure, "padding data_format"},
    {"MaxPoolWithArgmax", maxPoolWithArgmax, Style::kPure, kPlaces},
    {"MirrorPad", mirrorPad<nn::MirrorPadOp>, Style::kPure, "mode"},
    {"MirrorPadGrad", mirrorPad<nn::MirrorPadInputOp>, Style::kPure, "mode"},
};

} // namespace

ArrayRef<OpExpansion> poolOps() { return kOps; }

} // namespace sluice::import
