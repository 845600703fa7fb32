// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "convolution": products of windows of images and a filter, and what
// flows back through them.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/Images.h"
#include "dialects/nn/Nn.h"

using namespace mlir;

namespace sluice::import {

namespace {

struct Windows {
  ImageLayout layout;
  SmallVector<NamedAttribute> attributes;
};

// Nothing after a diagnostic.
std::optional<Windows> windowsOf(Expansion &e, std::optional<ImageLayout> layout,
                                 ArrayRef<int64_t> dilations) {
  if (!layout)
    return std::nullopt;
  Windows windows{*layout, {}};
  if (!addSpatial(e, *layout, "strides", e.intsAttr("strides"), "strides", windows.attributes) ||
      !addSpatial(e, *layout, "dilations", dilations, "dilations", windows.attributes) ||
      !addPadding(e, *layout, windows.attributes))
    return std::nullopt;
  return windows;
}
std::optional<Windows> windows2d(Expansion &e) {
  return windowsOf(e, imageLayout(e, "NHWC", "NCHW"), e.intsAttr("dilations"));
}
std::optional<Windows> windows3d(Expansion &e) {
  return windowsOf(e, imageLayout(e, "NDHWC", "NCDHW"), e.intsAttr("dilations"));
}

// The filter, as one of our ops has it, of one that TensorFlow has for convolutions of each channel
// alone: its last two dims are one.
Value depthwiseFilter(Expansion &e, Value filter) {
  Value dims = dimsOf(e, filter);
  return reshaped(e, filter, joined(e, {part(e, dims, e.int32(0), e.int32(2)), e.ints({1, -1})}));
}
Value depthwiseDims(Expansion &e, Value dims) {
  auto at = [&](int64_t i) { return part(e, dims, e.int32(i), e.int32(1)); };
  Value outputs = e.like<nd::MulOp>({at(2), at(3)});
  return joined(e,
                {part(e, dims, e.int32(0), e.int32(2)), e.ints({1}, e.elementOf(dims)), outputs});
}

// ---- Integers

// Products of windows of integers, which wrap around, by products of floats: halves of 16 bits have
// products below 2^32, of which two million have a sum that is exact.
using Products = llvm::function_ref<Value(Value images, Value filter)>;

bool isOfIntegers(Expansion &e, Value x) { return e.elementOf(x).isInteger(); }

std::pair<Value, Value> halvesOf(Expansion &e, Value x) {
  constexpr double kHalf = 65536;
  Value whole = converted(e, x, e.builder().getF64Type());
  Value upper = e.like<nd::FloorOp>(mul(e, whole, constantLike(e, whole, 1 / kHalf)));
  return {sub(e, whole, mul(e, upper, constantLike(e, whole, kHalf))), upper};
}

Value productsOfIntegers(Expansion &e, Value images, Value filter, Products products) {
  Type wide = e.builder().getI64Type(), element = e.elementOf(images);
  auto [imagesLower, imagesUpper] = halvesOf(e, images);
  auto [filterLower, filterUpper] = halvesOf(e, filter);
  auto exact = [&](Value a, Value b) { return converted(e, products(a, b), wide); };
  Value upper = add(e, exact(imagesLower, filterUpper), exact(imagesUpper, filterLower));
  Value sum = add(e, exact(imagesLower, filterLower), mul(e, upper, e.scalar(wide, 65536)));
  return converted(e, sum, element);
}

Value productsOf(Expansion &e, Value images, Value filter, Products products) {
  return isOfIntegers(e, images) ? productsOfIntegers(e, images, filter, products)
                                 : products(images, filter);
}

// ---- Forward

void convolve(Expansion &e, std::optional<Windows> windows, Value given, Value filter) {
  if (!windows)
    return;
  Value result = productsOf(e, windows->layout.channelsLast(e, given), filter,
                            [&](Value images, Value weights) {
                              return e.like<nn::ConvolveOp>({images, weights}, windows->attributes);
                            });
  e.result(0, windows->layout.asGiven(e, result));
}
void conv2d(Expansion &e) { convolve(e, windows2d(e), e.input(0), e.input(1)); }
void conv3d(Expansion &e) { convolve(e, windows3d(e), e.input(0), e.input(1)); }
// Of as many dims as there are strides; groups are known by channels, and have to agree.
void convAnyRank(Expansion &e) {
  SmallVector<int64_t> strides = e.intsAttr("strides"), dilations = e.intsAttr("dilations");
  auto rank = static_cast<int64_t>(strides.size());
  if (rank < 3 || rank > 5)
    return e.unsupported("attribute 'strides': expected 3 to 5 numbers but got " +
                         std::to_string(rank));
  if (e.intAttr("batch_dims") != 1)
    return e.unsupported("attribute 'batch_dims': expected 1 but got " +
                         std::to_string(e.intAttr("batch_dims")));
  if (dilations.empty())
    dilations.assign(strides.size(), 1);
  ImageLayout layout(rank, e.stringAttr("data_format") == "CHANNELS_FIRST");
  auto inputs = e.afterAllInputs(e.inputs());
  auto dim = [&](Value of, int64_t i) { return part(e, dimsOf(e, of), e.int32(i), e.int32(1)); };
  Checks checks(e);
  for (Value &input : inputs) {
    checks.require(e.compare<nd::EqualOp>(rankOf(e, input), e.int32(rank)),
                   "Conv expects as many dims as strides", dimsOf(e, input));
    input = checks.checked(input);
  }
  Value channels = dim(inputs[0], layout.channelDim()), ofFilter = dim(inputs[1], rank - 2);
  checks.require(
      e.compare<nd::EqualOp>(
          channels,
          e.like<nd::MulOp>({ofFilter, e.scalar(e.elementOf(ofFilter), e.intAttr("groups"))})),
      "Conv expects as many channels as its groups have in the filter together", channels);
  convolve(e, windowsOf(e, layout, dilations), checks.checked(inputs[0]),
           checks.checked(inputs[1]));
}
void depthwiseConv2d(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  convolve(e, windows2d(e), inputs[0], depthwiseFilter(e, inputs[1]));
}

// ---- Back to the images: dims of the images, filter, what came back

void convolveInput(Expansion &e, std::optional<Windows> windows, Value dims, Value filter,
                   Value gradient) {
  if (!windows)
    return;
  const ImageLayout &layout = windows->layout;
  Value wanted = layout.dimsChannelsLast(e, dims);
  Value images =
      productsOf(e, layout.channelsLast(e, gradient), filter, [&](Value g, Value weights) {
        return e.tensor<nn::ConvolveInputOp>(e.elementOf(g), {wanted, weights, g},
                                             windows->attributes);
      });
  e.result(0, layout.asGiven(e, images));
}
// The dims of the images may be their spatial ones alone, if that is known.
void conv2dInput(Expansion &e) {
  auto windows = windows2d(e);
  if (!windows)
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  Value dims = inputs[0];
  auto type = dyn_cast<RankedTensorType>(dims.getType());
  if (type && type.getRank() == 1 && type.getDimSize(0) == 2) {
    Value images = part(e, dimsOf(e, inputs[2]), e.int32(0), e.int32(1));
    Value channels = part(e, dimsOf(e, inputs[1]), e.int32(2), e.int32(1));
    SmallVector<Value> parts{images, dims, channels};
    if (windows->layout.channelDim() == 1)
      parts = {images, channels, dims};
    for (Value &piece : parts)
      piece = converted(e, piece, e.builder().getI64Type());
    dims = joined(e, parts);
  }
  convolveInput(e, windows, dims, inputs[1], inputs[2]);
}
void conv3dInput(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  convolveInput(e, windows3d(e), inputs[0], inputs[1], inputs[2]);
}
void depthwiseConv2dInput(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  convolveInput(e, windows2d(e), inputs[0], depthwiseFilter(e, inputs[1]), inputs[2]);
}

// ---- Back to the filter: images, dims of the filter, what came back

Value filterGradient(Expansion &e, const Windows &windows, Value images, Value dims,
                     Value gradient) {
  return e.tensor<nn::ConvolveFilterOp>(
      e.elementOf(gradient),
      {windows.layout.channelsLast(e, images), dims, windows.layout.channelsLast(e, gradient)},
      windows.attributes);
}
void convolveFilter(Expansion &e, std::optional<Windows> windows) {
  if (windows)
    e.result(0, filterGradient(e, *windows, e.input(0), e.input(1), e.input(2)));
}
void conv2dFilter(Expansion &e) { convolveFilter(e, windows2d(e)); }
void conv3dFilter(Expansion &e) { convolveFilter(e, windows3d(e)); }
void depthwiseConv2dFilter(Expansion &e) {
  auto windows = windows2d(e);
  if (!windows)
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  Value found = filterGradient(e, *windows, inputs[0], depthwiseDims(e, inputs[1]), inputs[2]);
  e.result(0, reshaped(e, found, inputs[1]));
}

constexpr llvm::StringLiteral k2d = "strides padding explicit_paddings data_format dilations";
constexpr llvm::StringLiteral k3d = "strides padding data_format dilations";

constexpr OpExpansion kOps[] = {
    {"Conv", convAnyRank, Style::kPure,
     "strides padding explicit_paddings data_format dilations batch_dims groups"},
    {"Conv2D", conv2d, Style::kPure, k2d},
    {"Conv2DBackpropFilter", conv2dFilter, Style::kPure, k2d},
    {"Conv2DBackpropInput", conv2dInput, Style::kPure, k2d},
    {"Conv3D", conv3d, Style::kPure, k3d},
    {"Conv3DBackpropFilterV2", conv3dFilter, Style::kPure, k3d},
    {"Conv3DBackpropInputV2", conv3dInput, Style::kPure, k3d},
    {"DepthwiseConv2dNative", depthwiseConv2d, Style::kPure, k2d},
    {"DepthwiseConv2dNativeBackpropFilter", depthwiseConv2dFilter, Style::kPure, k2d},
    {"DepthwiseConv2dNativeBackpropInput", depthwiseConv2dInput, Style::kPure, k2d},
};

} // namespace

ArrayRef<OpExpansion> convolutionOps() { return kOps; }

} // namespace sluice::import
