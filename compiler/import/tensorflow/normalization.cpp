// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "normalization": images scaled by the statistics of a batch, or of
// neighbouring channels. They are made of ops that fuse.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Images.h"
#include "dialects/nn/Nn.h"

using namespace mlir;

namespace sluice::import {

namespace {

Value square(Expansion &e, Value x) { return mul(e, x, x); }
Value rsqrt(Expansion &e, Value x) { return e.like<nd::RsqrtOp>(x); }
Value plus(Expansion &e, Value x, double number) { return add(e, x, constantLike(e, x, number)); }
// Nothing flows back through it: TensorFlow's derivative of a batch norm knows the images alone.
Value statistic(Expansion &e, Value x) { return e.like<nd::StopGradientOp>(x); }

// ---- Batch norms. Statistics are vectors of channels, and computed with as many bits as f32 has.

class BatchNorm {
public:
  BatchNorm(Expansion &e, ImageLayout layout, Type statistics)
      : e_(e), layout_(layout), type_(statistics) {}

  Value wide(Value images) const { return converted(e_, images, type_); }
  // Of a vector, so that it meets the channels of images.
  Value spread(Value vector) const {
    if (layout_.channelDim() == layout_.rank() - 1)
      return vector;
    SmallVector<int64_t> dims(static_cast<size_t>(layout_.rank() - 1), 1);
    dims.front() = -1;
    return reshaped(e_, vector, e_.ints(dims));
  }
  Value sum(Value images) const {
    SmallVector<int64_t> axes;
    for (int64_t dim = 0; dim < layout_.rank(); ++dim)
      if (dim != layout_.channelDim())
        axes.push_back(dim);
    return e_.like<nd::ReduceSumOp>({images, e_.ints(axes)}, e_.flag("keep_dims", false));
  }
  // Elements of a channel.
  Value count(Value images) const {
    Type i64 = e_.builder().getI64Type();
    Value dims = e_.tensor<nd::ShapeOp>(i64, images);
    Value all = product(e_, dims);
    Value channels = part(e_, dims, e_.int32(layout_.channelDim()), e_.int32(1));
    // Without channels there is nothing to count.
    Value some = e_.like<nd::MaximumOp>({single(e_, channels), e_.scalar(i64, 1)});
    return converted(e_, e_.like<nd::FloorDivOp>({all, some}), type_);
  }
  Value centered(Value images, Value mean) const { return sub(e_, images, spread(mean)); }

private:
  Expansion &e_;
  ImageLayout layout_;
  Type type_;
};

std::optional<BatchNorm> batchNormOf(Expansion &e, Value statistics) {
  bool isOfVolumes = StringRef(e.stringAttr("data_format")).contains('D');
  auto layout = isOfVolumes ? imageLayout(e, "NDHWC", "NCDHW") : imageLayout(e, "NHWC", "NCHW");
  if (!layout)
    return std::nullopt;
  return BatchNorm(e, *layout, e.elementOf(statistics));
}

struct Statistics {
  Value mean, variance;
};

// Results 1 and 2: what goes on with those that were given.
void movingStatistics(Expansion &e, Statistics batch, Value count, Statistics given) {
  Value one = constantLike(e, count, 1);
  Value unbiased =
      div(e, mul(e, batch.variance, count), e.like<nd::MaximumOp>({sub(e, count, one), one}));
  double factor = e.floatAttr("exponential_avg_factor");
  auto moved = [&](Value now, Value before) {
    if (factor == 1)
      return now;
    return add(e, mul(e, before, constantLike(e, before, 1 - factor)),
               mul(e, now, constantLike(e, now, factor)));
  };
  e.result(1, statistic(e, moved(batch.mean, given.mean)));
  e.result(2, statistic(e, moved(unbiased, given.variance)));
}

// Results that have no use: vectors of no elements, which fire and die as others do.
Value nothing(Expansion &e, Value like) { return part(e, flat(e, like), e.int32(0), e.int32(0)); }

// Images, scale, offset, mean, variance.
void fusedBatchNorm(Expansion &e) {
  auto norm = batchNormOf(e, e.input(1));
  if (!norm)
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  Value x = norm->wide(inputs[0]);
  Statistics used{inputs[3], inputs[4]};
  if (e.boolAttr("is_training")) {
    Value count = norm->count(x);
    used.mean = div(e, norm->sum(x), count);
    used.variance = div(e, norm->sum(square(e, norm->centered(x, used.mean))), count);
    movingStatistics(e, used, count, {inputs[3], inputs[4]});
  } else {
    e.result(1, statistic(e, used.mean));
    e.result(2, statistic(e, used.variance));
  }
  Value factor = mul(e, rsqrt(e, plus(e, used.variance, e.floatAttr("epsilon"))), inputs[1]);
  Value scaled = mul(e, norm->centered(x, used.mean), norm->spread(factor));
  Value y = add(e, scaled, norm->spread(inputs[2]));
  e.result(0, converted(e, y, e.elementOf(inputs[0])));
  e.result(3, statistic(e, used.mean));
  e.result(4, statistic(e, used.variance));
  if (e.numResults() > 5)
    e.result(5, e.gated(e.scalar(e.elementOf(used.mean), 0), e.tokens()));
}

// What came back, images, scale, mean and variance.
void fusedBatchNormGrad(Expansion &e) {
  auto norm = batchNormOf(e, e.input(2));
  if (!norm)
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  Value dy = norm->wide(inputs[0]), x = norm->wide(inputs[1]), scale = inputs[2];
  Value inverse = rsqrt(e, plus(e, inputs[4], e.floatAttr("epsilon")));
  Value centered = norm->centered(x, inputs[3]);
  Value offsetGradient = norm->sum(dy), products = norm->sum(mul(e, dy, centered));
  Value dx = dy;
  if (e.boolAttr("is_training")) {
    Value count = norm->count(x);
    Value slope = div(e, mul(e, products, square(e, inverse)), count);
    Value moved = norm->centered(dy, div(e, offsetGradient, count));
    dx = sub(e, moved, mul(e, centered, norm->spread(slope)));
  }
  dx = mul(e, dx, norm->spread(mul(e, scale, inverse)));
  e.result(0, converted(e, dx, e.elementOf(inputs[1])));
  e.result(1, mul(e, products, inverse));
  e.result(2, offsetGradient);
  for (uint32_t slot : {3u, 4u})
    e.result(slot, nothing(e, scale));
}

// ---- The oldest batch norm: images, mean, variance, beta, gamma

Value globalFactor(Expansion &e, Value inverse, Value gamma) {
  return e.boolAttr("scale_after_normalization") ? mul(e, inverse, gamma) : inverse;
}

void globalBatchNorm(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value inverse = rsqrt(e, plus(e, inputs[2], e.floatAttr("variance_epsilon")));
  Value scaled = mul(e, sub(e, inputs[0], inputs[1]), globalFactor(e, inverse, inputs[4]));
  e.result(0, add(e, scaled, inputs[3]));
}

// Images, mean, variance, gamma, and what came back.
void globalBatchNormGrad(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value gamma = inputs[3], dy = inputs[4];
  Value shifted = plus(e, inputs[2], e.floatAttr("variance_epsilon")), inverse = rsqrt(e, shifted);
  Value factor = globalFactor(e, inverse, gamma);
  auto sum = [&](Value images) {
    return e.like<nd::ReduceSumOp>({images, e.ints({0, 1, 2})}, e.flag("keep_dims", false));
  };
  Value all = sum(dy), products = sum(mul(e, dy, sub(e, inputs[0], inputs[1])));
  e.result(0, mul(e, dy, factor));
  e.result(1, neg(e, mul(e, all, factor)));
  Value half = div(e, factor, mul(e, shifted, constantLike(e, shifted, -2)));
  e.result(2, mul(e, products, half));
  e.result(3, all);
  Value gammaGradient = mul(e, products, inverse);
  if (!e.boolAttr("scale_after_normalization"))
    gammaGradient = sub(e, gamma, gamma);
  e.result(4, gammaGradient);
}

// ---- Local response normalization

// Greater neighbourhoods are not used, and a filter of that size is made.
constexpr int64_t kGreatestRadius = 1 << 16;

// Of each channel and so many on either side.
Value sumOfNeighbours(Expansion &e, Value x, int64_t radius) {
  Value dims = dimsOf(e, x),
        lines = joined(e, {e.ints({-1}), from(e, dims, e.int32(3)), e.ints({1})});
  OpBuilder &b = e.builder();
  // As a constant: what is computed of constants alone would be outside of a loop.
  Type element = e.elementOf(x);
  auto filter = RankedTensorType::get({2 * radius + 1, 1, 1}, element);
  Value ones = nd::ConstantOp::create(
      b, e.loc(), filter, DenseElementsAttr::get(filter, FloatAttr::get(element, 1).getValue()));
  auto list = [&](StringRef name, ArrayRef<int64_t> numbers) {
    return b.getNamedAttr(name, b.getDenseI64ArrayAttr(numbers));
  };
  // Lines of no channels have no number of lines either.
  Value sums =
      e.like<nn::ConvolveOp>({reshaped(e, x, lines), ones},
                             {list("strides", {1}), list("dilations", {1}),
                              e.text("padding", "explicit"), list("pads", {radius, radius})});
  return reshaped(e, sums, dims);
}

struct Response {
  int64_t radius;
  double bias, alpha, beta;
};
std::optional<Response> responseOf(Expansion &e) {
  Response response{e.intAttr("depth_radius"), e.floatAttr("bias"), e.floatAttr("alpha"),
                    e.floatAttr("beta")};
  if (response.radius >= 0 && response.radius <= kGreatestRadius)
    return response;
  e.unsupported("attribute 'depth_radius': expected a number from 0 to " +
                std::to_string(kGreatestRadius) + " but got " + std::to_string(response.radius));
  return std::nullopt;
}

// What images are divided by, before the power is taken.
Value normOf(Expansion &e, const Response &response, Value x) {
  Value sums = sumOfNeighbours(e, square(e, x), response.radius);
  return plus(e, mul(e, sums, constantLike(e, x, response.alpha)), response.bias);
}
Value power(Expansion &e, Value x, double exponent) {
  return e.like<nd::PowOp>({x, constantLike(e, x, exponent)});
}

void localResponse(Expansion &e) {
  auto response = responseOf(e);
  if (!response)
    return;
  Value x = e.afterAllInputs(e.inputs())[0];
  e.result(0, mul(e, x, power(e, normOf(e, *response, x), -response->beta)));
}

// What came back, images, and what they became.
void localResponseGrad(Expansion &e) {
  auto response = responseOf(e);
  if (!response)
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  Value dy = inputs[0], x = inputs[1], norm = normOf(e, *response, x);
  Value shares = sumOfNeighbours(e, div(e, mul(e, dy, inputs[2]), norm), response->radius);
  Value factor = constantLike(e, x, -2 * response->alpha * response->beta);
  e.result(0,
           add(e, mul(e, dy, power(e, norm, -response->beta)), mul(e, mul(e, factor, x), shares)));
}

constexpr llvm::StringLiteral kBatch = "epsilon exponential_avg_factor data_format is_training";
constexpr llvm::StringLiteral kBatchGrad = "epsilon data_format is_training";
constexpr llvm::StringLiteral kGlobal = "variance_epsilon scale_after_normalization";
constexpr llvm::StringLiteral kLocal = "depth_radius bias alpha beta";

constexpr OpExpansion kOps[] = {
    {"BatchNormWithGlobalNormalization", globalBatchNorm, Style::kPure, kGlobal},
    {"BatchNormWithGlobalNormalizationGrad", globalBatchNormGrad, Style::kPure, kGlobal},
    {"FusedBatchNorm", fusedBatchNorm, Style::kPure, kBatch},
    {"FusedBatchNormGrad", fusedBatchNormGrad, Style::kPure, kBatchGrad},
    {"FusedBatchNormGradV2", fusedBatchNormGrad, Style::kPure, kBatchGrad},
    {"FusedBatchNormGradV3", fusedBatchNormGrad, Style::kPure, kBatchGrad},
    {"FusedBatchNormV2", fusedBatchNorm, Style::kPure, kBatch},
    {"FusedBatchNormV3", fusedBatchNorm, Style::kPure, kBatch},
    {"LRN", localResponse, Style::kPure, kLocal},
    {"LRNGrad", localResponseGrad, Style::kPure, kLocal},
};

} // namespace

ArrayRef<OpExpansion> normalizationOps() { return kOps; }

} // namespace sluice::import
